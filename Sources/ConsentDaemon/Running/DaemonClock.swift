// SPDX-License-Identifier: Apache-2.0
//
// The machine's clocks, as the broker reads them; in a sandbox moved forward by what a test asked for.

import ConsentBroker
import ConsentModel
import HostRuntime

/// A broker's clock that knows the machine's.
protocol DaemonClock: BrokerClock {
  /// How far both its clocks are ahead of the machine's, microseconds.
  var aheadUSec: Int64 { get }
}

/// The clocks of this machine.
struct MachineClock: DaemonClock {
  var aheadUSec: Int64 { 0 }
  var now: Instant { Instant(usec: HostClock.wallUSec()) }
  var bootUSec: Int64 { HostClock.bootUSec() }
}

/// The clocks of this machine, and how far a test has moved them.
final class SandboxClock: DaemonClock {
  /// The furthest a sandbox may be moved, in microseconds: 100 years of 365.25 days.
  static let limitUSec: Int64 = 100 * 36_525 * 864_000_000

  private(set) var aheadUSec: Int64

  init(aheadUSec: Int64) {
    self.aheadUSec = aheadUSec
  }

  var now: Instant { Instant(usec: HostClock.wallUSec() + aheadUSec) }
  var bootUSec: Int64 { HostClock.bootUSec() + aheadUSec }

  /// Moves the clocks `usec` further. Throws `invalidValue` for a step back and past the limit.
  func advance(by usec: Int64) throws(Refusal) {
    let (offset, overflows) = aheadUSec.addingReportingOverflow(usec)
    guard usec >= 0, !overflows, offset <= Self.limitUSec else {
      throw .invalidValue(field: "byUSec", rule: "0 or more, in all at most \(Self.limitUSec) (100 years)")
    }
    aheadUSec = offset
  }
}

extension DaemonClock {
  /// The civil date in the machine's time zone.
  var today: CivilDate {
    let date = HostClock.civilDate(atWallUSec: now.usec)
    return CivilDate(year: date.year, month: date.month, day: date.day) ?? .earliest
  }
}
