// SPDX-License-Identifier: Apache-2.0
//
// Nobody is nagged: cool-downs and the day's budget, on a daemon that has them; what a fresh key cannot get around, what
// outlives a kill, and that a wait over is a way to ask again. Rows 10, 11, 14, 15 and 16 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct MannersTests {
  private let family: Family
  private let topic = JSONObject.resource()

  init() throws {
    let manners = "{coolDowns: {afterDenialSec: [14400, 86400, 604800], afterLapseSec: 3600, newQuestionsPerDay: 10}}"
    family = try Family(daemon: .sandbox(configuration: manners))
  }

  /// Until when an ask is refused; fails where it is not.
  private func refused(_ topic: JSONObject, _ others: JSONObject = [:]) throws -> Int64 {
    let refusal = #expect(throws: CallError.self) { try family.ask(topic, others) }
    #expect(refusal?.name == "\(Interface.permission).CoolingDown")
    return try refusal?.parameters.number("untilUSec") ?? 0
  }

  @Test func `after a no and its time a new ask is a new question, and before that no key helps`() throws {
    var asked: Set<String> = []
    for hours: Int64 in [4, 24, 168, 168] {
      let question = try family.question(topic)
      let decision = try family.answer(question, "deny").member("decision")
      let until = try decision.number("decidedAtUSec") + hours * Family.hour
      #expect(decision["nextAction"] == "askLater")
      #expect(try refused(topic) == until)
      for key in ["one", "two"] { #expect(try refused(topic, ["key": .string(key)]) == until) }
      #expect(try refused(topic, ["app": "org.example.Other"]) == until)
      let status = try family.status(topic)
      #expect(status["status"] == "denied" && status["nextAction"] == "askLater")
      #expect(status["untilUSec"] == .integer(until))
      try family.daemon.kill()
      try family.startAgain()
      #expect(try refused(topic) == until)
      try family.advance(hours * Family.hour)
      #expect(try family.status(topic)["nextAction"] == "ask")
      #expect(try family.look(question)["nextAction"] == "ask")
      asked.insert(question)
    }
    #expect(asked.count == 4)
    try family.answer(family.question(topic), "approveOnce")
    let decision = try family.answer(family.question(topic), "deny").member("decision")
    #expect(try refused(topic) == decision.number("decidedAtUSec") + 4 * Family.hour)
  }

  @Test func `an ask that is refused leaves no trace`() throws {
    try family.answer(family.question(topic), "deny")
    let events = try family.responses().backlog()
    for _ in 0..<20 { _ = try refused(topic, ["key": "again"]) }
    #expect(try family.responses().backlog() == events)
    #expect(try family.statistics()["openQuestions"] == 0)
    try family.advance(4 * Family.hour)
    #expect(try family.ask(topic, ["key": "again"])["joined"] == false)
  }

  @Test func `a question that ran out is no denial, and may be asked again in an hour`() throws {
    let question = try family.question(topic, ["expiresInUSec": .integer(Family.hour)])
    let deadline = try family.ask(topic, ["expiresInUSec": .integer(Family.hour)]).number("expiresAtUSec")
    let waiter = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    try family.advance(deadline - family.advance(0) + 1_000)
    let told = try waiter.receiveAnswer()
    #expect(["expired", "pending"].contains { told["state"] == .string($0) })
    let status = try family.status(topic)
    #expect(status["status"] == "notDetermined" && status["nextAction"] == "askLater")
    #expect(try refused(topic) == deadline + Family.hour)
    let events = try family.responses().backlog()
    #expect(events.map { $0["event"] } == ["asked", "expired"])
    try family.advance(Family.hour)
    #expect(try family.ask(topic)["state"] == "pending")
  }

  @Test func `what ran out while the daemon was away has run out when it is back`() throws {
    let question = try family.question(topic, ["expiresInUSec": .integer(Family.hour)])
    try family.daemon.kill()
    try family.startAgain()
    try family.advance(2 * Family.hour)
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.look(question)["state"] == "expired")
    #expect(try family.responses().backlog().map { $0["event"] } == ["asked", "expired"])
    #expect(try family.ask(topic)["state"] == "pending")
  }

  @Test func `a late yes is refused, gives nothing, and consentctl says that the app may ask again`() throws {
    let question = try family.question(topic, ["expiresInUSec": .integer(Family.hour)])
    try family.advance(2 * Family.hour)
    let refusal = #expect(throws: CallError.self) { try family.answer(question, "approve") }
    #expect(refusal?.parameters["state"] == "expired")
    let outcome = try family.consentctl("approve", question)
    #expect(outcome.exit != .status(0))
    #expect(outcome.errors.contains("ask again"))
    #expect(try family.desk.guardian("ListGrants").list("grants").isEmpty)
    #expect(try family.responses().backlog().map { $0["event"] } == ["asked", "expired"])
  }

  @Test func `the day's questions are counted over all apps without an entry, and a name more gives no more`() throws {
    let start = try family.advance(0)
    for number in 0..<10 {
      try family.ask(.resource("org.example.r\(number)"), ["app": .string("org.example.App\(number)")])
      try family.advance(Family.hour)
    }
    let until = try refused(.resource("org.example.more"), ["app": "org.example.Fresh"])
    #expect((start...start + Family.hour).contains(until - Family.day))
    #expect(try family.ask(.resource("org.example.r1"), ["app": "org.example.App1"])["joined"] == true)
    try family.advance(until - family.advance(0))
    #expect(try family.ask(.resource("org.example.more"), ["app": "org.example.Fresh"])["state"] == "pending")
    #expect(try refused(.resource("org.example.yetMore")) > until)
  }

  @Test func `a withdrawal nobody saw costs nothing, one that was seen an hour`() throws {
    for _ in 0..<3 {
      try family.app.permission("Withdraw", ["question": .string(try family.question(topic))])
    }
    let question = try family.question(topic)
    _ = try family.card(question)
    let now = try family.advance(0)
    try family.app.permission("Withdraw", ["question": .string(question)])
    #expect((0...60_000_000).contains(try refused(topic) - now - Family.hour))
  }

  @Test func `one reminder comes at half the life of a short question, and none of one that ended`() throws {
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let question = try family.question(topic, ["expiresInUSec": .integer(10 * Family.hour)])
    let other = try family.question(.resource("org.example.other"), ["expiresInUSec": .integer(10 * Family.hour)])
    for _ in 0..<2 { _ = try watch.next(change: "added") }
    try family.answer(other, "deny")
    _ = try watch.next(change: "removed")
    try family.advance(6 * Family.hour)
    let reminder = try watch.next(change: "reminder")
    #expect(try reminder.member("question")["question"] == .string(question))
    try family.advance(5 * Family.hour)
    let removed = try watch.next(change: "removed")
    #expect(removed["reason"] == "expired")
  }

  @Test func `only the daemon's clock decides: a caller that stops waiting ends nothing, one that waits on is told`()
    throws
  {
    let question = try family.question(topic, ["expiresInUSec": .integer(2 * Family.hour)])
    let short = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour / 2)])
    try family.advance(Family.hour)
    #expect(try short.receiveAnswer()["state"] == "pending")
    #expect(try family.look(question)["state"] == "pending")
    let long = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    try family.advance(Family.hour + 1_000_000)
    let states = try [long.receiveAnswer()["state"], family.look(question)["state"]]
    #expect(states.last == "expired")
    #expect(states.first == "expired" || states.first == "pending")
  }

  @Test func `an end in the past of the daemon's clock is refused`() throws {
    let question = try family.question(.talk(with: ["Ann"]))
    let now = try family.advance(10 * Family.day)
    let refusal = #expect(throws: CallError.self) {
      try family.answer(question, "approveUntil", ["untilUSec": .integer(now - Family.day)])
    }
    #expect(refusal?.parameters["field"] == "untilUSec")
    #expect(try family.look(question)["state"] == "pending")
  }
}
