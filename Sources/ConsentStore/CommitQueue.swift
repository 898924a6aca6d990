// SPDX-License-Identifier: Apache-2.0
//
// The writing half of a store. Callers put operations in; one thread at a time takes all that wait, commits them
// together and hands their completions on as one closure, in the order in which the operations came. While it commits,
// the next batch gathers.

/// Operations that wait, and the connection that commits them.
final class CommitQueue: @unchecked Sendable {
  private let monitor = Monitor()
  private var waiting: [Operation] = []
  private var isClosing = false
  private var counted = StoreStatistics()

  /// Touched only by the thread that commits, like the lock it works under; both are `nil` once closed.
  private var committer: Committer?
  private var lock: StoreLock?
  private let deliver: SQLiteStore.Delivery

  init(_ connection: Connection, under lock: StoreLock, deliver: @escaping SQLiteStore.Delivery) {
    committer = Committer(connection)
    self.lock = lock
    self.deliver = deliver
  }

  /// What was done so far.
  var statistics: StoreStatistics {
    monitor.locked { counted }
  }

  /// Puts an operation in. After `stopAccepting` it fails at once.
  func submit(_ operation: Operation) {
    let isAccepted = monitor.locked {
      if !isClosing { waiting.append(operation) }
      monitor.wake()
      return !isClosing
    }
    if !isAccepted { operation.fail(StoreError.closed) }
  }

  /// Commits what waits and gives how many operations that were. Never on two threads at once.
  func commitWaiting() -> Int {
    let batch = monitor.locked { takeWaiting() }
    commit(batch)
    return batch.count
  }

  /// Commits batch after batch, sleeping while there are none, until the queue is closing and empty.
  func commitUntilClosed() {
    while true {
      let batch = monitor.locked {
        while waiting.isEmpty && !isClosing { monitor.wait() }
        return takeWaiting()
      }
      if batch.isEmpty { return }
      commit(batch)
    }
  }

  /// Refuses further operations; those that wait stay. False: it already did.
  func stopAccepting() -> Bool {
    monitor.locked {
      defer { isClosing = true }
      monitor.wake()
      return !isClosing
    }
  }

  /// Closes the connection, which folds the log into the database, and gives up the lock. Nobody commits any more.
  func close() {
    committer = nil
    lock = nil
  }

  private func takeWaiting() -> [Operation] {
    defer { waiting = [] }
    return waiting
  }

  private func commit(_ batch: [Operation]) {
    guard let committer, !batch.isEmpty else {
      for operation in batch { operation.fail(StoreError.closed) }
      return
    }
    let completions = committer.commit(batch)
    monitor.locked { counted = committer.statistics }
    deliver { for complete in completions { complete() } }
  }
}
