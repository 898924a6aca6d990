// SPDX-License-Identifier: Apache-2.0
//
// The store in one SQLite file in WAL mode. Reads run on the caller's thread and see what is flushed. Writes gather in
// a queue; the store's thread commits them in groups (`synchronous=FULL`: a flush per commit) and only then reports
// them. SQLite makes a commit visible to readers after its flush, so nothing is told that a crash could take back.

import CSQLite

/// A store in an SQLite file. One daemon at a time has it open.
package final class SQLiteStore: Store {
  /// Runs a closure where the store's callers live. Must not wait for it to have run.
  package typealias Delivery = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Who commits what waits.
  package enum WriterMode: Sendable {
    /// A thread of the store's own, as soon as something waits.
    case thread
    /// The caller of `commitWaiting`, so that a test can stop between any two steps.
    case manual
  }

  let readSide: ReadSide
  let queue: CommitQueue
  private let copier: Copier
  private let deliver: Delivery
  private let thread: StoreThread?

  /// Where the store of a whole machine is.
  package static let directory = "/var/lib/consentd"
  /// The name of a store in its state directory.
  package static let fileName = "consentd.db"

  /// Opens the store at `path`, or makes one where there is no file.
  ///
  /// All results of one commit reach `deliver` as one closure, in the order in which the writes were submitted.
  ///
  /// Throws a `StoreError` for anything that cannot be used, and leaves the files as they were.
  package init(path: String, writer: WriterMode = .thread, deliver: @escaping Delivery) throws(StoreError) {
    let file = StoreFile(path: path)
    try file.checkDirectory()
    let lock = try StoreLock(of: file.path)
    if case .nothing = try file.content(for: .current) { try file.create(with: .current) }
    let queue = CommitQueue(try Connection.writing(file.path), under: lock, deliver: deliver)
    self.queue = queue
    self.deliver = deliver
    copier = Copier(of: file)
    for draft in [file.draft, copier.draft] { Draft.discard(draft) }
    readSide = ReadSide(try Connection.reading(file.path))
    thread =
      switch writer {
      case .thread: try StoreThread { queue.commitUntilClosed() }
      case .manual: nil
      }
  }

  deinit {
    close()
  }

  package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
    try readSide.read(body)
  }

  package func write<T: Sendable>(
    _ body: @escaping @Sendable (any StoreWriter) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.submit(
        Operation(
          perform: { writer in
            let value = try body(writer)
            return { continuation.resume(returning: value) }
          },
          fail: { continuation.resume(throwing: $0) }))
    }
  }

  package func copy(takenAtUSec: Int64) async throws -> StoreCopy {
    // A copy keeps the log from being emptied of what is erased meanwhile; the next commit does it.
    defer { queue.submit(Operation(perform: { _ in {} }, fail: { _ in })) }
    return try await withCheckedThrowingContinuation { continuation in
      copier.copy(takenAtUSec: takenAtUSec) { [deliver] result in deliver { continuation.resume(with: result) } }
    }
  }

  /// In manual mode: commits everything that waits together, on this thread, and gives how many writes that were.
  @discardableResult
  package func commitWaiting() -> Int {
    thread == nil ? queue.commitWaiting() : 0
  }

  /// What the writing half has done since the store was opened.
  package var statistics: StoreStatistics { queue.statistics }

  package func close() {
    guard queue.stopAccepting() else { return }
    copier.close()
    thread?.join()
    commitWaiting()
    readSide.close()
    queue.close()
  }
}

extension Connection {
  /// The connection that writes to the store at `path`, with the schema up to date.
  ///
  /// The checkpoint flushes what a killed daemon had written to the log and not yet flushed: without it, something
  /// could be told now that a power failure takes back.
  static func writing(_ path: String) throws(StoreError) -> Connection {
    do throws(StoreError) {
      let database = try Database(path: path, mode: .writing)
      guard !database.isReadOnly else { throw .cannotOpen(path: path, detail: "it cannot be written") }
      let connection = Connection(database)
      guard try connection.first(.journalMode) == "wal" else {
        throw .cannotOpen(path: path, detail: "its file system does not allow a write-ahead log")
      }
      try database.execute("PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON")
      try database.execute("PRAGMA secure_delete = ON")
      try Schema.current.migrate(database)
      try database.execute("PRAGMA foreign_keys = ON")
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      return connection
    } catch .failed(_, let detail) {
      throw .cannotOpen(path: path, detail: detail)
    }
  }

  /// The connection that reads the store at `path`.
  static func reading(_ path: String) throws(StoreError) -> Connection {
    let database = try Database(path: path, mode: .reading)
    try database.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
    return Connection(database)
  }
}
