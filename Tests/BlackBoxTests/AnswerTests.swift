// SPDX-License-Identifier: Apache-2.0
//
// Answering: the first valid answer ends a question, once, for everybody, and for exactly the content that was shown.
// Rows 2, 12, 13, 14 and 22 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct AnswerTests {
  @Test func `a yes is a decision with its evidence and a grant`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let hash = try family.card(question).text("contentHash")
    let reply = try family.answer(question, "approve", ["contentHash": .string(hash), "note": "Only this once."])
    let decision = try reply.member("decision")
    #expect(reply["state"] == "approved")
    #expect(reply["votes"] == ["have": 1, "need": 1])
    #expect(decision["question"] == .string(question))
    #expect(decision["state"] == "approved")
    #expect(decision["nextAction"] == "proceed")
    #expect(decision["choice"] == "approve")
    #expect(decision["decidedBy"] == "guardian")
    #expect(decision["synthetic"] == true)
    #expect(decision["topicKey"] == "significantUpdate/2.0")
    #expect(try decision.member("topic")["description"] == "Adds voice rooms.")
    #expect(try decision.member("evidence")["contentHash"] == .string(hash))
    #expect(try decision.text("grant").utf8.count == 32)
    #expect(try decision.number("decidedAtUSec") > 0)
  }

  @Test func `a no is a decision without a grant`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let decision = try family.answer(question, "deny").member("decision")
    #expect(decision["state"] == "denied")
    #expect(decision["choice"] == "deny")
    #expect(decision["nextAction"] == "ask")
    #expect(decision["grant"] == nil)
    #expect(try family.status(.update("2.0"))["status"] == "denied")
  }

  @Test func `the app learns the decision without learning who the guardian is`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    try family.answer(question, "approve", ["note": "secret note"])
    let decision = try family.look(question)
    #expect(decision["state"] == "approved")
    let evidence = try decision.member("evidence")
    #expect(evidence["guardian"]?.string.map { !$0.contains("5000") } ?? true)
    #expect(!decision.json.contains("secret note"))
  }

  @Test(arguments: ["maybe", "", "Approve", "approveOnce", "approveUntil", "true", "approve "])
  func `a choice that was not offered is refused and the question stays open`(choice: String) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let refusal = #expect(throws: CallError.self) { try family.answer(question, choice) }
    #expect(refusal?.name == "\(Interface.guardian).InvalidValue")
    #expect(refusal?.parameters["field"] == "choice")
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.answer(question, "approve")["state"] == "approved")
  }

  @Test func `the hash of other content is refused with the right one`() throws {
    let family = try Family()
    let shown = try family.question(.update("2.0", "Adds voice rooms."))
    let hash = try family.card(shown).text("contentHash")
    let successor = try family.question(.update("2.0", "Adds voice rooms and shops."))
    let refusal = #expect(throws: CallError.self) {
      try family.answer(successor, "approve", ["contentHash": .string(hash)])
    }
    #expect(refusal?.name == "\(Interface.guardian).ContentChanged")
    let right = try #require(refusal).parameters.text("contentHash")
    #expect(right != hash)
    #expect(try family.card(successor)["contentHash"] == .string(right))
    #expect(try family.look(successor)["state"] == "pending")
    #expect(try family.answer(successor, "approve", ["contentHash": .string(right)])["state"] == "approved")
  }

  @Test func `what is asked of two people has two hashes`() throws {
    let family = try Family()
    try family.desk.administration("AddPerson", ["person": "uid:5009"])
    try family.desk.administration("AddGuardian", ["person": "uid:5009", "guardian": "uid:5000"])
    let one = try family.card(family.question(.update("2.0")))
    let two = try family.card(family.question(.update("2.0"), ["person": "uid:5009"]))
    let three = try family.card(family.question(.update("2.0"), ["app": "org.example.Chat"]))
    #expect(Set([one, two, three].map { $0["contentHash"]?.string }).count == 3)
  }

  @Test func `the same answer again gives the same decision and has no second effect`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let first = try family.answer(question, "approve")
    let events = try family.responses().backlog()
    let again = try family.answer(question, "approve")
    #expect(again["decision"] == first["decision"])
    #expect(again["state"] == "approved")
    #expect(again["waitersResumed"] == 0)
    #expect(try family.responses().backlog() == events)
  }

  @Test(arguments: [("approve", "deny"), ("deny", "approve")])
  func `of two clicks at once the first counts and the second is told`(first: String, second: String) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    for choice in [first, second] {
      try family.desk.send(
        "\(Interface.guardian).Answer", ["question": .string(question), "choice": .string(choice)])
    }
    let decision = try family.desk.receiveAnswer().member("decision")
    let refusal = #expect(throws: CallError.self) { try family.desk.receiveAnswer() }
    #expect(decision["choice"] == .string(first))
    #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    #expect(refusal?.parameters["state"] == decision["state"])
    #expect(refusal?.parameters["decidedAtUSec"] == decision["decidedAtUSec"])
    #expect(try family.look(question)["choice"] == .string(first))
  }

  @Test func `another guardian's same answer comes too late as well`() throws {
    let family = try Family(guardians: ["uid:5000", "uid:5002"])
    let question = try family.question(.update("2.0"))
    try family.answer(question, "approve", ["guardian": "uid:5002"])
    for choice in ["approve", "deny"] {
      let refusal = #expect(throws: CallError.self) {
        try family.answer(question, choice, ["guardian": "uid:5000"])
      }
      #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    }
    #expect(try family.answer(question, "approve", ["guardian": "uid:5002"])["state"] == "approved")
  }

  @Test func `in a thousand races each question ends once and the loser is told`() throws {
    let family = try Family(guardians: ["uid:5000", "uid:5002"])
    let desks = try [family.daemon.guardians(), family.daemon.guardians()]
    let answers: [JSONObject] = [
      ["choice": "approve", "guardian": "uid:5000"], ["choice": "deny", "guardian": "uid:5002"],
    ]
    for round in 0..<1_000 {
      let topic = JSONObject.update("race-\(round)")
      let question = try family.question(topic)
      let order = round % 2 == 0 ? [0, 1] : [1, 0]
      for place in order {
        try desks[place].send("\(Interface.guardian).Answer", answers[place].with(["question": .string(question)]))
      }
      let replies = try desks.compactMap { try $0.receive() }
      let won = replies.filter { $0.error == nil }
      let lost = replies.filter { $0.error != nil }
      try #require(won.count == 1 && lost.count == 1)
      #expect(lost[0].error == "\(Interface.guardian).AlreadyDecided")
      #expect(lost[0].parameters["state"] == won[0].parameters["state"])
      #expect(try family.look(question)["state"] == won[0].parameters["state"])
      #expect(try family.status(topic)["status"] == won[0].parameters["state"])
    }
    #expect(try family.statistics()["openQuestions"] == 0)
    let ended = try family.responses(["kinds": ["decided"]]).backlog()
    #expect(ended.count == 1_000)
    #expect(Set(ended.map { $0["question"]?.string }).count == 1_000)
  }

  @Test func `an answer after the deadline is refused, gives nothing and leaves the way to ask again`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"), ["expiresInUSec": .integer(Family.hour)])
    try family.advance(Family.hour)
    let refusal = #expect(throws: CallError.self) { try family.answer(question, "approve") }
    #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    #expect(refusal?.parameters["state"] == "expired")
    let status = try family.status(.update("2.0"))
    #expect(status["status"] == "notDetermined")
    #expect(status["nextAction"] == "ask")
    #expect(status["grant"] == nil)
    #expect(try family.look(question)["state"] == "expired")
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
  }

  @Test(arguments: ["uid:5002", "uid:5001", "contact:org.example.Bridge/1"])
  func `nobody but an enrolled guardian is spoken for`(guardian: String) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let refusal = #expect(throws: CallError.self) {
      try family.answer(question, "approve", ["guardian": .string(guardian)])
    }
    #expect(["NotPermitted", "InvalidValue"].contains { refusal?.name == "\(Interface.guardian).\($0)" })
    #expect(try family.look(question)["state"] == "pending")
  }

  @Test func `a bridge answers for a contact in the sandbox`() throws {
    let family = try Family(guardians: ["contact:org.example.Bridge/anna"])
    let question = try family.question(.update("2.0"))
    let reply = try family.answer(question, "approve", ["guardian": "contact:org.example.Bridge/anna"])
    #expect(reply["state"] == "approved")
  }

  @Test func `a question is found by a unique prefix of its id, and by nothing shorter or ambiguous`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    #expect(try family.look(String(question.prefix(4)))["question"] == .string(question))
    #expect(try family.card(String(question.prefix(31)))["question"] == .string(question))
    let bad = [String(question.prefix(3)), "", question + "0", question.uppercased() + "x", "%", "zzzz"]
    for text in bad {
      let refusal = #expect(throws: CallError.self) { try family.look(text) }
      #expect(refusal == CallError("\(Interface.permission).UnknownQuestion", ["question": .string(text)]))
    }
    #expect(try family.answer(String(question.prefix(8)), "deny")["state"] == "denied")
  }
}
