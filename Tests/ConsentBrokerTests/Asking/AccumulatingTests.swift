// SPDX-License-Identifier: Apache-2.0
//
// Updates that take others along: one open question, callers that move, one yes for everything it lists.

import ConsentModel
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct AccumulatingTests {
  let world: World

  init() throws { world = try .family() }

  @Test func `a later update takes the pending one along, with its callers, and one yes approves both`() throws {
    let first = try world.question(.update("2.0"))
    let waiting = world.wait(for: first)
    let second = try world.question(.update("2.1"))
    #expect(!waiting.isOver)
    #expect(try world.look(first).successor == second)
    #expect(try world.broker.statistics().openQuestions == 1)
    #expect(try world.status(.update("2.0")).status == .pending)
    let topic = try #require(try world.look(second).topic)
    #expect(topic["earlier"]?.array?.first?.object?["change"] == "2.0")
    #expect(try world.answer(.of(second)).waitersResumed == 1)
    #expect(try waiting.get()?.question == second)
    #expect(waiting.endings == 1)
    for change in ["2.0", "2.1"] { #expect(try world.status(.update(change)).status == .approved) }
    #expect(try world.status(.update("2.2")).status == .notDetermined)
  }

  @Test func `who asks a change that is listed joins`() throws {
    _ = try world.question(.update("2.0"))
    let second = try world.question(.update("2.1"))
    let joined = try world.ask(.of(.update("2.0"))).standing()
    #expect(joined.joined)
    #expect(joined.decision.question == second)
    #expect(try world.ask(.of(.update("2.1"))).standing().decision.question == second)
    #expect(try world.question(.update("2.0", "Other words")) != second)
  }

  @Test func `what was denied is listed again until it is approved, and stays denied`() throws {
    let denied = try world.question(.update("2.0"))
    try world.answer(.of(denied, "deny"))
    let second = try world.question(.update("2.1"))
    #expect(try world.look(second).topic?["earlier"]?.array?.first?.object?["denied"] == true)
    #expect(try world.look(denied).state == .denied)
    try world.answer(.of(second))
    #expect(try world.status(.update("2.0")).status == .approved)
    #expect(try world.look(denied).state == .denied)
    let third = try world.question(.update("2.2"))
    #expect(try world.look(third).topic?["earlier"] == nil)
  }

  @Test func `another app's updates are its own`() throws {
    let first = try world.question(.update("2.0"))
    let other = try world.question(.update("2.1"), by: .game)
    #expect(try world.look(first).state == .pending)
    #expect(try world.look(other).topic?["earlier"] == nil)
  }

  @Test func `the content hash is that of everything listed`() throws {
    _ = try world.question(.update("2.0"))
    let second = try world.question(.update("2.1"))
    let card = try world.run { [world] in try await world.broker.describe(second.description, for: .ann) }
    let alone = Content(person: .mia, asker: .chat, provenance: .claimed, topic: .update("2.1"))
    #expect(card.contentHash != alone.hash)
    #expect(throws: Refusal.contentChanged(contentHash: card.contentHash)) {
      try world.answer(.of(second, contentHash: alone.hash))
    }
    #expect(try world.answer(.of(second, contentHash: card.contentHash)).decision.state == .approved)
  }

  @Test func `a request whose question gives way before it waits goes on with the other`() throws {
    let (first, second) = (try AskRequest.of(.update("2.0")), try AskRequest.of(.update("2.1")))
    let request = world.start { [broker = world.broker] in
      let standing = try await broker.ask(first).standing()
      return try await broker.await(standing, timeoutUSec: Span.hour, as: Waiter())
    }
    let other = world.start { [broker = world.broker] in try await broker.ask(second).standing() }
    world.settle()
    let successor = try other.get().decision.question
    #expect(!request.isOver)
    try world.answer(.of(successor, "deny"))
    #expect(try request.get()?.decision.question == successor)
  }

  @Test(arguments: 0...6)
  func `a crash between any two steps of taking along leaves one open question`(steps: Int) throws {
    let first = try world.question(.update("2.0"))
    let request = try AskRequest.of(.update("2.1"))
    let left = try world.cut(after: steps) { [broker = world.broker] in _ = try await broker.ask(request) }
    #expect(try left.broker.statistics().openQuestions == 1)
    let last = try left.question(.update("2.1"))
    #expect(try left.look(first).successor == last)
    try left.answer(.of(last))
    #expect(try left.status(.update("2.0")).status == .approved)
  }
}
