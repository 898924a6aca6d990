// SPDX-License-Identifier: Apache-2.0
//
// The thread that turns the loop where no program gives its main thread to it. It lives as long as the process.

internal import Glibc

/// A thread of the loop's own.
final class LoopThread: Sendable {
  private let onFault: @Sendable (SystemError) -> Void

  init(onFault: @escaping @Sendable (SystemError) -> Void) {
    self.onFault = onFault
  }

  /// Starts the thread, which becomes the loop's.
  func start() throws(SystemError) {
    var thread = pthread_t()
    let this = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { this in
        if let this { Unmanaged<LoopThread>.fromOpaque(this).takeRetainedValue().main() }
        return nil
      }, this.toOpaque())
    guard failure == 0 else {
      this.release()
      throw SystemError(call: "pthread_create", errno: failure)
    }
    pthread_detach(thread)
  }

  private func main() {
    EventLoop.process.adoptThread()
    do {
      try Loop.assumeIsolated { () throws(SystemError) in
        let reactor = try Reactor.process.get()
        while true {
          reactor.runJobs()
          try reactor.serve()
        }
      }
    } catch {
      onFault(error)
    }
  }
}
