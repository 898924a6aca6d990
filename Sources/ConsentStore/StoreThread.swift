// SPDX-License-Identifier: Apache-2.0
//
// A thread of the store's: the writer's, and one for each copy while it is made. They take no signals: those are the
// event loop's.

import Glibc

/// A running thread, which somebody joins or lets go.
struct StoreThread: Sendable {
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
    let code = pthread_create(&thread, nil, { StoreThread.run($0) }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .failed(code: code, detail: "a thread of the store's cannot be started")
    }
    self.thread = thread
  }

  /// Waits for the end of the thread.
  func join() {
    pthread_join(thread, nil)
  }

  /// Lets the thread end by itself.
  func detach() {
    pthread_detach(thread)
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
