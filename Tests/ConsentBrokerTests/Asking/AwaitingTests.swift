// SPDX-License-Identifier: Apache-2.0
//
// Waiting and looking: a wait ends with its question, its time or its caller, and a question ends for none of the last
// two.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct AwaitingTests {
  let world: World
  let question: QuestionID

  init() throws {
    world = try .family()
    question = try world.question()
  }

  @Test func `two callers wait, one answer lets both go on`() throws {
    let waiting = [world.wait(for: question), world.wait(for: question)]
    #expect(try world.broker.statistics().waiters == 2)
    let answered = try world.answer(.of(question))
    #expect(answered.waitersResumed == 2)
    for call in waiting {
      #expect(try call.get()?.state == .approved)
      #expect(call.endings == 1)
    }
    #expect(try world.broker.statistics().waiters == 0)
  }

  @Test func `an answer on one topic wakes nobody on another`() throws {
    let other = world.wait(for: try world.question(.resource()))
    #expect(try world.answer(.of(question)).waitersResumed == 0)
    #expect(!other.isOver)
  }

  @Test func `callers go on in the order in which they came`() throws {
    var order: [Int] = []
    for number in 0..<10 {
      _ = world.start { [world, question] in
        _ = try await world.broker.await(question.description, asUID: 1001, timeoutUSec: 60, as: Waiter())
        order.append(number)
      }
      world.runJobs()
    }
    try world.answer(.of(question))
    #expect(order == Array(0..<10))
  }

  @Test func `a timeout is pending, and the question goes on`() throws {
    let (short, long) = (world.wait(for: question, timeoutUSec: 10), world.wait(for: question, timeoutUSec: 11))
    #expect(world.broker.alarm.waiterBootUSec == world.clock.bootUSec + 10)
    world.clock.bootUSec += 10
    world.broker.releaseDue()
    world.runJobs()
    #expect(try short.get()?.state == .pending)
    #expect(try short.get()?.nextAction == .wait)
    #expect(!long.isOver)
    #expect(try world.look(question).state == .pending)
    #expect(world.broker.alarm.waiterBootUSec == world.clock.bootUSec + 1)
  }

  @Test func `a timeout counts time since boot, whatever the wall clock does`() throws {
    let call = world.wait(for: question, timeoutUSec: 10)
    world.clock.now = Instant(usec: ManualClock.start.usec + Span.day)
    world.broker.releaseDue()
    world.runJobs()
    #expect(!call.isOver)
    world.clock.now = Instant(usec: ManualClock.start.usec - Span.day)
    world.clock.bootUSec += 10
    world.broker.releaseDue()
    world.runJobs()
    #expect(try call.get()?.state == .pending)
  }

  @Test func `no time is a look that does not wait`() throws {
    let call = world.wait(for: question, timeoutUSec: 0)
    #expect(try call.get()?.state == .pending)
    #expect(try world.broker.statistics().waiters == 0)
  }

  @Test func `a wait past the end of time is a wait`() throws {
    let call = world.wait(for: question, timeoutUSec: .max)
    #expect(world.broker.alarm.waiterBootUSec == .max)
    try world.answer(.of(question))
    #expect(try call.get()?.state == .approved)
  }

  @Test func `a caller that comes after the answer has it at once`() throws {
    try world.answer(.of(question, "deny"))
    #expect(try world.wait(for: question).get()?.state == .denied)
  }

  @Test func `a caller that comes between an answer's commit and its announcement has it at once`() throws {
    let parked = world.wait(for: question)
    let answer = world.start { [world, question] in try await world.broker.answer(.of(question)) }
    world.runJobs()
    world.commit()
    let late = world.wait(for: question)
    #expect(try late.get()?.state == .approved)
    #expect(!parked.isOver)
    world.settle()
    #expect(try parked.get()?.state == .approved)
    #expect(try answer.get().waitersResumed == 1)
  }

  @Test func `a caller whose time is up between an answer's commit and its announcement has the answer`() throws {
    let call = world.wait(for: question, timeoutUSec: 5)
    let answer = world.start { [world, question] in try await world.broker.answer(.of(question)) }
    world.runJobs()
    world.commit()
    world.clock.bootUSec += 5
    world.broker.releaseDue()
    world.runJobs()
    #expect(try call.get()?.state == .approved)
    world.settle()
    #expect(try answer.get().waitersResumed == 0)
    #expect(call.endings == 1)
  }

  @Test func `a caller that hangs up ends its wait and nothing else`() throws {
    let waiter = Waiter()
    let (gone, other) = (world.wait(for: question, as: waiter), world.wait(for: question))
    world.broker.leave(waiter)
    world.runJobs()
    #expect(try gone.get() == nil)
    #expect(!other.isOver)
    #expect(try world.look(question).state == .pending)
    #expect(try world.answer(.of(question)).waitersResumed == 1)
  }

  @Test func `a caller that hung up before it waited does not wait`() throws {
    let waiter = Waiter()
    world.broker.leave(waiter)
    #expect(try world.wait(for: question, as: waiter).get() == nil)
    #expect(try world.broker.statistics().waiters == 0)
  }

  @Test func `a question past its deadline has expired for whoever looks, noticed or not`() throws {
    let short = try world.question(.resource(), expiresInUSec: Span.hour)
    world.clock.pass(Span.hour - 1)
    #expect(try world.look(short).state == .pending)
    world.clock.pass(1)
    let seen = try world.look(short)
    #expect(seen.state == .expired)
    #expect(seen.nextAction == .ask)
    #expect(seen.ending?.at == ManualClock.start.adding(usec: Span.hour))
    #expect(try world.wait(for: short).get() == seen)
    world.clock.pass(Span.day)
    #expect(try world.look(short) == seen)
    try world.run { [world] in try await world.broker.expireDue() }
    #expect(try world.look(short) == seen)
  }

  @Test func `any app of the uid that asked may look, and nobody else`() throws {
    for uid in [1000, 1002, 0, 1009] as [UserID] {
      #expect(throws: Refusal.unknownQuestion(question.description)) { try world.look(question, asUID: uid) }
      #expect(throws: Refusal.unknownQuestion(question.description)) { try world.wait(for: question, asUID: uid).get() }
    }
    #expect(try world.look(question, asUID: 1001).question == question)
  }

  @Test func `a question is found by a prefix of four digits or more`() throws {
    for length in [4, 5, 31, 32] {
      let prefix = String(question.description.prefix(length))
      #expect(try world.broker.look(at: prefix, asUID: 1001).question == question)
    }
  }

  @Test(arguments: ["", "a", "abc", "abcx", "xyz12", "ABCD", "abcd ", "%abc", "0000000000000000000000000000000000"])
  func `what is no prefix names no question`(text: String) throws {
    _ = try world.rename(question, to: "abcd")
    #expect(throws: Refusal.unknownQuestion(text)) { try world.broker.look(at: text, asUID: 1001) }
  }

  @Test func `a prefix that fits several of the caller's names none, and others' do not count`() throws {
    try world.enrol(.leo)
    let mine = try world.rename(try world.question(.resource()), to: "abcd1")
    let theirs = try world.rename(try world.question(by: Asker(uid: 1003, app: nil), about: .leo), to: "abcd2")
    #expect(try world.broker.look(at: "abcd", asUID: 1001).question == mine)
    #expect(try world.broker.look(at: "abcd", asUID: 1003).question == theirs)
    let second = try world.rename(try world.question(.communication()), to: "abcd3")
    #expect(throws: Refusal.unknownQuestion("abcd")) { try world.broker.look(at: "abcd", asUID: 1001) }
    #expect(try world.broker.look(at: "abcd3", asUID: 1001).question == second)
  }

  @Test func `who waits is seen on the card, and companions are told`() throws {
    let watcher = world.broker.watch(for: .ann, person: nil)
    let waiter = Waiter()
    let call = world.wait(for: question, as: waiter)
    #expect(touched(watcher) == [question])
    #expect(
      try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9).cards.first?
        .waiters
        == 1)
    world.broker.leave(waiter)
    #expect(touched(watcher) == [question])
    world.runJobs()
    #expect(call.isOver)
    let timedOut = world.wait(for: question, timeoutUSec: 1)
    #expect(touched(watcher) == [question])
    world.clock.bootUSec += 1
    world.broker.releaseDue()
    world.runJobs()
    #expect(timedOut.isOver)
    #expect(touched(watcher) == [question])
    #expect(touched(watcher) == [])
  }

  /// What a companion is told to look at once the number of waiting callers is told.
  private func touched(_ watcher: Watcher) -> [QuestionID] {
    world.broker.tellCounts()
    return watcher.takeTouched(atMost: 9)
  }

  @Test func `a companion is not told of every caller, but of how many there are when that is told`() throws {
    let watcher = world.broker.watch(for: .ann, person: nil)
    _ = (0..<50).map { _ in world.wait(for: question) }
    #expect(watcher.takeTouched(atMost: 9) == [])
    #expect(touched(watcher) == [question])
  }

  @Test func `an ask that waits is told how its question stands then`() throws {
    let asked = try world.ask(.of()).standing()
    let call = world.start { [world] in
      try await world.broker.await(asked, timeoutUSec: Span.second, as: Waiter())
    }
    world.runJobs()
    _ = try world.run { [world, question] in try await world.broker.describe(question.description, for: .ann) }
    _ = try world.ask(.of(expiresInUSec: 60 * Span.day))
    try world.answer(.of(question))
    let standing = try #require(try call.get())
    #expect(standing.decision == (try world.look(question)))
    #expect(standing.joined)
    #expect(standing.reach == .seen)
    #expect(standing.expiresAt == ManualClock.start.adding(usec: 60 * Span.day))
  }

  @Test func `an ask whose question ended before the wait began does not wait`() throws {
    let asked = try world.ask(.of()).standing()
    try world.answer(.of(question))
    let call = world.start { [world] in
      try await world.broker.await(asked, timeoutUSec: Span.second, as: Waiter())
    }
    world.runJobs()
    #expect(try call.get()?.decision.state == .approved)
    #expect(try world.broker.statistics().waiters == 0)
  }

  @Test func `an ask whose caller leaves is told nothing`() throws {
    let asked = try world.ask(.of()).standing()
    let waiter = Waiter()
    let call = world.start { [world] in try await world.broker.await(asked, timeoutUSec: Span.second, as: waiter) }
    world.runJobs()
    world.broker.leave(waiter)
    world.runJobs()
    #expect(try call.get() == nil)
  }
}
