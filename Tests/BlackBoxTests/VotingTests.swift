// SPDX-License-Identifier: Apache-2.0
//
// The rule `all`: every guardian must agree, one no ends it, and what the guardians approve together is what each of
// them approved. Neighbours of rows 12, 13 and 24 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct VotingTests {
  private static let guardians = ["uid:5000", "uid:5002"]
  private let family: Family
  private let talk = JSONObject.talk(with: ["Ann"], by: ["message", "videoCall"])

  init() throws {
    family = try Family(guardians: VotingTests.guardians)
    try set("all")
  }

  private func set(_ rule: String) throws {
    try family.desk.guardian(
      "ChangeSetting", ["person": .string(Family.person), "setting": "guardianRule", "value": .string(rule)])
  }

  private func vote(_ question: String, _ choice: String, by place: Int, _ others: JSONObject = [:]) throws
    -> JSONObject
  {
    try family.answer(question, choice, others.with(["guardian": .string(VotingTests.guardians[place])]))
  }

  @Test func `the first yes is a vote that everybody sees, and the last one decides`() throws {
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let waiter = try family.requester(.update("1.0"))
    let question = try watch.next(change: "added").member("question").text("question")
    let first = try vote(question, "approve", by: 0)
    #expect(first["state"] == "pending" && first["decision"] == nil && first["waitersResumed"] == 0)
    #expect(first["votes"] == ["have": 1, "need": 2])
    #expect(try family.card(question)["votes"] == ["have": 1, "need": 2])
    #expect(try family.look(question)["state"] == "pending")
    let last = try vote(question, "approve", by: 1)
    #expect(last["state"] == "approved" && last["waitersResumed"] == 1)
    #expect(last["votes"] == ["have": 2, "need": 2])
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    let events = try family.responses().backlog().compactMap { $0["event"]?.string }
    #expect(events == ["asked", "delivered", "decided", "granted"])
  }

  @Test func `one guardian twice is one guardian`() throws {
    let question = try family.question(.update("1.0"))
    for _ in 0..<3 { #expect(try vote(question, "approve", by: 0)["votes"] == ["have": 1, "need": 2]) }
    #expect(try family.look(question)["state"] == "pending")
  }

  @Test func `a yes may turn into a no, which ends it`() throws {
    let question = try family.question(.update("1.0"))
    _ = try vote(question, "approve", by: 0)
    let ended = try vote(question, "deny", by: 0)
    #expect(ended["state"] == "denied")
    #expect(try family.status(.update("1.0"))["status"] == "denied")
    let refusal = #expect(throws: CallError.self) { try vote(question, "approve", by: 1) }
    #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
  }

  @Test func `guardians give together what each of them gives`() throws {
    let question = try family.question(talk)
    let until = try family.advance(0) + Family.day
    _ = try vote(question, "approveUntil", by: 0, ["untilUSec": .integer(until)])
    let items: JSONObject = ["items": [["handle": "Ann", "action": "message"]]]
    let decision = try vote(question, "approve", by: 1, items).member("decision")
    #expect(decision["choice"] == "approveUntil")
    #expect(decision["state"] == "approved" && decision["reason"] == "narrowed")
    #expect(["ask", "askLater"].contains { decision["nextAction"] == .string($0) })
    #expect(try family.status(.talk(with: ["Ann"]))["untilUSec"] == .integer(until))
    let status = try family.status(talk)
    #expect(status["status"] == "limited" && status["reason"] == "narrowed")
  }

  @Test func `guardians who give nothing in common have denied it`() throws {
    let question = try family.question(talk)
    _ = try vote(question, "approve", by: 0, ["items": [["handle": "Ann", "action": "message"]]])
    let decision = try vote(question, "approve", by: 1, ["items": [["handle": "Ann", "action": "videoCall"]]])
      .member("decision")
    #expect(decision["state"] == "denied" && decision["reason"] == "disagreed" && decision["grant"] == nil)
  }

  @Test func `a guardian who goes takes the vote along, and the votes that are left may be enough`() throws {
    let (one, two) = try (family.question(.update("1.0")), family.question(talk))
    _ = try vote(one, "approve", by: 0)
    _ = try vote(two, "approve", by: 1)
    let waiter = try family.waiter(for: one)
    try family.desk.administration(
      "RemoveGuardian", ["person": .string(Family.person), "guardian": .string(VotingTests.guardians[1])])
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(try family.status(.update("1.0"))["status"] == "approved")
    #expect(try family.look(two)["state"] == "pending")
    #expect(try family.card(two)["votes"] == ["have": 0, "need": 1])
    #expect(try vote(two, "approve", by: 0)["state"] == "approved")
  }

  @Test func `where the last guardian goes nothing is decided by nobody`() throws {
    let (voted, fresh) = try (family.question(.update("1.0")), family.question(talk))
    _ = try vote(voted, "approve", by: 1)
    for guardian in VotingTests.guardians {
      try family.desk.administration(
        "RemoveGuardian", ["person": .string(Family.person), "guardian": .string(guardian)])
    }
    // The first to go left the vote of the other, which was enough.
    #expect(try family.look(voted)["state"] == "approved")
    #expect(try family.look(fresh)["state"] == "pending")
    let refusal = #expect(throws: CallError.self) { try family.ask(.update("9.0")) }
    #expect(refusal?.parameters["reason"] == "noGuardian")
  }

  @Test func `one guardian's word is enough from the moment the rule says so`() throws {
    let question = try family.question(.update("1.0"))
    let waiter = try family.waiter(for: question)
    _ = try vote(question, "approve", by: 0)
    try set("any")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(try family.responses().backlog().compactMap { $0["event"]?.string } == ["asked", "decided", "granted"])
  }

  @Test func `votes die with their question, and outlive a kill before that`() throws {
    let question = try family.question(.update("1.0"), ["expiresInUSec": .integer(2 * Family.hour)])
    _ = try vote(question, "approve", by: 0)
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.card(question)["votes"] == ["have": 1, "need": 2])
    try family.advance(3 * Family.hour)
    let refusal = #expect(throws: CallError.self) { try vote(question, "approve", by: 1) }
    #expect(refusal?.parameters["state"] == "expired")
    let next = try family.question(.update("1.0"))
    #expect(try family.card(next)["votes"] == ["have": 0, "need": 2])
  }
}
