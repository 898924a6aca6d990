// SPDX-License-Identifier: Apache-2.0
//
// What is forgotten and erased is gone from the store, and whoever waited or follows still learns that it is over.

import ConsentStore
import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct ErasingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  /// Something a person said or was asked, which is nowhere else.
  private static let secret = "the secret of the blue house"

  /// Whether the text stands anywhere in the store's files.
  private func remembers(_ text: String, _ world: World) throws -> Bool {
    let needle = Data(text.utf8)
    return try ["consentd.db", "consentd.db-wal"].contains { name in
      let path = world.directory.file(name)
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: needle) != nil
    }
  }

  /// One question of each kind that ended and one that stands open, with long texts and a note.
  private func fill() throws -> (ended: [QuestionID], open: QuestionID) {
    let long = Self.secret + String(repeating: " and so on", count: 80)
    let topics = [
      Topic.update("1.0", long), .communication([Self.secret], ["message"]), .resource("org.example.time", long),
    ]
    let ended = try topics.enumerated().map { number, topic in
      let question = try world.question(topic, key: "\(Self.secret) \(number)")
      try world.answer(.of(question, number == 1 ? "approve" : "deny", note: Self.secret))
      return question
    }
    return (ended, try world.question(.update("2.0", long)))
  }

  @Test func `an erased person's texts are in no file, and their questions keep id and state`() throws {
    let (ended, open) = try fill()
    let waiting = world.wait(for: open)
    #expect(try remembers(Self.secret, world))
    try world.erase()
    #expect(try !remembers(Self.secret, world))
    let decision = try #require(try waiting.get())
    #expect(decision.state == .moot && decision.ending?.reason == "personRemoved" && decision.topic == nil)
    #expect(try ended.map { try world.look($0).state } == [.denied, .approved, .denied])
    for question in ended + [open] {
      let decision = try world.look(question)
      #expect(decision.topic == nil && decision.topicKey.isEmpty && decision.ending?.evidence == nil)
      #expect(decision.nextAction != .proceed)
    }
    #expect(
      try world.kinds() == [.asked, .decided, .asked, .decided, .granted, .asked, .decided, .asked, .moot, .grantEnded])
    #expect(try world.events().allSatisfy { $0.topic == nil && $0.topicKey == nil })
    #expect(try world.broker.guardians(of: .mia).isEmpty)
    #expect(throws: Refusal.unknownPerson("uid:1001")) { try world.broker.requireSight(of: .mia, for: .tester) }
  }

  @Test func `what an adult was not asked any more lets nobody go on once it is erased`() throws {
    let question = try world.question()
    try world.declare(.bounds(lower: 18, upper: 18, asOf: .spring))
    #expect(try world.look(question).nextAction == .proceed)
    try world.erase()
    #expect(try world.look(question).ending?.reason == "adult" && world.look(question).nextAction == .ask)
  }

  @Test func `what was written before the store overwrote what goes is gone too when it moves between pages`() throws {
    for number in 0..<60 {
      let text = "\(Self.secret) \(String(repeating: "x", count: number * 15))"
      let question = try world.question(.update("\(number)", text))
      try world.answer(.of(question, number.isMultiple(of: 2) ? "deny" : "approve", note: "\(Self.secret) \(number)"))
    }
    try world.erase()
    #expect(try !remembers(Self.secret, world))
  }

  @Test func `guardians are shown nothing of an erased question, and lose its card`() throws {
    let (ended, open) = try fill()
    let watcher = world.broker.watch(for: .ann, person: nil)
    let page = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9)
    _ = world.broker.changes(to: page.cards, for: watcher)
    try world.forget()
    let change = try #require(try world.broker.changes(for: watcher)?.first)
    guard case .removed(let card, "moot") = change else {
      Issue.record("\(change)")
      return
    }
    #expect(card.question == open && card.topic == ["kind": "significantUpdate"] && card.contentHash.isEmpty)
    for state in [QuestionState.denied, .approved, .moot] {
      #expect(
        try world.broker.cards(for: .ann, person: .mia, app: nil, state: state, after: nil, limit: 9).cards.isEmpty)
    }
    #expect(throws: Refusal.unknownQuestion(ended[0].description)) { try world.answer(.of(ended[0], "deny")) }
  }

  @Test func `what one app has is forgotten, and its next ask is its first`() throws {
    let (ended, open) = try fill()
    let kept = try world.question(.update("1.0", "Adds rooms"), by: .game)
    let waiting = world.wait(for: open)
    try world.forget()
    #expect(try !remembers(Self.secret, world))
    #expect(try waiting.get()?.ending?.reason == "forgotten")
    #expect(try world.look(open).nextAction == .ask)
    #expect(try world.look(ended[1]).nextAction == .ask)
    #expect(try world.look(kept).state == .pending)
    #expect(try world.status(.update("1.0")) == StatusAnswer(status: .notDetermined, nextAction: .ask))
    #expect(try world.status(.communication([Self.secret])).status == .notDetermined)
    let anew = try world.question(.update("1.0", "Adds rooms"), key: "\(Self.secret) 0")
    #expect(!ended.contains(anew))
    #expect(try world.store.read { try $0.question(anew.description)?.timesAsked } == 1)
    #expect(try world.broker.guardians(of: .mia) == [.ann, .bob])
  }

  @Test func `an app is forgotten under every uid it asked as, and nobody else is`() throws {
    try world.enrol(.leo)
    let service = Asker(uid: 989, app: .chat)
    let (first, second) = (try world.question(), try world.question(.resource(), by: service))
    let others = [
      try world.question(.update(), by: .nameless), try world.question(by: Asker(uid: 1003, app: .chat), about: .leo),
    ]
    try world.forget()
    #expect(try [first, second].map(state) == ["moot", "moot"])
    #expect(try others.map(state) == ["pending", "pending"])
  }

  private func state(_ question: QuestionID) throws -> String? {
    try world.store.read { try $0.question(question.description)?.state }
  }

  @Test func `a question whose time was up has expired, not been forgotten`() throws {
    let question = try world.question(expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    try world.forget()
    #expect(try world.look(question).state == .expired)
  }

  @Test func `who is somebody's guardian is erased as a person and stays a guardian`() throws {
    try world.erase(.user(1000))
    #expect(try world.broker.guardians(of: .mia) == [.ann, .bob])
    let question = try world.question()
    #expect(try world.answer(.of(question)).decision.state == .approved)
  }

  @Test func `a removed person can still be erased, and somebody nobody knows cannot`() throws {
    _ = try fill()
    try world.run { [broker = world.broker] in try await broker.removePerson(.mia) }
    #expect(try remembers(Self.secret, world))
    try world.erase()
    try world.erase()
    #expect(try !remembers(Self.secret, world))
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.erase(.leo) }
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.forget(.leo) }
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.export(.leo) }
  }

  @Test func `who comes back starts afresh`() throws {
    _ = try fill()
    try world.erase()
    try world.enrol()
    #expect(try world.status(.update("1.0")) == StatusAnswer(status: .notDetermined, nextAction: .ask))
    let question = try world.question(.update("1.0"))
    try world.answer(.of(question))
    #expect(try world.status(.update("1.0")).status == .approved)
  }

  @Test(arguments: 0..<9, [false, true])
  func `a crash leaves a person erased or not, and nothing between`(steps: Int, wholly: Bool) throws {
    let (ended, open) = try fill()
    let left = try world.cut(after: steps) { [broker = world.broker] in
      if wholly { try await broker.erase(.mia) } else { try await broker.forget(.mia, app: .chat) }
    }
    let isOver = try left.look(open).state != .pending
    #expect(try left.look(open).topic == nil ? isOver : !isOver)
    #expect(try left.look(ended[0]).topic == nil ? isOver : !isOver)
    #expect(try left.broker.guardians(of: .mia).isEmpty == (isOver && wholly))
    if wholly { try left.erase() } else { try left.forget() }
    #expect(try !remembers(Self.secret, left))
    #expect(try left.kinds(about: open) == [.asked, .moot])
  }
}
