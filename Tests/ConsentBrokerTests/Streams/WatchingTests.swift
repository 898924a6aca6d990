// SPDX-License-Identifier: Apache-2.0
//
// A companion's stream: whatever happens to the questions its guardian may see, the companion ends up showing exactly
// those that stand open.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct WatchingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  /// A companion that has had its snapshot.
  private func companion(_ viewer: Viewer = .ann, _ person: Person? = nil) throws -> Watcher {
    let watcher = world.broker.watch(for: viewer, person: person)
    let cards = try world.broker.cards(for: viewer, person: person, app: nil, state: .pending, after: nil, limit: 99)
      .cards
    _ = world.broker.changes(to: cards, for: watcher)
    return watcher
  }

  private func changes(_ watcher: Watcher) throws -> [CardChange] {
    var changes: [CardChange] = []
    while let more = try world.broker.changes(for: watcher) { changes += more }
    return changes
  }

  private func news(_ watcher: Watcher) throws -> [String] { try changes(watcher).map(\.word) }

  @Test func `what is open comes first, and is added once`() throws {
    let question = try world.question()
    let watcher = world.broker.watch(for: .ann, person: nil)
    let cards = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9).cards
    #expect(world.broker.changes(to: cards, for: watcher).map(\.word) == ["added"])
    #expect(try news(watcher) == [])
    try world.answer(.of(question))
    #expect(try news(watcher) == ["removed approved"])
  }

  @Test func `a question that comes between the opening and the snapshot is added once`() throws {
    let watcher = world.broker.watch(for: .ann, person: nil)
    _ = try world.question()
    let cards = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9).cards
    #expect(world.broker.changes(to: cards, for: watcher).map(\.word) == ["added"])
    #expect(try news(watcher) == [])
  }

  @Test func `a companion that goes on where it was hears only what became different`() throws {
    let first = try companion()
    let (same, ended, waited) = (
      try world.question(.resource("org.example.a")), try world.question(.resource("org.example.b")),
      try world.question(.resource("org.example.c"))
    )
    _ = try news(first)
    world.broker.unwatch(first)
    try world.answer(.of(ended))
    let call = world.wait(for: waited)
    let new = try world.question(.resource("org.example.d"))
    let gone = QuestionID.random()
    let shown = first.shown.merging([gone: "something"]) { $1 }
    let second = world.broker.watch(for: .ann, person: nil, shown: shown)
    let cards = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9).cards
    #expect(world.broker.changes(to: cards, for: second).map(\.word) == ["changed", "added"])
    #expect(try news(second) == ["removed approved"])
    #expect(Set(second.shown.keys) == [same, waited, new, gone])
    #expect(!call.isOver)
  }

  @Test func `a question that comes, changes and goes`() throws {
    let watcher = try companion()
    let question = try world.question(expiresInUSec: Span.hour)
    #expect(try news(watcher) == ["added"])
    _ = try world.question(expiresInUSec: 2 * Span.hour)
    #expect(try news(watcher) == ["changed"])
    let call = world.wait(for: question)
    world.broker.tellCounts()
    #expect(try news(watcher) == ["changed"])
    try world.withdraw(question)
    #expect(try news(watcher) == ["removed withdrawn"])
    #expect(call.isOver)
  }

  @Test func `the other guardians are told who answered`() throws {
    let watcher = try companion(.bob)
    let question = try world.question()
    _ = try news(watcher)
    let decision = try world.answer(.of(question)).decision
    guard case .removed(let card, "approved")? = try changes(watcher).first else {
      Issue.record("not removed")
      return
    }
    #expect(card.decision == decision)
    #expect(card.decision?.ending?.evidence?.guardian == "uid:1000")
  }

  @Test func `a slow companion hears the last truth only`() throws {
    let watcher = try companion()
    let gone = try world.question()
    try world.withdraw(gone)
    let stays = try world.question(.resource())
    _ = world.wait(for: stays)
    #expect(try news(watcher) == ["added"])
  }

  @Test func `many changes are read a few at a time, and none is missed`() throws {
    let watcher = try companion()
    for number in 0..<20 { _ = try world.question(.resource("org.example.r\(number)")) }
    let first = try #require(try world.broker.changes(for: watcher))
    #expect((1..<20).contains(first.count))
    #expect(try first.count + changes(watcher).count == 20)
    #expect(try world.broker.changes(for: watcher)?.count == nil)
  }

  @Test func `whoever is nobody's guardian has done with all changes in one look`() throws {
    let watcher = try companion(.nan)
    for number in 0..<20 { _ = try world.question(.resource("org.example.r\(number)")) }
    #expect(try world.broker.changes(for: watcher)?.count == 0)
    #expect(try world.broker.changes(for: watcher)?.count == nil)
  }

  @Test func `a superseded question goes and its successor comes`() throws {
    let watcher = try companion()
    _ = try world.question()
    _ = try news(watcher)
    _ = try world.question(.update("2.0", "Other words"))
    #expect(try news(watcher) == ["removed superseded", "added"])
  }

  @Test func `a companion hears of its guardian's own, or of the one person it asked for`() throws {
    try world.enrol(.leo, guardians: [.bob])
    let (ann, bob, leos) = (try companion(.ann), try companion(.bob), try companion(.bob, .leo))
    _ = try world.question(about: .leo)
    #expect(try news(ann) == [])
    #expect(try news(bob) == ["added"])
    #expect(try news(leos) == ["added"])
    _ = try world.question()
    #expect(try news(ann) == ["added"])
    #expect(try news(bob) == ["added"])
    #expect(try news(leos) == [])
  }

  @Test func `a new guardian's companion is shown what is open`() throws {
    let watcher = try companion(.nan)
    _ = try world.question()
    #expect(try news(watcher) == [])
    try world.run { [world] in try await world.broker.addGuardian(.nan, for: .mia, displayName: nil) }
    #expect(try news(watcher) == ["added"])
  }

  @Test func `a removed guardian's companion shows nothing more`() throws {
    let (ann, bob) = (try companion(.ann), try companion(.bob))
    let question = try world.question()
    _ = try (news(ann), news(bob))
    try world.run { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    guard case .removed(let card, "notGuardian")? = try changes(ann).first else {
      Issue.record("not removed")
      return
    }
    #expect(!card.canAnswer)
    #expect(try news(bob) == [])
    try world.answer(.of(question, by: .bob))
    #expect(try news(ann) == [])
    #expect(try news(bob) == ["removed approved"])
  }

  @Test(arguments: ["approve", "deny"])
  func `a removed guardian's companion does not learn how a question ended`(choice: String) throws {
    let watcher = try companion()
    let question = try world.question()
    _ = try news(watcher)
    try world.run { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    try world.answer(.of(question, choice, by: .bob))
    guard case .removed(let card, "notGuardian")? = try changes(watcher).first else {
      Issue.record("not removed, or for a reason that tells the answer")
      return
    }
    #expect(card.decision == nil)
    #expect(card.state == .pending)
    #expect(card.votes.have == 0)
  }

  @Test func `the companions of a removed person's guardians show nothing more`() throws {
    let watcher = try companion(.ann)
    _ = try world.question()
    _ = try news(watcher)
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    #expect(try news(watcher) == ["removed moot"])
  }

  @Test func `companions are counted while they are there, and change no question`() throws {
    let question = try world.question()
    let watchers = [try companion(), try companion(), try companion(.stranger)]
    #expect(try world.broker.statistics().companions == 3)
    for watcher in watchers { world.broker.unwatch(watcher) }
    #expect(try world.broker.statistics().companions == 0)
    #expect(try world.look(question).state == .pending)
    let call = world.start { await watchers[0].doorbell.wait() }
    world.runJobs()
    #expect(try call.get() == .closed)
  }
}
