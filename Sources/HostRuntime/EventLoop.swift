// SPDX-License-Identifier: Apache-2.0
//
// The executor of everything that lives on the loop: a queue of jobs any thread may add to, and the one thread that
// runs them. Jobs run in the order they came. There is one loop in a process, and it outlives every user.
//
// The kernel is asked for help only when it must be: a job wakes the loop through its eventfd when the loop sleeps, and
// is merely queued when the loop is awake, on whichever thread it comes from.

internal import CLinux
internal import Glibc
internal import Synchronization

/// The process's event loop as Swift sees it. `Loop` is the global actor that runs on it.
package final class EventLoop: SerialExecutor {
  /// The one loop of this process.
  package static let process = EventLoop()

  /// Something to run, and whether it belongs to a task that does everything on the loop's thread.
  struct Job {
    let work: UnownedJob
    let isOfLoopTask: Bool
  }

  private struct Waiting {
    var jobs: [Job] = []
    /// The eventfd to write when a job comes, while the loop sleeps.
    var alarm: Int32?
  }

  private let waiting = Mutex(Waiting())
  private let isTaken = Atomic(false)
  private let owner = Atomic<UInt>(0)

  /// A loop beside the process's own has no thread to run it; for tests of the queue.
  init() {}

  /// Queues a job behind those that wait. Before the loop runs, jobs wait for it.
  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(Job(work: UnownedJob(job), isOfLoopTask: false))
  }

  fileprivate func enqueue(_ job: Job) {
    let alarm = waiting.withLock { waiting in
      waiting.jobs.append(job)
      return waiting.alarm.take()
    }
    if let alarm { eventfd_write(alarm, 1) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the calling thread is the loop's.
  package func isIsolatingCurrentContext() -> Bool? {
    owner.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Stops the process when the calling thread is not the loop's: `SerialExecutor` has no other way to say so.
  package func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the loop's thread")
  }
}

/// The loop's thread for tasks that do everything there: those of `Loop.perform`.
///
/// The standard library's continuations resume a task on the executor it prefers, and where it prefers none on a thread
/// of the runtime's pool, from which it would only come back. A job has to be run as what it was queued as: run as a
/// loop task's, the job of any other would be sent to the end of the queue at each step.
final class LoopTaskExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(EventLoop.Job(work: UnownedJob(job), isOfLoopTask: true))
  }
}

extension EventLoop {
  /// The process's loop for tasks that do everything there.
  static let tasks = LoopTaskExecutor(process)

  /// Runs a job on the calling thread, which is the loop's.
  func run(_ job: Job) {
    if job.isOfLoopTask {
      job.work.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: Self.tasks.asUnownedTaskExecutor())
    } else {
      job.work.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  /// Claims the loop for one thread to come; false where another has it.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
  }

  /// Lets the loop go, so that it can be taken again.
  func release() {
    isTaken.store(false, ordering: .relaxed)
  }

  /// Makes the calling thread the loop's; only by who has taken the loop.
  func adoptThread() {
    owner.store(UInt(pthread_self()), ordering: .relaxed)
  }

  /// The loop has no thread for now; only by the thread that is the loop's.
  func leaveThread() {
    owner.store(0, ordering: .relaxed)
  }

  /// Exchanges the jobs that wait for `jobs`, which has to be empty and gives its room. Where none waits, the next to
  /// come will write the eventfd `alarm`.
  func exchangeJobs(_ jobs: inout [Job], alarm: Int32) {
    waiting.withLock { waiting in
      swap(&waiting.jobs, &jobs)
      if jobs.isEmpty { waiting.alarm = alarm }
    }
  }

  /// The loop is awake and will look for jobs by itself.
  func clearAlarm() {
    waiting.withLock { $0.alarm = nil }
  }
}
