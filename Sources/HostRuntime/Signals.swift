// SPDX-License-Identifier: Apache-2.0
//
// Signals as events of the loop. They are blocked for the calling thread and every thread that starts later, so a
// program makes this before anything that starts threads: a signal finds any thread that does not block it, and kills
// the process there.

internal import CSystemd
internal import Glibc

/// Calls its handler for each of a set of signals.
@Loop
package final class Signals {
  private let handler: @Loop (Int32) -> Void
  private var sources: [OpaquePointer] = []

  /// Blocks the signals and begins to handle them. They stay blocked when this object is gone.
  package init(_ numbers: [Int32], handler: @escaping @Loop (Int32) -> Void) throws(SystemError) {
    self.handler = handler
    let events = try Reactor.process.get().events
    try Self.block(numbers)
    for number in numbers {
      var source: OpaquePointer?
      let result = sd_event_add_signal(
        events, &source, number,
        { source, _, signals in
          guard let signals else { return 0 }
          let number = sd_event_source_get_signal(source)
          Loop.assumeIsolated { Unmanaged<Signals>.fromOpaque(signals).takeUnretainedValue().handler(number) }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
      try SystemError.checkNegative(result, "sd_event_add_signal")
      if let source { sources.append(source) }
    }
  }

  private static func block(_ numbers: [Int32]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    let failure = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failure == 0 else { throw SystemError(call: "pthread_sigmask", errno: failure) }
  }

  isolated deinit {
    for source in sources { sd_event_source_disable_unref(source) }
  }
}
