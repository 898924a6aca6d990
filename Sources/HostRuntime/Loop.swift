// SPDX-License-Identifier: Apache-2.0
//
// The global actor of everything that lives on the loop, and the ways a thread becomes the loop's: a program gives its
// main thread with `run`; a library inside somebody else's program, and tests, ask for a thread with `start`.
//
// A program is one asynchronous function: it sets up, waits for whatever ends it, cleans up and returns its exit code.
// Nothing is set up before: a loop that cannot be made is the error that `run` throws.

internal import Glibc

/// The isolation of what lives on the process's event loop.
@globalActor
package actor Loop {
  package static let shared = Loop()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    EventLoop.process.asUnownedSerialExecutor()
  }
}

extension Loop {
  /// Makes the calling thread the loop's and turns the loop until `body`, which runs on it, has returned or thrown.
  ///
  /// Throws what `body` throws, and a `SystemError` where the loop cannot be made or turned, or runs already (`EBUSY`).
  package static func run<Outcome: Sendable>(
    _ body: @escaping @Loop () async throws -> Outcome
  ) throws -> Outcome {
    guard EventLoop.process.take() else { throw SystemError(call: "start the event loop", errno: EBUSY) }
    defer { EventLoop.process.release() }
    EventLoop.process.adoptThread()
    defer { EventLoop.process.leaveThread() }
    return try assumeIsolated {
      let reactor = try Reactor.process.get()
      var outcome: Result<Outcome, any Error>?
      perform {
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      }
      while true {
        reactor.runJobs()
        if let outcome { return try outcome.get() }
        try reactor.serve()
      }
    }
  }

  /// Sees to it that the loop turns: on a thread of its own, unless some thread has it already.
  ///
  /// Throws where the loop or the thread cannot be made. A loop that can no longer be turned ends with `onFault`, which
  /// is called on the loop's thread.
  package static func start(onFault: @escaping @Sendable (SystemError) -> Void) throws(SystemError) {
    guard EventLoop.process.take() else { return }
    do {
      try makeReactor()
      try LoopThread(onFault: onFault).start()
    } catch {
      EventLoop.process.release()
      throw error
    }
  }

  /// Makes the reactor on the calling thread, so that its errors are the caller's.
  private static func makeReactor() throws(SystemError) {
    EventLoop.process.adoptThread()
    defer { EventLoop.process.leaveThread() }
    _ = try assumeIsolated { () throws(SystemError) in try Reactor.process.get() }
  }

  /// Starts `body` as a task that stays on the loop's thread, however often it waits.
  package static func perform(_ body: @escaping @Loop () async -> Void) {
    Task(executorPreference: EventLoop.tasks) { await body() }
  }

  /// Runs `body` as code of the loop where the calling thread is known to be the loop's, as in a callback from C.
  /// Stops the process where it is not.
  package static func assumeIsolated<Value: Sendable, Failure: Error>(
    _ body: @Loop () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    EventLoop.process.checkIsolated()
    typealias Anywhere = () throws(Failure) -> Value
    return try withoutActuallyEscaping(body) { (body) throws(Failure) in
      try unsafeBitCast(body, to: Anywhere.self)()
    }
  }
}
