// SPDX-License-Identifier: Apache-2.0
//
// An ask's key: a retry gives the same question, open or ended, for 48 hours.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct AskKeyTests {
  let world: World
  let question: QuestionID

  init() throws {
    world = try .family()
    question = try world.question(key: "k")
  }

  @Test func `the same key and topic give the same open question`() throws {
    let again = try world.ask(.of(key: "k")).standing()
    #expect(again.decision.question == question)
    #expect(again.joined)
    #expect(try world.kinds() == [.asked])
  }

  @Test func `a retry does not move the deadline`() throws {
    world.clock.pass(Span.hour)
    let again = try world.ask(.of(key: "k")).standing()
    #expect(again.expiresAt == ManualClock.start.adding(usec: 30 * Span.day))
  }

  @Test(arguments: ["approve", "deny"])
  func `the same key gives the ended question too`(choice: String) throws {
    let decision = try world.answer(.of(question, choice)).decision
    let again = try world.ask(.of(key: "k")).standing()
    #expect(again.decision.question == question)
    #expect(again.decision.state == decision.state)
    #expect(again.decision.ending?.choice == choice)
    #expect(try world.broker.statistics().openQuestions == 0)
  }

  @Test func `a withdrawn question comes back by its key, and a new ask makes a new one`() throws {
    try world.withdraw(question)
    #expect(try world.ask(.of(key: "k")).standing().decision.state == .withdrawn)
    #expect(try world.question(key: "other") != question)
  }

  @Test func `a key that stands for another topic is refused and changes nothing`() throws {
    #expect(throws: Refusal.keyConflict) { try world.ask(.of(.update("2.1"), key: "k")) }
    #expect(throws: Refusal.keyConflict) { try world.ask(.of(.update("2.0", "Other words"), key: "k")) }
    #expect(try world.look(question).state == .pending)
    #expect(try world.kinds() == [.asked])
  }

  @Test func `a key belongs to one asker and one person`() throws {
    try world.enrol(.leo)
    #expect(try world.question(.update("2.1"), by: .game, key: "k") != question)
    #expect(try world.question(.update("2.1"), about: .leo, key: "k") != question)
  }

  @Test func `keys that only look alike are different`() throws {
    #expect(try world.question(.update("2.1"), key: "K") != question)
  }

  @Test func `a key is forgotten after 48 hours, to the microsecond`() throws {
    try world.withdraw(question)
    world.clock.pass(48 * Span.hour - 1)
    #expect(try world.question(key: "k") == question)
    world.clock.pass(1)
    #expect(try world.question(.update("2.1"), key: "k") != question)
  }

  @Test func `a key that joins an open question stands for it`() throws {
    #expect(try world.question(key: "joined") == question)
    try world.withdraw(question)
    #expect(try world.question(key: "joined") == question)
  }

  @Test func `a key counts before everything else`() throws {
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    let again = try world.ask(.of(key: "k")).standing()
    #expect(again.decision.question == question)
    #expect(again.decision.state == .moot)
    #expect(throws: Refusal.notAvailable(reason: .noGuardian, retryable: false)) { try world.ask(.of()) }
  }

  @Test func `a retry after a crash finds what was put`() throws {
    let after = try world.afterCrash()
    #expect(try after.question(key: "k") == question)
  }
}
