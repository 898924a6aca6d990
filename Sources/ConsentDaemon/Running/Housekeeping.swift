// SPDX-License-Identifier: Apache-2.0
//
// Has the broker look once a day for what is older than it is kept. The first time is right after the start; one that
// the store refuses is tried again after an hour.

import ConsentBroker
import ConsentModel
import HostRuntime

/// The daily timer of a broker.
@Loop
final class Housekeeping {
  private let broker: Broker
  private let clock: any DaemonClock
  private var timer: Timer?
  private static let patienceUSec = Span.hour

  /// Begins at once, though not inside this call.
  init(_ broker: Broker, _ clock: any DaemonClock) throws(SystemError) {
    self.broker = broker
    self.clock = clock
    timer = try Timer(.wall) { [weak self] in self?.work() }
    arm()
  }

  private func arm() { timer?.arm(at: broker.nextRetention.usec - clock.aheadUSec) }

  private func work() {
    Loop.perform { [self] in
      do throws(Refusal) {
        try await broker.retainDue()
        arm()
      } catch {
        timer?.arm(at: HostClock.wallUSec() + Self.patienceUSec)
      }
    }
  }
}
