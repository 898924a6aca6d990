// SPDX-License-Identifier: Apache-2.0
//
// The one thread the store has. It takes no signals: they are the event loop's.

import Glibc

/// A running thread that somebody will join.
struct WriterThread: Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body` once.
  init(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    var everySignal = sigset_t()
    var before = sigset_t()
    sigfillset(&everySignal)
    pthread_sigmask(SIG_SETMASK, &everySignal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { WriterThread.run($0) }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .failed(code: code, detail: "the writer's thread cannot be started")
    }
    self.thread = thread
  }

  /// Waits for the end of the thread.
  func join() {
    pthread_join(thread, nil)
  }

  private final class Start {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start else { return nil }
    Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
    return nil
  }
}
