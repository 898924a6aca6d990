// SPDX-License-Identifier: Apache-2.0
//
// A changed mind: what was given is taken back by its id, for an app or for a person, and may be given again; the app
// hears of each. An approval only ever adds. Rows 5, 7, 21, 23 and 24 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct TakingBackTests {
  private let family: Family
  private let topic = JSONObject.talk(with: ["Ann"])

  init() throws {
    family = try Family(guardians: ["uid:5000", "uid:5002"])
  }

  private func approve(_ topic: JSONObject, _ others: JSONObject = [:], _ answer: JSONObject = [:]) throws -> String {
    try family.answer(family.question(topic, others), "approve", answer).member("decision").text("grant")
  }

  @discardableResult
  private func revoke(_ call: JSONObject) throws -> [String] {
    try family.desk.guardian("Revoke", call).list("grants").map { try $0.text("grant") }
  }

  private func live(_ call: JSONObject = [:]) throws -> [String] {
    try family.desk.guardian("ListGrants", call).list("grants").map { try $0.text("grant") }
  }

  @Test func `approve, revoke, approve, revoke are each told in order, and each is the status at once`() throws {
    let stream = try family.responses()
    #expect(try stream.backlog() == [])
    var told: [String] = []
    for round in 0..<2 {
      let question = try family.question(topic)
      let grant = try family.answer(question, "approve").member("decision").text("grant")
      #expect(try family.status(topic)["grant"] == .string(grant))
      #expect(try revoke(["grant": .string(grant)]) == [grant])
      let status = try family.status(topic)
      #expect(status["status"] == "denied" && status["reason"] == "revoked" && status["nextAction"] == "ask")
      #expect(status["grant"] == nil)
      told += ["asked", "decided", "granted", "revoked"]
      let events = try stream.next(4)
      #expect(events.map { $0["event"] } == ["asked", "decided", "granted", "revoked"], "round \(round)")
      #expect(events.suffix(2).allSatisfy { $0["grant"] == .string(grant) })
    }
    #expect(try family.responses(["after": 0]).backlog().compactMap { $0["event"]?.string } == told)
  }

  @Test func `a decision stays what it was when its grant is taken back`() throws {
    let question = try family.question(topic)
    let grant = try family.answer(question, "approve").member("decision")["grant"] ?? ""
    try revoke(["grant": grant])
    #expect(try family.look(question)["state"] == "approved")
    let refusal = #expect(throws: CallError.self) { try family.answer(question, "deny") }
    #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    #expect(try family.answer(question, "approve")["state"] == "approved")
    #expect(try family.status(topic)["status"] == "denied")
  }

  @Test func `a denial after the yes is no hidden revocation`() throws {
    let question = try family.question(topic)
    try family.answer(question, "approve")
    for guardian in ["uid:5000", "uid:5002"] {
      let refusal = #expect(throws: CallError.self) {
        try family.answer(question, "deny", ["guardian": .string(guardian)])
      }
      #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    }
    #expect(try family.status(topic)["status"] == "approved")
    #expect(try live().count == 1)
  }

  @Test func `a grant is taken back by its id, or as much of it as fits one`() throws {
    let grants = try [approve(topic), approve(.talk(with: ["Bob"])), approve(.update("1.0"))]
    #expect(try revoke(["grant": .string(String(grants[1].prefix(12)))]) == [grants[1]])
    #expect(try Set(live()) == [grants[0], grants[2]])
    #expect(try family.status(topic)["status"] == "approved")
    #expect(try family.status(.talk(with: ["Bob"]))["status"] == "denied")
  }

  @Test func `what an app has of a person is taken back in one step, and nothing of another's`() throws {
    let (chat, game): (JSONObject, JSONObject) = (["app": "org.example.Chat"], ["app": "org.example.Game"])
    let ofChat = try [approve(topic, chat), approve(.update("1.0"), chat), approve(.resource(), chat)]
    let ofGame = try approve(topic, game)
    let nameless = try approve(topic)
    #expect(try Set(revoke(chat.with(["person": .string(Family.person)]))) == Set(ofChat))
    #expect(try Set(live()) == [ofGame, nameless])
    let events = try family.responses(chat).backlog().filter { $0["event"] == "revoked" }
    #expect(Set(events.map { $0["grant"]?.string }) == Set(ofChat))
    #expect(try family.responses(game).backlog().allSatisfy { $0["event"] != "revoked" })
  }

  @Test func `what a person was given is taken back in one step, and nothing of another's`() throws {
    try family.desk.administration("AddPerson", ["person": "uid:5009"])
    try family.desk.administration("AddGuardian", ["person": "uid:5009", "guardian": "uid:5000"])
    let ofMia = try [approve(topic), approve(topic, ["app": "org.example.Chat"])]
    let other = try approve(topic, ["person": "uid:5009"])
    #expect(try Set(revoke(["person": .string(Family.person)])) == Set(ofMia))
    #expect(try live() == [other])
  }

  @Test func `taking back what is not there changes nothing and is told as what it is`() throws {
    let grant = try approve(topic)
    try revoke(["grant": .string(grant)])
    let events = try family.responses().backlog()
    #expect(try revoke(["grant": .string(grant)]) == [])
    #expect(try revoke(["person": .string(Family.person)]) == [])
    #expect(try revoke(["person": .string(Family.person), "app": "org.example.Chat"]) == [])
    for bad in [String(repeating: "0", count: 32), "", "zzzz", String(grant.prefix(3))] {
      let refusal = #expect(throws: CallError.self) { try revoke(["grant": .string(bad)]) }
      #expect(refusal?.name == "\(Interface.guardian).UnknownGrant")
    }
    let refusal = #expect(throws: CallError.self) { try revoke([:]) }
    #expect(refusal?.name == "\(Interface.guardian).InvalidValue")
    #expect(try family.responses().backlog() == events)
  }

  @Test func `another approval never shrinks what was given before`() throws {
    let all = JSONObject.talk(with: ["Ann", "Bob"], by: ["message", "videoCall"])
    try family.answer(family.question(all), "approve")
    try family.answer(
      family.question(.talk(with: ["Ann"], by: ["message", "call"])), "approve",
      ["items": [["handle": "Ann", "action": "call"]]])
    #expect(try family.status(all)["status"] == "approved")
    #expect(try family.status(.talk(with: ["Ann"], by: ["call", "message", "videoCall"]))["status"] == "approved")
  }

  @Test func `a yes until Friday takes nothing of a yes for good`() throws {
    try family.answer(family.question(topic), "approve")
    let more = JSONObject.talk(with: ["Ann"], by: ["message", "videoCall"])
    let until = try family.advance(0) + 2 * Family.day
    try family.answer(family.question(more), "approveUntil", ["untilUSec": .integer(until)])
    #expect(try family.status(more)["status"] == "approved")
    try family.advance(3 * Family.day)
    #expect(try family.status(topic)["status"] == "approved")
    #expect(try family.status(more)["status"] == "limited")
    #expect(try family.responses().backlog().filter { $0["event"] == "grantEnded" }.count == 1)
  }

  @Test func `what ended by itself may be asked again at once, a kill in between or not`() throws {
    let until = try family.advance(0) + Family.day
    let decision = try family.answer(family.question(topic), "approveUntil", ["untilUSec": .integer(until)])
    #expect(try family.status(topic)["untilUSec"] == .integer(until))
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.status(topic)["status"] == "approved")
    try family.advance(Family.day)
    let status = try family.status(topic)
    #expect(status["status"] == "notDetermined" && status["nextAction"] == "ask" && status["grant"] == nil)
    let events = try family.responses().backlog()
    #expect(events.map { $0["event"] } == ["asked", "decided", "granted", "grantEnded"])
    #expect(try events.last?["grant"] == decision.member("decision")["grant"])
    #expect(try family.ask(topic)["state"] == "pending")
  }

  @Test func `an app that was away when it was taken back reads so when it is back`() throws {
    let grant = try approve(topic)
    let sequence = try family.responses().backlog().last?["sequence"] ?? 0
    try family.app.permission("Acknowledge", ["sequence": sequence, "person": .string(Family.person)])
    try revoke(["grant": .string(grant)])
    try family.daemon.kill()
    try family.startAgain()
    let missed = try family.responses().backlog()
    #expect(missed.map { $0["event"] } == ["revoked"])
    #expect(missed.first?["grant"] == .string(grant))
  }

  @Test func `the other guardian is told who took it back`() throws {
    let question = try family.question(topic)
    let grant = try family.answer(question, "approve").member("decision")["grant"] ?? ""
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    try revoke(["grant": grant])
    let news = try watch.next()
    #expect(news["change"] == "revoked")
    #expect(try news.member("question")["question"] == .string(question))
  }
}
