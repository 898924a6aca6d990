// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.AgeRange: an app learns between which of its gates an age lies.

import ConsentBroker
import ConsentInterface
import ConsentModel
import HostRuntime
import StrictJSON

/// Age gates.
@Loop
final class AgeRangeService: Service {
  private let broker: Broker
  private let authority: Authority

  init(_ broker: Broker, _ authority: Authority) {
    self.broker = broker
    self.authority = authority
  }

  let interface = Contract.ageRange

  var methods: [String: Method] { ["GetAgeRange": .immediate(getAgeRange)] }

  private func getAgeRange(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try GetAgeRangeCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    return try broker.ageRange(of: speaker.person, gates: call.gates ?? broker.rules.policy.gates).json
  }
}
