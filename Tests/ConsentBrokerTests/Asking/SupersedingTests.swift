// SPDX-License-Identifier: Apache-2.0
//
// The same key with other content: the new question takes the place of the open one, and whoever waited learns of both.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct SupersedingTests {
  let world: World
  let first: QuestionID

  init() throws {
    world = try .family()
    first = try world.question(.update("2.0", "Adds voice rooms"))
  }

  private func supersede(_ description: String = "Adds voice rooms and calls") throws -> QuestionID {
    try world.question(.update("2.0", description))
  }

  @Test func `other content takes the place of the open question`() throws {
    let second = try supersede()
    let decision = try world.look(first)
    #expect(decision.state == .superseded)
    #expect(decision.successor == second)
    #expect(decision.nextAction == .wait)
    #expect(decision.ending?.decidedBy == nil)
    #expect(decision.ending?.evidence == nil)
    #expect(try world.broker.statistics().openQuestions == 1)
    #expect(try world.kinds() == [.asked, .superseded, .asked])
    #expect(try world.events().first { $0.kind == .superseded }?.decision?.successor == second)
  }

  @Test func `whoever waited moves to the successor once that is on disk, and is answered with its decision`() throws {
    let waiting = world.wait(for: first)
    let request = try AskRequest.of(.update("2.0", "Other words"))
    let call = world.start { [world] in try await world.broker.ask(request) }
    world.runJobs()
    world.commit()
    world.runJobs()
    #expect(world.broker.waiting.count(of: first) == 1)
    world.settle()
    let second = try call.get().standing().decision.question
    #expect(world.broker.waiting.count(of: first) == 0)
    #expect(world.broker.waiting.count(of: second) == 1)
    #expect(try world.answer(.of(second)).waitersResumed == 1)
    let decision = try #require(try waiting.get())
    #expect(decision.question == second)
    #expect(decision.state == .approved)
    #expect(waiting.endings == 1)
  }

  @Test func `whoever came for more than the successor asks is told of it`() throws {
    let wide = try world.question(.communication(["kim"], ["call", "message"]))
    let waiting = world.wait(for: wide)
    let narrow = try world.question(.communication(["kim"], ["message"]))
    let decision = try #require(try waiting.get())
    #expect(decision.question == wide)
    #expect(decision.state == .superseded)
    #expect(decision.successor == narrow)
  }

  @Test func `whoever waits for the successor is not woken by the predecessor's end`() throws {
    let second = try supersede()
    let waiting = world.wait(for: second)
    #expect(!waiting.isOver)
    try world.answer(.of(second))
    #expect(try waiting.get()?.state == .approved)
  }

  @Test(arguments: [("approve", NextAction.proceed), ("deny", .ask)])
  func `what to do after a superseded question is what its successor says`(choice: String, action: NextAction) throws {
    try world.answer(.of(supersede(), choice))
    let decision = try world.look(first)
    #expect(decision.state == .superseded)
    #expect(decision.nextAction == action)
  }

  @Test func `a superseded question whose successor is moot lets nobody go on`() throws {
    let second = try supersede()
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    #expect(try world.look(second).nextAction == .askLater)
    #expect(try world.look(first).nextAction == .askLater)
  }

  @Test func `a chain of questions leads to the last one`() throws {
    let second = try supersede("b")
    let third = try supersede("c")
    #expect(try world.look(first).successor == second)
    #expect(try world.look(second).successor == third)
    #expect(try world.look(first).nextAction == .wait)
    try world.answer(.of(third))
    #expect(try world.look(first).nextAction == .proceed)
  }

  @Test func `a yes to a successor that asks less lets nobody go on who asked more`() throws {
    let topic = Topic.communication(["kim"], ["call", "message"])
    let wide = try world.question(topic)
    let narrow = try world.question(.communication(["kim"], ["message"]))
    try world.answer(.of(narrow))
    #expect(try world.look(narrow).nextAction == .proceed)
    #expect(try world.look(wide).nextAction == .ask)
    #expect(try world.events().first { $0.kind == .superseded }?.decision?.nextAction == .ask)
  }

  @Test func `the successor counts on, and a superseded question cannot be answered`() throws {
    let second = try supersede()
    #expect(try world.store.read { try $0.question(second.description)?.timesAsked } == 2)
    #expect(throws: Refusal.alreadyDecided(state: .superseded, decidedAt: ManualClock.start)) {
      try world.answer(.of(first))
    }
  }

  @Test func `an ask that is refused leaves the open question as it is`() throws {
    _ = try world.question(.resource(), key: "k")
    #expect(throws: Refusal.keyConflict) { try world.ask(.of(.update("2.0", "Other words"), key: "k")) }
    #expect(try world.look(first).state == .pending)
    #expect(try world.kinds() == [.asked, .asked])
  }
}
