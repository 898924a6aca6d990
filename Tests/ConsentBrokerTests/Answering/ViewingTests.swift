// SPDX-License-Identifier: Apache-2.0
//
// Cards: whose questions a guardian sees, how far a question has come, and pages that neither skip nor repeat.

import ConsentModel
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct ViewingTests {
  let world: World
  let question: QuestionID

  init() throws {
    world = try .family([.ann, .bob])
    try world.enrol(.leo, guardians: [.bob])
    question = try world.question()
  }

  private func cards(
    _ viewer: Viewer = .ann, _ person: Person? = nil, app: AppID? = nil, state: QuestionState = .pending
  ) throws -> [Card] {
    try world.broker.cards(for: viewer, person: person, app: app, state: state, after: nil, limit: 100).cards
  }

  private func describe(_ question: QuestionID, _ viewer: Viewer = .ann) throws -> Card {
    try world.run { [world] in try await world.broker.describe(question.description, for: viewer) }
  }

  private func reach(_ question: QuestionID) throws -> Reach { try world.ask(.of()).standing().reach }

  @Test func `a card shows what was asked, by whom and how often`() throws {
    let card = try describe(question)
    let content = Content(person: .mia, asker: .chat, provenance: .claimed, topic: .update())
    #expect(card.question == question)
    #expect(card.person == .mia)
    #expect(card.asker == .chat)
    #expect(card.provenance == .claimed)
    #expect(card.decider == .guardians)
    #expect(card.topic == Topic.update().json)
    #expect(card.topicKey == "significantUpdate/2.0")
    #expect(card.choices.map(\.choice) == ["approve", "deny"])
    #expect(card.contentHash == content.hash)
    #expect(card.state == .pending)
    #expect(card.askedAt == ManualClock.start)
    #expect(card.expiresAt == ManualClock.start.adding(usec: 30 * Span.day))
    #expect(card.timesAsked == 1)
    #expect(card.votes == Votes(have: 0, need: 1))
    #expect(card.canAnswer)
    #expect(card.decision == nil)
  }

  @Test func `a look at one question makes it seen, and delivered once`() throws {
    #expect(try reach(question) == .none)
    _ = try describe(question)
    #expect(try reach(question) == .seen)
    _ = try describe(question, .bob)
    #expect(try world.kinds() == [.asked, .delivered])
  }

  @Test func `a list makes a question delivered, once`() throws {
    let shown = try cards()
    try world.run { [world] in await world.broker.noteDelivery(of: shown) }
    #expect(try reach(question) == .delivered)
    try world.run { [world] in await world.broker.noteDelivery(of: shown) }
    #expect(try cards().map(\.isDelivered) == [true])
    #expect(try world.kinds() == [.asked, .delivered])
  }

  @Test func `who cannot answer delivers nothing`() throws {
    let own = try world.question(.resource(), by: .anns)
    let shown = try cards().filter { $0.question == own }
    #expect(shown.map(\.canAnswer) == [false])
    let call = world.start { [world] in await world.broker.noteDelivery(of: shown) }
    world.runJobs()
    #expect(call.isOver)
    #expect(try !describe(own).canAnswer)
    #expect(try world.kinds(of: .anns) == [.asked])
  }

  @Test(arguments: [Viewer.stranger, .mia, .nan])
  func `who is no guardian of the person sees nothing`(viewer: Viewer) throws {
    #expect(try cards(viewer).isEmpty)
    #expect(try cards(viewer, .mia).isEmpty)
    #expect(throws: Refusal.unknownQuestion(question.description)) { try describe(question, viewer) }
    #expect(try reach(question) == .none)
  }

  @Test func `a guardian sees the questions about their own, and filters them`() throws {
    let leos = try world.question(about: .leo)
    let game = try world.question(.resource(), by: .game)
    let nameless = try world.question(.resource(), by: .nameless)
    #expect(try cards(.ann).map(\.question) == [question, game, nameless])
    #expect(try cards(.bob).map(\.question) == [question, leos, game, nameless])
    #expect(try cards(.bob, .leo).map(\.question) == [leos])
    #expect(try cards(.ann, .leo).isEmpty)
    #expect(try cards(.bob, app: .game).map(\.question) == [game])
    #expect(try cards(.tester).map(\.question) == [question, leos, game, nameless])
    #expect(try cards(.tester, .leo).map(\.question) == [leos])
  }

  @Test func `ended questions are listed by their state, with how they ended`() throws {
    let decision = try world.answer(.of(question, "deny")).decision
    #expect(try cards().isEmpty)
    let denied = try cards(.bob, state: .denied)
    #expect(denied.map(\.question) == [question])
    #expect(denied.first?.decision == decision)
    #expect(denied.first?.decision?.ending?.evidence?.guardian == "uid:1000")
    #expect(denied.first?.canAnswer == false)
    #expect(try cards(state: .approved).isEmpty)
    #expect(try describe(question).decision == decision)
  }

  @Test func `a question past its deadline cannot be answered, noticed or not`() throws {
    world.clock.pass(30 * Span.day)
    let card = try describe(question)
    #expect(!card.canAnswer)
    #expect(card.decision?.state == .expired)
    #expect(try world.kinds() == [.asked])
  }

  @Test(arguments: 1...4)
  func `pages neither skip nor repeat a question`(limit: Int) throws {
    let all =
      [question]
      + (try (0..<5).map { try world.question(.resource("org.example.r\($0)"), by: $0 % 2 == 0 ? .game : .chat) })
    var pages: [[QuestionID]] = []
    var place: Int64?
    repeat {
      let page = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: place, limit: limit)
      pages.append(page.cards.map(\.question))
      place = page.next
    } while place != nil
    #expect(pages.flatMap(\.self) == all)
    #expect(pages.allSatisfy { $0.count <= limit && !$0.isEmpty })
  }

  @Test func `a page carries no more than any peer takes, and always one card`() throws {
    let words = String(repeating: "\u{1F600}", count: 1_000)
    for number in 0..<80 {
      let topic = try Topic(json: [
        "kind": "significantUpdate", "change": .string("4.\(number)"), "description": .string(words),
        "personDescription": .string(words), "ifDenied": .string(words),
      ])
      _ = try world.question(topic, by: Asker(uid: UserID(3_000 + number), app: .chat))
    }
    let first = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 1_000)
    let bytes = first.cards.reduce(0) { $0 + JSONObject.size(of: $1.topic) }
    #expect((1..<300_000).contains(bytes))
    #expect(first.cards.count > 10)
    let rest = try world.broker.cards(
      for: .ann, person: nil, app: nil, state: .pending, after: first.next, limit: 1_000)
    #expect(rest.cards.count > 10)
    #expect(Set(first.cards.map(\.question)).isDisjoint(with: rest.cards.map(\.question)))
  }
}

extension JSONObject {
  fileprivate static func size(of object: JSONObject) -> Int { object.encoded().count }
}
