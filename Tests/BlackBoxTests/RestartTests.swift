// SPDX-License-Identifier: Apache-2.0
//
// Ends: what a kill leaves behind, how fast a stop is with many callers parked, and that nothing which was told is ever
// taken back. Rows 6 and 8 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct RestartTests {
  @Test func `after a kill the open question has the same id and takes the answer`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let card = try family.card(question)
    let waiter = try family.waiter(for: question)
    try family.daemon.kill()
    #expect(try waiter.receive() == nil)
    try family.startAgain()
    #expect(try family.card(question) == card)
    let back = try family.waiter(for: question)
    #expect(try family.answer(question, "approve", ["contentHash": card["contentHash"] ?? ""])["waitersResumed"] == 1)
    #expect(try back.receiveAnswer()["state"] == "approved")
  }

  @Test func `after a kill a decision and its grant stand`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    try family.answer(question, "approve")
    let decision = try family.look(question)
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.look(question) == decision)
    #expect(try family.ask(.update("2.0"))["grant"] == decision["grant"])
    #expect(try family.answer(question, "approve")["state"] == "approved")
  }

  @Test func `people, ages, the clock and the key of a handle outlive a kill`() throws {
    let family = try Family(born: "2014-03-05")
    let people = try family.desk.administration("ListPeople")
    let question = try family.ask(.talk(with: ["Ann"]))
    let now = try family.advance(10 * Family.day)
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.desk.administration("ListPeople") == people)
    let again = try family.ask(.talk(with: ["Ann"]))
    #expect(again["question"] == question["question"])
    #expect(again["topicKey"] == question["topicKey"])
    #expect(try family.advance(0) - now < Family.hour)
    #expect(try family.advance(0) >= now)
    #expect(try family.app.ageRange("GetAgeRange", ["person": .string(Family.person)])["sharing"] == "shared")
  }

  @Test func `a stop with five hundred parked callers takes less than two seconds and ends no question`() throws {
    let family = try Family()
    let questions = try (0..<50).map { try family.question(.own("change-\($0)")) }
    let waiters = try (0..<500).map { number in
      let waiter = try family.daemon.apps()
      let question = questions[number % questions.count]
      try waiter.send("\(Interface.permission).Await", ["question": .string(question), "timeoutUSec": 3_600_000_000])
      return waiter
    }
    try family.settle(waiters: 500)
    let ending = try family.daemon.stop()
    #expect(ending.exit == .status(0))
    #expect(ending.time < .seconds(2))
    for waiter in waiters { #expect(try waiter.receive() == nil) }
    try family.startAgain()
    #expect(try family.statistics()["openQuestions"] == 50)
    for question in questions { #expect(try family.look(question)["state"] == "pending") }
    #expect(try family.answer(questions[7], "approve")["state"] == "approved")
  }

  @Test func `a stop ends the streams`() throws {
    let family = try Family()
    let streams = try [family.responses(), family.watch()]
    for stream in streams { #expect(try stream.backlog() == []) }
    #expect(try family.daemon.stop().exit == .status(0))
    for stream in streams { #expect(try stream.client.receive() == nil) }
  }

  @Test func `a daemon starts on the sockets a killed one left`() throws {
    let family = try Family()
    let people = try family.desk.administration("ListPeople")
    for _ in 0..<3 {
      try family.daemon.kill()
      try family.startAgain()
    }
    #expect(try family.desk.administration("ListPeople") == people)
  }
}

@Suite struct KillTests {
  /// What the daemon promised before it was killed.
  private struct Promises {
    var asked: [String: String] = [:]
    var answered: [String: String] = [:]
  }

  @Test func `whatever was told before a kill is there after it`() throws {
    let family = try Family()
    var chance = SeededGenerator(seed: 9)
    var promises = Promises()
    for round in 0..<30 {
      try run(round, against: family, until: Int.random(in: 1...150, using: &chance), &promises)
      try family.daemon.kill()
      try family.startAgain()
      try check(promises, family)
    }
    #expect(promises.asked.count > 300)
    #expect(promises.answered.count > 100)
  }

  /// Eight clients ask and one answers, each with one call under way, until `limit` replies have come.
  private func run(_ round: Int, against family: Family, until limit: Int, _ promises: inout Promises) throws {
    let clients = try (0..<8).map { _ in try family.daemon.apps() }
    let desk = try family.daemon.guardians()
    var serial = 0
    var open: [String] = []
    var answering: String?
    func ask(_ client: TestClient) throws {
      serial += 1
      try client.send("\(Interface.permission).Ask", family.asking(.own("round-\(round)-\(serial)")))
    }
    func answerNext() throws {
      guard answering == nil, !open.isEmpty else { return }
      let question = open.removeFirst()
      answering = question
      let choice: JSON = serial % 2 == 0 ? "approve" : "deny"
      try desk.send("\(Interface.guardian).Answer", ["question": .string(question), "choice": choice])
    }
    for client in clients { try ask(client) }
    for _ in 0..<limit {
      let place = try TestClient.firstReadable(of: [desk] + clients)
      if place > 0 {
        let reply = try clients[place - 1].receiveAnswer()
        promises.asked[try reply.text("question")] = try reply.text("topicKey")
        open.append(try reply.text("question"))
        try ask(clients[place - 1])
      } else if let question = answering {
        promises.answered[question] = try desk.receiveAnswer().text("state")
        answering = nil
      }
      try answerNext()
    }
  }

  private func check(_ promises: Promises, _ family: Family) throws {
    for (question, topicKey) in promises.asked {
      let now = try family.look(question)
      #expect(now["topicKey"] == .string(topicKey))
      if let state = promises.answered[question] { #expect(now["state"] == .string(state)) }
    }
    let events = try family.responses(["after": 0]).backlog()
    #expect(try events.map { try $0.number("sequence") } == Array(1...Int64(events.count)))
    for kind in ["asked", "decided"] {
      let questions = events.filter { $0["event"] == .string(kind) }.compactMap { $0["question"]?.string }
      #expect(Set(questions).count == questions.count)
    }
  }
}
