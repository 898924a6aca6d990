// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.Sandbox: moves the clock of a daemon that is there to be tried. No other daemon has it.

import ConsentBroker
import ConsentInterface
import ConsentModel
import HostRuntime
import StrictJSON

/// The sandbox's clock, for tests.
@Loop
final class SandboxService: Service {
  private let broker: Broker
  private let clock: SandboxClock

  init(_ broker: Broker, _ clock: SandboxClock) {
    self.broker = broker
    self.clock = clock
  }

  let interface = Contract.sandbox

  var methods: [String: Method] { ["AdvanceClock": .single(advanceClock)] }

  private func advanceClock(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try clock.advance(by: exchange.parameters["byUSec"]?.integer ?? 0)
    try await broker.keepClockOffset(clock.aheadUSec)
    broker.releaseDue()
    try await broker.expireDue()
    return ["nowUSec": .integer(clock.now.usec)]
  }
}
