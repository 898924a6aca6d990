// SPDX-License-Identifier: Apache-2.0

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing
import Varlink

@Suite struct AdministrationCallsTests {
  @Test func `a move names two persons, and an error says which of them does not read`() throws {
    let call = try MovePersonCall(["from": "uid:1001", "to": "uid:2001"])
    #expect(call.person == .mia && call.other == .user(2001))
    for (field, parameters) in [
      ("from", ["from": "mia", "to": "uid:1"]), ("to", ["from": "uid:1", "to": "uid:01"]),
    ] as [(String, JSONObject)] {
      let refusal = #expect(throws: Refusal.self) { try MovePersonCall(parameters) }
      guard case .invalidValue(field, _) = refusal else {
        Issue.record("\(String(describing: refusal))")
        continue
      }
    }
  }

  @Test func `what is forgotten is an app's, and the app has a form`() throws {
    let call = try ForgetCall(["person": "uid:1001", "app": "org.example.Chat"])
    #expect(call.person == .mia && call.app == .chat)
    #expect(throws: Refusal.self) { try ForgetCall(["person": "uid:1001", "app": "chat"]) }
    #expect(throws: Refusal.self) { try ForgetCall(["person": "x", "app": "org.example.Chat"]) }
  }

  @Test(arguments: ExportedRecord.Kind.allCases)
  func `a record of an export is what the interface says`(kind: ExportedRecord.Kind) throws {
    let json = ExportedRecord(kind, ["x": 1]).json
    #expect(json == ["record": .string(kind.rawValue), "export": ["x": 1]])
    let interface = try Interfaces.named(Contract.administration)
    #expect(interface.firstInvalidField(ofReply: json, method: "Export") == nil)
    #expect(interface.method("Export")?.output.first?.documentation.contains("`\(kind.rawValue)`") == true)
  }

  @Test func `an erased question's decision has neither topic nor key`() throws {
    let decision = Decision(
      question: .first, topic: nil, topicKey: "", state: .moot, nextAction: .ask,
      ending: Decision.Ending(at: Instant(usec: 5), reason: "forgotten"))
    #expect(decision.json["topic"] == nil && decision.json["topicKey"] == nil)
    let interface = try Interfaces.named(Contract.permission)
    #expect(interface.firstInvalidField(ofReply: decision.json, method: "Await") == nil)
  }
}
