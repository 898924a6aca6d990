// SPDX-License-Identifier: Apache-2.0
//
// The one road to the store and back: what fails there is no answer here, and what ran twice there happened once.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct CommittingTests {
  let world: World

  init() throws {
    world = try .family()
  }

  /// A write whose commit fails, and with it the first try of everything that shares it.
  private func poison() -> Call<Void> {
    world.start { [store = world.store] in try await store.write { _ = try $0.insert(QuestionRow.dangling) } }
  }

  @Test func `what shares a commit that fails happens once all the same`() throws {
    let question = try world.question()
    let waiting = world.wait(for: question)
    let watcher = world.broker.watch(for: .ann, person: nil)
    let request = try AskRequest.of(.resource())
    let ask = world.start { [world] in try await world.broker.ask(request) }
    let failed = poison()
    let answer = world.start { [world] in try await world.broker.answer(.of(question)) }
    world.settle()
    #expect(throws: (any Error).self) { try failed.get() }
    #expect(world.store.statistics.rerunBatches == 1)
    #expect(try answer.get().waitersResumed == 1)
    #expect(try waiting.get()?.state == .approved)
    let asked = try ask.get().standing().decision.question
    #expect(try world.kinds(about: question) == [.asked, .decided, .granted])
    #expect(try world.kinds(about: asked) == [.asked])
    #expect(try world.events().map(\.sequence) == [1, 2, 3, 4])
    #expect(watcher.takeTouched(atMost: 9) == [asked, question])
  }

  @Test func `a refusal inside a shared commit is its caller's alone`() throws {
    let question = try world.question()
    let requests = [AnswerRequest.of(question, "perhaps"), .of(question, "deny"), .of(question, "approve")]
    let calls = requests.map { request in world.start { [world] in try await world.broker.answer(request) } }
    world.settle()
    #expect(throws: Refusal.self) { try calls[0].get() }
    #expect(try calls[1].get().decision.state == .denied)
    #expect(throws: Refusal.alreadyDecided(state: .denied, decidedAt: ManualClock.start)) { try calls[2].get() }
    #expect(world.failures.isEmpty)
  }

  @Test func `a refused change tells nobody anything`() throws {
    let question = try world.question()
    let watcher = world.broker.watch(for: .ann, person: nil)
    let doorbell = world.broker.follow(.chat)
    let ring = world.start { await doorbell.wait() }
    #expect(throws: Refusal.self) { try world.answer(.of(question, "perhaps")) }
    #expect(watcher.takeTouched(atMost: 9) == [])
    #expect(!ring.isOver)
    world.broker.unfollow(.chat, doorbell)
    world.runJobs()
  }

  @Test func `a store that fails is neither a yes nor a no`() throws {
    let question = try world.question()
    let waiting = world.wait(for: question)
    world.store.close()
    let unavailable = Refusal.notAvailable(reason: .storage, retryable: true)
    #expect(throws: unavailable) { try world.ask(.of()) }
    #expect(throws: unavailable) { try world.answer(.of(question)) }
    #expect(throws: unavailable) { try world.withdraw(question) }
    #expect(throws: unavailable) { try world.look(question) }
    #expect(throws: unavailable) { try world.status() }
    #expect(throws: unavailable) { try world.broker.statistics() }
    #expect(throws: unavailable) { try world.run { [world] in try await world.broker.expireDue() } }
    #expect(!waiting.isOver)
    #expect(world.failures.count == 7)
    #expect(world.failures.allSatisfy { $0 as? StoreError == .closed })
    world.clock.bootUSec = .max
    world.broker.releaseDue()
    world.runJobs()
    #expect(throws: unavailable) { try waiting.get() }
  }

  @Test func `what does not read is a fault and no default`() throws {
    let question = try world.question()
    try world.run { [store = world.store] in
      try await store.write { rows in
        guard var row = try rows.question(question.description) else { return }
        row.id = String(repeating: "b", count: 32)
        row.content = "{}"
        row.topicKey = "resource/org.example.damaged"
        row.ending = EndingRow(state: "approved", endedAt: 1)
        try rows.insert(row)
      }
    }
    #expect(throws: Refusal.notAvailable(reason: .storage, retryable: false)) {
      try world.broker.look(at: "bbbb", asUID: 1001)
    }
    #expect(
      world.failures.map { $0 as? StoreError } == [
        .damaged(detail: "the content of question \(String(repeating: "b", count: 32)) does not read")
      ])
    #expect(try world.look(question).state == .pending)
  }

  @Test func `the alarm and the numbers are said to change when they do`() throws {
    var changes = 0
    world.broker.changed = { changes += 1 }
    func expectChange(_ body: () throws -> Void) rethrows {
      let before = changes
      try body()
      #expect(changes > before)
    }
    try expectChange { _ = try world.question() }
    let question = try world.question()
    let waiter = Waiter()
    expectChange { _ = world.wait(for: question, as: waiter) }
    expectChange { world.broker.leave(waiter) }
    world.runJobs()
    var watcher: Watcher?
    expectChange { watcher = world.broker.watch(for: .ann, person: nil) }
    try expectChange { world.broker.unwatch(try #require(watcher)) }
    try expectChange { try world.answer(.of(question)) }
    try expectChange { try world.run { [world] in try await world.broker.expireDue() } }
    let second = try world.question(.resource())
    expectChange { _ = world.wait(for: second, timeoutUSec: 1) }
    world.clock.bootUSec += 1
    expectChange { world.broker.releaseDue() }
    world.runJobs()
    let before = changes
    _ = try world.status()
    #expect(changes == before)
  }

  @Test func `the numbers count people, open questions, waiters and companions`() throws {
    let question = try world.question()
    _ = try world.question(.resource())
    _ = world.wait(for: question)
    _ = world.broker.watch(for: .ann, person: nil)
    #expect(
      try world.broker.statistics() == Broker.Statistics(openQuestions: 2, waiters: 1, companions: 1))
    #expect(try world.broker.peopleCount() == 2)
  }
}
