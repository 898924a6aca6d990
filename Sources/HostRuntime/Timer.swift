// SPDX-License-Identifier: Apache-2.0
//
// Deadlines. A caller's timeout is on the boot-time clock, which nobody can set and which counts through suspend. A
// deadline that must outlive a reboot is a wall-clock instant in the store; its timer follows the clock when that is
// set, and only wakes whoever looks at the store.

internal import CSystemd
internal import Glibc

/// Calls its handler once when a clock reaches an instant.
@Loop
package final class Timer {
  /// Which clock an instant is on, in microseconds.
  package enum Clock: Sendable {
    /// Since boot, as `HostClock.bootUSec()`.
    case boot
    /// Since the Unix epoch, as `HostClock.wallUSec()`.
    case wall
  }

  /// How late it may be, in microseconds, so that deadlines close together share one waking.
  private static let accuracyUSec: UInt64 = 1_000

  private let reactor: Reactor
  private let handler: @Loop () -> Void
  private var source: OpaquePointer?

  /// Makes a timer that is not armed. The handler is kept, with all it holds, until the timer is let go.
  package init(_ clock: Clock, handler: @escaping @Loop () -> Void) throws(SystemError) {
    self.handler = handler
    reactor = try Reactor.process.get()
    let result = sd_event_add_time(
      reactor.events, &source, clock.identifier, .max, Self.accuracyUSec,
      { _, _, timer in
        guard let timer else { return 0 }
        Loop.assumeIsolated { Unmanaged<Timer>.fromOpaque(timer).takeUnretainedValue().handler() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try SystemError.checkNegative(result, "sd_event_add_time")
  }

  /// Sets the instant in place of any before; one that has passed is reached at once, though never inside this call.
  /// `nil` disarms.
  package func arm(at instant: Int64?) {
    reactor.timesChanged()
    guard let instant else {
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
      return
    }
    sd_event_source_set_time(source, UInt64(max(0, instant)))
    sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }

  isolated deinit {
    sd_event_source_disable_unref(source)
  }
}

extension Timer.Clock {
  fileprivate var identifier: clockid_t {
    switch self {
    case .boot: CLOCK_BOOTTIME
    case .wall: CLOCK_REALTIME
    }
  }
}
