// SPDX-License-Identifier: Apache-2.0
//
// Two guardians at once, each of whom approves, denies or takes back, one before the other or at the same instant, a
// thousand times under each rule: every question ends once, whoever came too late is told, and what the replies, the
// waiting app, the status and the events say is one story. Rows 12 and 13 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct TwoGuardiansTests {
  private static let guardians = ["uid:5000", "uid:5002"]
  private static let deeds = ["approve", "deny", "revoke"]
  private static let slots = 12

  /// One question, and what two guardians do about it.
  private struct Race {
    let app: String
    let topic: JSONObject
    let question: String
    let deeds: [String]
    /// Who is heard first, and whether the other waits for that.
    let order: [Int]
    let isAtOnce: Bool
    var replies: [ServerReply?] = [nil, nil]

    func isAnswer(_ place: Int) -> Bool { deeds[place] != "revoke" }

    var won: [ServerReply] { (0...1).filter { isAnswer($0) }.compactMap { replies[$0] }.filter { $0.error == nil } }
    var lost: [ServerReply] { (0...1).filter { isAnswer($0) }.compactMap { replies[$0] }.filter { $0.error != nil } }
    /// The replies that ended the question.
    var endings: [ServerReply] { won.filter { $0.parameters["state"] != "pending" } }
    /// The grants that were taken back.
    var revoked: [String] {
      (0...1).filter { !isAnswer($0) }.compactMap { replies[$0] }
        .flatMap { (try? $0.parameters.list("grants").map { try $0.text("grant") }) ?? [] }
    }
  }

  private let family: Family
  private let desks: [TestClient]
  private let apps: [TestClient]

  init() throws {
    let family = try Family(guardians: TwoGuardiansTests.guardians)
    self.family = family
    desks = try [family.daemon.guardians(), family.daemon.guardians()]
    apps = try (0..<TwoGuardiansTests.slots).map { _ in try family.daemon.apps() }
  }

  @Test(arguments: ["any", "all"])
  func `two guardians in a thousand races make one story of each`(rule: String) throws {
    try family.desk.guardian(
      "ChangeSetting", ["person": .string(Family.person), "setting": "guardianRule", "value": .string(rule)])
    var number = 0
    while number < 1_000 {
      var races = try start(number)
      for place in races.indices { try run(&races[place]) }
      for (slot, race) in races.enumerated() { try check(race, rule, told: try apps[slot].receive()) }
      number += races.count
    }
    #expect(try family.statistics()["openQuestions"] == 0)
    #expect(try family.statistics()["waiters"] == 0)
  }

  /// Asks in every slot, each on a connection that waits.
  private func start(_ number: Int) throws -> [Race] {
    let races = (0..<TwoGuardiansTests.slots).map { slot in
      let turn = number + slot
      return (
        app: "org.example.Slot\(slot)", topic: JSONObject.resource("org.example.r\(turn)"),
        deeds: [TwoGuardiansTests.deeds[turn % 3], TwoGuardiansTests.deeds[turn / 3 % 3]], mode: turn / 9 % 4
      )
    }
    for (slot, race) in races.enumerated() {
      try apps[slot].send(
        "\(Interface.permission).Request", family.asking(race.topic, ["app": .string(race.app)]))
    }
    try family.settle(waiters: Int64(races.count))
    return try races.map { race in
      let open = try family.desk.guardian("ListQuestions", ["app": .string(race.app)]).list("questions")
      try #require(open.count == 1)
      return Race(
        app: race.app, topic: race.topic, question: try open[0].text("question"), deeds: race.deeds,
        order: race.mode % 2 == 0 ? [0, 1] : [1, 0], isAtOnce: race.mode < 2)
    }
  }

  private func run(_ race: inout Race) throws {
    for place in race.order {
      try send(race, place)
      if !race.isAtOnce { race.replies[place] = try desks[place].receive() }
    }
    guard race.isAtOnce else { return }
    for place in race.order { race.replies[place] = try desks[place].receive() }
  }

  private func send(_ race: Race, _ place: Int) throws {
    guard race.isAnswer(place) else {
      return try desks[place].send(
        "\(Interface.guardian).Revoke", ["person": .string(Family.person), "app": .string(race.app)])
    }
    try desks[place].send(
      "\(Interface.guardian).Answer",
      [
        "question": .string(race.question), "choice": .string(race.deeds[place]),
        "guardian": .string(TwoGuardiansTests.guardians[place]),
      ])
  }

  private func check(_ race: Race, _ rule: String, told: @autoclosure () throws -> ServerReply?) throws {
    let answers = (0...1).filter { race.isAnswer($0) }.map { race.deeds[$0] }
    if let ending = race.endings.first {
      #expect(race.endings.count == 1)
      let state = ending.parameters["state"]
      for reply in race.lost {
        #expect(reply.error == "\(Interface.guardian).AlreadyDecided")
        #expect(reply.parameters["state"] == state)
      }
      let waiter = try #require(try told())
      #expect(waiter.error == nil && waiter.parameters["state"] == state)
      #expect(waiter.parameters["decidedAtUSec"] == (try ending.parameters.member("decision"))["decidedAtUSec"])
      try checkEnd(race, state: state, grant: try ending.parameters.member("decision")["grant"]?.string)
    } else {
      #expect(race.lost.isEmpty && race.revoked.isEmpty)
      #expect(rule == "all" ? !answers.contains("deny") && answers.count < 2 : answers.isEmpty)
      try family.app.permission("Withdraw", ["question": .string(race.question)])
      #expect(try told()?.parameters["state"] == "withdrawn")
    }
    if rule == "any" { #expect(race.won.count == min(answers.count, 1)) }
    if answers == ["approve", "approve"] { #expect(race.endings.first?.parameters["state"] == "approved") }
    if rule == "all" && answers.contains("deny") { #expect(race.endings.first?.parameters["state"] == "denied") }
  }

  /// Status and events of a question that ended, and of the grant it gave.
  private func checkEnd(_ race: Race, state: JSON?, grant: String?) throws {
    let app: JSONObject = ["app": .string(race.app)]
    #expect((grant != nil) == (state == "approved"))
    #expect(race.revoked.isEmpty || race.revoked == [grant])
    let status = try family.status(race.topic, app)
    let isRevoked = !race.revoked.isEmpty
    #expect(status["status"] == (isRevoked ? "denied" : state))
    #expect(status["reason"] == (isRevoked ? "revoked" : nil))
    var story = ["asked", "delivered", "decided"]
    if grant != nil { story.append("granted") }
    if isRevoked { story.append("revoked") }
    let stream = try family.responses(app)
    let events = try stream.backlog()
    stream.client.close()
    #expect(try events.filter { $0["question"]?.string == race.question }.map { try $0.text("event") } == story)
    let last: JSONObject = ["sequence": events.last?["sequence"] ?? 0, "person": .string(Family.person)]
    try family.app.permission("Acknowledge", app.with(last))
    if grant != nil, !isRevoked { try family.desk.guardian("Revoke", ["grant": .string(grant ?? "")]) }
  }
}
