// SPDX-License-Identifier: Apache-2.0
//
// The ends that no guardian makes: the asker takes the question back, or its time is up.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct EndingTests {
  let world: World

  init() throws {
    world = try .family()
  }

  @Test func `a question that is taken back is over for everybody`() throws {
    let question = try world.question()
    let waiting = world.wait(for: question)
    world.clock.pass(7)
    let decision = try world.withdraw(question)
    #expect(decision.state == .withdrawn)
    #expect(decision.nextAction == .ask)
    #expect(decision.ending == Decision.Ending(at: Instant(usec: ManualClock.start.usec + 7)))
    #expect(try waiting.get() == decision)
    #expect(try world.kinds() == [.asked, .withdrawn])
    #expect(throws: Refusal.alreadyDecided(state: .withdrawn, decidedAt: world.clock.now)) {
      try world.answer(.of(question))
    }
  }

  @Test func `a withdrawal is on disk before it is told`() throws {
    let question = try world.question()
    let waiting = world.wait(for: question)
    let call = world.start { [world] in try await world.broker.withdraw(question.description, asUID: 1001) }
    world.runJobs()
    #expect(try world.afterCrash().look(question).state == .pending)
    world.commit()
    world.runJobs()
    #expect(!call.isOver && !waiting.isOver)
    #expect(try world.afterCrash().look(question).state == .withdrawn)
    world.settle()
    #expect(try call.get().state == .withdrawn)
  }

  @Test func `a question is taken back by the uid that asked, by a prefix too, and by nobody else`() throws {
    let question = try world.question()
    for uid in [1000, 0, 1009] as [UserID] {
      #expect(throws: Refusal.unknownQuestion(question.description)) { try world.withdraw(question, asUID: uid) }
    }
    #expect(try world.look(question).state == .pending)
    let prefix = String(question.description.prefix(6))
    let decision = try world.run { [world] in try await world.broker.withdraw(prefix, asUID: 1001) }
    #expect(decision.state == .withdrawn)
  }

  @Test(arguments: ["approve", "deny"])
  func `a question that was answered stays answered`(choice: String) throws {
    let question = try world.question()
    let decision = try world.answer(.of(question, choice)).decision
    #expect(try world.withdraw(question).state == decision.state)
    #expect(try world.kinds(about: question).count { $0 == .decided } == 1)
    #expect(try !world.kinds().contains(.withdrawn))
  }

  @Test func `a question that is taken back twice ends once`() throws {
    let question = try world.question()
    let calls = (0..<3).map { _ in
      world.start { [world] in try await world.broker.withdraw(question.description, asUID: 1001) }
    }
    world.settle()
    for call in calls { #expect(try call.get().state == .withdrawn) }
    #expect(try world.kinds() == [.asked, .withdrawn])
  }

  @Test func `a withdrawal after the deadline finds the question expired`() throws {
    let question = try world.question(expiresInUSec: Span.hour)
    let waiting = world.wait(for: question)
    world.clock.pass(Span.hour)
    #expect(try world.withdraw(question).state == .expired)
    #expect(try waiting.get()?.state == .expired)
    #expect(try world.kinds() == [.asked, .expired])
  }

  @Test func `a question ends at its deadline and not before`() throws {
    let question = try world.question(expiresInUSec: Span.hour)
    let waiting = world.wait(for: question)
    #expect(world.broker.alarm.question == ManualClock.start.adding(usec: Span.hour))
    world.clock.now = Instant(usec: ManualClock.start.usec + Span.hour - 1)
    try world.run { [world] in try await world.broker.expireDue() }
    #expect(try world.kinds() == [.asked])
    world.clock.now = Instant(usec: ManualClock.start.usec + Span.hour)
    try world.run { [world] in try await world.broker.expireDue() }
    let decision = try #require(try waiting.get())
    #expect(decision.state == .expired)
    #expect(decision.nextAction == .ask)
    #expect(decision.ending?.choice == nil)
    #expect(try world.kinds() == [.asked, .expired])
    #expect(world.broker.alarm.question == nil)
  }

  @Test func `the alarm is set to the earliest deadline there is`() throws {
    _ = try world.question(.resource(), expiresInUSec: 3 * Span.hour)
    _ = try world.question(.resource("org.example.r1"), expiresInUSec: Span.hour)
    _ = try world.question(.resource("org.example.r2"), expiresInUSec: 2 * Span.hour)
    for hour in 1...3 as ClosedRange<Int64> {
      #expect(world.broker.alarm.question == ManualClock.start.adding(usec: hour * Span.hour))
      world.clock.pass(Span.hour)
      try world.run { [world] in try await world.broker.expireDue() }
    }
    #expect(world.broker.alarm.question == nil)
  }

  @Test func `a process that starts finds out by itself when the next question ends`() throws {
    _ = try world.question(expiresInUSec: Span.hour)
    let question = try world.question(.resource(), expiresInUSec: 2 * Span.hour)
    world.clock.pass(Span.hour)
    let after = try world.afterCrash()
    #expect(after.broker.alarm.question == ManualClock.start.adding(usec: 2 * Span.hour))
    #expect(try after.kinds() == [.asked, .asked, .expired])
    #expect(try after.look(question).state == .pending)
  }

  @Test func `hundreds of questions end at once, each once, in several transactions`() throws {
    for number in 0..<600 {
      let request = try AskRequest.of(.resource("org.example.r\(number)"), expiresInUSec: Span.hour)
      _ = world.start { [world] in try await world.broker.ask(request) }
    }
    world.settle()
    world.clock.pass(Span.hour)
    let before = world.store.statistics.commits
    try world.run { [world] in try await world.broker.expireDue() }
    #expect(world.store.statistics.commits - before == 3)
    #expect(try world.broker.statistics().openQuestions == 0)
    #expect(try world.kinds().count { $0 == .expired } == 600)
  }

  @Test func `an answer and a deadline in one transaction give one end`() throws {
    let question = try world.question(expiresInUSec: Span.hour)
    let waiting = world.wait(for: question)
    let answer = world.start { [world] in try await world.broker.answer(.of(question)) }
    world.runJobs()
    world.clock.pass(Span.hour)
    let expiry = world.start { [world] in try await world.broker.expireDue() }
    world.settle()
    try expiry.get()
    #expect(try answer.get().waitersResumed == 1)
    #expect(try waiting.get()?.state == .approved)
    #expect(try world.kinds() == [.asked, .decided, .granted])
  }
}
