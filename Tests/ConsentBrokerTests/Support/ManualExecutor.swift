// SPDX-License-Identifier: Apache-2.0
//
// An executor that runs nothing by itself. The broker's methods run where their caller runs; here the caller is a task
// whose every job waits in a queue until the test takes it out, on the test's own thread. So nothing happens between
// two steps of a test, and what happens in which order is the test's choice alone.

import Synchronization

/// A queue of jobs that the test turns by hand.
final class ManualExecutor: TaskExecutor {
  private let waiting = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
  }

  /// Jobs that wait.
  var count: Int { waiting.withLock { $0.count } }

  /// Runs the job that came first; `false` where none waits.
  func runJob() -> Bool {
    guard let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }
}

/// One call that a test has started: what it led to, once it did.
final class Call<Value> {
  private(set) var result: Result<Value, any Error>?
  /// How often it ended; more than once is a fault of the machinery.
  private(set) var endings = 0

  var isOver: Bool { result != nil }

  func end(_ result: Result<Value, any Error>) {
    endings += 1
    self.result = result
  }

  /// The value, where the call has ended with one. Throws what the call threw, and `NotOver`.
  func get() throws -> Value {
    guard let result else { throw NotOver() }
    return try result.get()
  }

  struct NotOver: Error {}
}
