// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.AgeRange: an app learns between which of its gates an age lies; a service says what it knows of its own
// accounts' ages.

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

  var methods: [String: Method] { ["GetAgeRange": .immediate(getAgeRange), "DeclareAge": .single(declareAge)] }

  private func getAgeRange(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try GetAgeRangeCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    return try broker.ageRange(of: speaker.person, gates: call.gates ?? broker.rules.policy.gates).json
  }

  private func declareAge(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try DeclareAgeCall(exchange.parameters)
    guard let service = authority.service(exchange.peer, of: call.person) else {
      throw .notPermitted(reason: "only a registered service may declare ages here, of its own accounts")
    }
    do {
      let declaration = try await broker.declareAge(
        try call.age(today: broker.clock.today), of: call.person, by: .service(service), assurance: call.assurance)
      return ["declaration": .string(declaration.description)]
    } catch .unknownPerson {
      throw .invalidValue(field: "person", rule: "enrolled before: org.consentd.Administration.AddPerson")
    }
  }
}
