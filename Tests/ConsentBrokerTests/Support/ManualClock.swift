// SPDX-License-Identifier: Apache-2.0
//
// Time that passes when the test says so.

import ConsentBroker
import ConsentModel

/// The broker's clocks, moved by hand.
final class ManualClock: BrokerClock {
  /// 2 May 2026, 12:00 UTC.
  static let start = Instant(usec: 1_777_723_200_000_000)

  var now = ManualClock.start
  var bootUSec: Int64 = 1_000
  var today = CivilDate.spring

  /// Lets time pass on both clocks; the civil date stays.
  func pass(_ usec: Int64) {
    now = Instant(usec: now.usec + usec)
    bootUSec += usec
  }
}

extension CivilDate {
  /// The civil date the clock starts with.
  static let spring = CivilDate(year: 2026, month: 5, day: 2) ?? .earliest
}
