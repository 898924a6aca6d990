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
  private let server: Server

  init(_ broker: Broker, _ clock: SandboxClock, _ server: Server) {
    self.broker = broker
    self.clock = clock
    self.server = server
  }

  let interface = Contract.sandbox

  var methods: [String: Method] { ["AdvanceClock": .single(advanceClock)] }

  private func advanceClock(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try clock.advance(by: exchange.parameters["byUSec"]?.integer ?? 0)
    try await broker.keepClockOffset(clock.aheadUSec)
    broker.releaseDue()
    server.patience.look()
    try await broker.expireDue()
    try await broker.remindDue()
    try await broker.retainDue()
    return ["nowUSec": .integer(clock.now.usec)]
  }
}
