// SPDX-License-Identifier: Apache-2.0
//
// A crash between any two steps of what changes several things at once: a change that takes another's place, the
// answer that ends a vote, a grant that is taken back. The daemon is killed at many moments after the call was sent;
// after each, all of it is there or nothing is, whoever was told was told the truth, and the same call again comes to
// the same end.

import Glibc
import StrictJSON
import TestSupport
import Testing

@Suite struct CrashBetweenStepsTests {
  private static let rounds = 40
  private static let guardians = ["uid:5000", "uid:5002"]
  private let family: Family

  init() throws {
    family = try Family(guardians: CrashBetweenStepsTests.guardians)
  }

  /// Sends a call and kills the daemon so many microseconds later; started again, it gives the reply where one came.
  private func crash(_ client: TestClient, _ method: String, _ call: JSONObject, after span: Int64) throws
    -> JSONObject?
  {
    try client.send(method, call)
    let end = ContinuousClock.now.advanced(by: .microseconds(span))
    while ContinuousClock.now < end {}
    try family.daemon.kill()
    let reply = try? client.receive()
    try family.startAgain()
    if let error = reply?.error { throw CallError(error, reply?.parameters ?? [:]) }
    return reply?.parameters
  }

  /// The moments to crash at: from before the call is read to after it is answered.
  private func moments(seed: UInt64, untilAfter call: () throws -> Void) throws -> [Int64] {
    let start = ContinuousClock.now
    try call()
    let time = start.duration(to: .now).components.attoseconds / 1_000_000_000_000
    var chance = SeededGenerator(seed: seed)
    return (0..<CrashBetweenStepsTests.rounds).map { _ in Int64.random(in: 0...max(time * 3 / 2, 200), using: &chance) }
  }

  /// What happened to each question and grant, in order.
  private func stories(_ app: JSON) throws -> [String: [String]] {
    let events = try family.responses(["after": 0, "app": app]).backlog()
    let sequences = try events.map { try $0.number("sequence") }
    #expect(sequences == (0..<events.count).map { Int64($0 + 1) })
    return try events.reduce(into: [:]) { stories, event in
      stories[try event.text("question"), default: []].append(try event.text("event"))
    }
  }

  @Test func `a change takes the place of the open one wholly or not at all`() throws {
    let moments = try moments(seed: 1) { try family.ask(.update("first"), ["app": "org.example.First"]) }
    var outcomes: Set<Bool> = []
    for (round, moment) in moments.enumerated() {
      let app: JSONObject = ["app": .string("org.example.App\(round)")]
      let first = try family.question(.update("1.0"), app)
      let call = family.asking(.update("2.0"), app.with(["key": "two"]))
      let told = try crash(family.app, "\(Interface.permission).Ask", call, after: moment)
      let before = try family.look(first)
      let isDone = before["state"] == "superseded"
      outcomes.insert(isDone)
      if let told { #expect(isDone && before["successor"] == told["question"]) }
      let again = try family.app.permission("Ask", call)
      #expect(again["joined"] == .bool(isDone))
      let second = try again.text("question")
      #expect(try family.look(first)["successor"] == .string(second))
      #expect(try family.card(second).member("topic").list("earlier").map { $0["change"] } == ["1.0"])
      let stories = try stories(app["app"] ?? "")
      #expect(stories == [first: ["asked", "superseded"], second: ["asked", "delivered"]])
      try family.answer(second, "approve")
      for change in ["1.0", "2.0"] { #expect(try family.status(.update(change), app)["status"] == "approved") }
    }
    #expect(outcomes == [true, false], "every crash came too early or too late")
  }

  @Test func `the answer that ends a vote counts with everything it gives or not at all`() throws {
    try family.desk.guardian(
      "ChangeSetting", ["person": .string(Family.person), "setting": "guardianRule", "value": "all"])
    let trial = try family.question(.talk(with: ["Ann"]), ["app": "org.example.First"])
    let moments = try moments(seed: 2) { try family.answer(trial, "approve") }
    var outcomes: Set<Bool> = []
    for (round, moment) in moments.enumerated() {
      let app: JSONObject = ["app": .string("org.example.App\(round)")]
      let question = try family.question(.talk(with: ["Ann"]), app)
      #expect(try family.answer(question, "approve")["state"] == "pending")
      let last: JSONObject = ["question": .string(question), "choice": "approve", "guardian": "uid:5002"]
      let told = try crash(family.desk, "\(Interface.guardian).Answer", last, after: moment)
      let isDone = try family.look(question)["state"] == "approved"
      outcomes.insert(isDone)
      if told != nil { #expect(isDone) }
      #expect(try stories(app["app"] ?? "")[question] == (isDone ? ["asked", "decided", "granted"] : ["asked"]))
      #expect(try family.status(.talk(with: ["Ann"]), app)["status"] == (isDone ? "approved" : "pending"))
      let decision = try family.desk.guardian("Answer", last).member("decision")
      #expect(decision["state"] == "approved")
      #expect(try stories(app["app"] ?? "")[question] == ["asked", "decided", "granted"])
      #expect(try family.status(.talk(with: ["Ann"]), app)["grant"] == decision["grant"])
    }
    #expect(outcomes == [true, false], "every crash came too early or too late")
  }

  @Test func `a grant is taken back with its event or not at all`() throws {
    let trial = try family.question(.talk(with: ["Ann"]), ["app": "org.example.First"])
    let grant = try family.answer(trial, "approve").member("decision")["grant"] ?? ""
    let moments = try moments(seed: 3) { try family.desk.guardian("Revoke", ["grant": grant]) }
    var outcomes: Set<Bool> = []
    for (round, moment) in moments.enumerated() {
      let app: JSONObject = ["app": .string("org.example.App\(round)")]
      let question = try family.question(.talk(with: ["Ann"]), app)
      let grant = try family.answer(question, "approve").member("decision")["grant"] ?? ""
      let told = try crash(family.desk, "\(Interface.guardian).Revoke", ["grant": grant], after: moment)
      let isDone = try family.status(.talk(with: ["Ann"]), app)["status"] == "denied"
      outcomes.insert(isDone)
      if told != nil { #expect(isDone) }
      let story = ["asked", "decided", "granted"]
      #expect(try stories(app["app"] ?? "")[question] == story + (isDone ? ["revoked"] : []))
      let again = try family.desk.guardian("Revoke", ["grant": grant]).list("grants")
      #expect(again.count == (isDone ? 0 : 1))
      #expect(try stories(app["app"] ?? "")[question] == story + ["revoked"])
      #expect(try family.status(.talk(with: ["Ann"]), app)["reason"] == "revoked")
    }
    #expect(outcomes == [true, false], "every crash came too early or too late")
  }
}
