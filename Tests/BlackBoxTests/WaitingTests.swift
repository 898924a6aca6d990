// SPDX-License-Identifier: Apache-2.0
//
// Waiting: a wait and a question are different things. Every wait ends, by the answer or by its own timeout; a timeout
// is no denial; who leaves ends nothing for the others. Rows 3, 5, 9 and 20 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct WaitingTests {
  @Test func `a waiting caller goes on with the answer`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<3).map { _ in try family.waiter(for: question) }
    let reply = try family.answer(question, "deny")
    #expect(reply["waitersResumed"] == 3)
    for waiter in waiters {
      let decision = try waiter.receiveAnswer()
      #expect(decision["state"] == "denied")
      #expect(decision["decidedAtUSec"] == (try reply.member("decision"))["decidedAtUSec"])
    }
    #expect(try family.statistics()["waiters"] == 0)
  }

  @Test func `an answer on one topic wakes nobody on another`() throws {
    let family = try Family()
    let one = try family.waiter(for: family.question(.update("2.0")))
    let other = try family.question(.resource())
    let two = try family.waiter(for: other)
    #expect(try family.answer(other, "approve")["waitersResumed"] == 1)
    #expect(try two.receiveAnswer()["state"] == "approved")
    #expect(try family.statistics()["waiters"] == 1)
    #expect(one.isQuiet)
  }

  @Test func `a wait of no time looks and goes`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let look = try family.look(question)
    #expect(look["state"] == "pending")
    #expect(look["nextAction"] == "wait")
    #expect(look["topicKey"] == "significantUpdate/2.0")
    #expect(look["decidedAtUSec"] == nil)
    let request = try family.app.permission("Request", family.asking(.update("2.0"), ["timeoutUSec": 0]))
    #expect(request["state"] == "pending")
    #expect(try family.statistics()["waiters"] == 0)
  }

  @Test func `a wait without a timeout of its own is pending after thirty seconds`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    let requester = try family.requester(.resource())
    try family.advance(29_000_000)
    #expect(try family.statistics()["waiters"] == 2)
    #expect(waiter.isQuiet && requester.isQuiet)
    try family.advance(2_000_000)
    #expect(try waiter.receiveAnswer()["state"] == "pending")
    #expect(try requester.receiveAnswer()["state"] == "pending")
    #expect(try family.statistics()["waiters"] == 0)
    #expect(try family.statistics()["openQuestions"] == 2)
  }

  @Test func `a wait lasts an hour at most and keeps its own time`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let long = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    let short = try family.waiter(for: question, ["timeoutUSec": 1_000_000])
    try family.advance(2_000_000)
    #expect(try short.receiveAnswer()["state"] == "pending")
    #expect(long.isQuiet)
    try family.advance(Family.hour)
    #expect(try long.receiveAnswer()["state"] == "pending")
  }

  @Test func `a wait of a moment ends by itself`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let reply = try family.app.permission("Await", ["question": .string(question), "timeoutUSec": 20_000])
    #expect(reply["state"] == "pending")
  }

  @Test func `a question that has ended answers a wait at once`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    try family.answer(question, "approve")
    #expect(try family.app.permission("Await", ["question": .string(question)])["state"] == "approved")
  }

  @Test func `the deadline of a question ends it for those who wait`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"), ["expiresInUSec": .integer(Family.hour)])
    let watch = try family.watch()
    #expect(try watch.backlog().count == 1)
    try family.advance(Family.hour / 2)
    let waiter = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    try family.advance(Family.hour / 2 - 60_000_000)
    #expect(waiter.isQuiet)
    try family.advance(120_000_000)
    let decision = try waiter.receiveAnswer()
    #expect(decision["state"] == "expired")
    #expect(decision["choice"] == nil)
    #expect(decision["decidedBy"] == nil)
    #expect(try watch.next(change: "reminder")["question"] != nil)
    #expect(try watch.next(change: "removed")["reason"] == "expired")
  }

  @Test func `a withdrawal ends the question for everybody`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let watch = try family.watch()
    #expect(try watch.backlog().count == 1)
    let waiter = try family.waiter(for: question)
    let reply = try family.app.permission("Withdraw", ["question": .string(question)])
    #expect(reply["state"] == "withdrawn")
    #expect(reply["nextAction"] == "ask")
    #expect(try waiter.receiveAnswer()["state"] == "withdrawn")
    #expect(try watch.next(change: "removed")["reason"] == "withdrawn")
    #expect(try family.status(.update("2.0"))["status"] == "notDetermined")
    let refusal = #expect(throws: CallError.self) { try family.answer(question, "approve") }
    #expect(refusal?.parameters["state"] == "withdrawn")
  }

  @Test func `a withdrawal changes nothing about a question that has ended`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    try family.answer(question, "approve")
    let reply = try family.app.permission("Withdraw", ["question": .string(question)])
    #expect(reply["state"] == "approved")
    #expect(reply["nextAction"] == "proceed")
    #expect(try family.status(.update("2.0"))["status"] == "approved")
  }

  @Test func `a caller that hangs up leaves the others waiting and the question open`() throws {
    let family = try Family()
    let first = try family.question(.update("2.0"))
    let other = try family.question(.resource())
    let leaver = try family.waiter(for: first)
    let sameTopic = try family.waiter(for: first)
    let otherTopic = try family.waiter(for: other)
    leaver.close()
    try family.settle(waiters: 2)
    #expect(try family.statistics()["openQuestions"] == 2)
    #expect(sameTopic.isQuiet && otherTopic.isQuiet)
    #expect(try family.answer(first, "approve")["waitersResumed"] == 1)
    #expect(try sameTopic.receiveAnswer()["state"] == "approved")
    #expect(try family.answer(other, "deny")["waitersResumed"] == 1)
    #expect(try otherTopic.receiveAnswer()["state"] == "denied")
  }

  @Test func `the asker itself may leave and come back to the same question`() throws {
    let family = try Family()
    let requester = try family.requester(.update("2.0"))
    requester.close()
    try family.settle(waiters: 0)
    let back = try family.ask(.update("2.0"))
    #expect(back["joined"] == true)
    #expect(back["state"] == "pending")
  }

  @Test func `a thousand callers that leave at once leave nothing behind`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    for _ in 0..<1_000 {
      let caller = try family.daemon.apps()
      try caller.send("\(Interface.permission).Await", ["question": .string(question)])
      caller.close()
    }
    for _ in 0..<3 { try family.daemon.apps().call("\(Interface.service).GetInfo") }
    try family.settle(waiters: 0)
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.answer(question, "approve")["waitersResumed"] == 0)
  }

  @Test func `eight topics are answered in the reverse order, and one that never is hinders none`() throws {
    let family = try Family()
    let never = try family.requester(.resource("org.example.never"))
    let requesters = try (0..<8).map { try family.requester(.resource("org.example.r\($0)")) }
    let questions = try family.desk.guardian("ListQuestions").list("questions").dropFirst()
    #expect(questions.count == 8)
    for (number, card) in questions.enumerated().reversed() {
      let choice = number % 2 == 0 ? "approve" : "deny"
      #expect(try family.answer(card.text("question"), choice)["waitersResumed"] == 1)
      let reply = try requesters[number].receiveAnswer()
      #expect(reply["topicKey"] == .string("resource/org.example.r\(number)"))
      #expect(reply["choice"] == .string(choice))
    }
    #expect(never.isQuiet)
    #expect(try family.statistics()["waiters"] == 1)
  }
}
