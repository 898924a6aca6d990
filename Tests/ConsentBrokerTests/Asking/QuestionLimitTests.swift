// SPDX-License-Identifier: Apache-2.0
//
// How many questions may be open: only what would add one is refused, and a refusal changes nothing.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct QuestionLimitTests {
  let world: World

  init() throws {
    world = try .family()
    world.broker.rules.limits = QuestionLimits(perUser: 3, perAccount: 2, total: .max)
  }

  private func expectRefusal(_ refusal: Refusal, of request: AskRequest, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let open = try world.broker.statistics().openQuestions
    #expect(throws: refusal, sourceLocation: location) { try world.ask(request) }
    #expect(try world.broker.statistics().openQuestions == open, sourceLocation: location)
  }

  private func fill() throws -> [QuestionID] {
    try (1...3).map { try world.question(.resource("org.example.r\($0)")) }
  }

  @Test func `the question above the limit is refused, whichever of the user's apps asks`() throws {
    _ = try fill()
    for asker in [Asker.chat, .game, .nameless] {
      try expectRefusal(.tooManyPending(limit: 3), of: try .of(.resource("org.example.r4"), by: asker))
    }
  }

  @Test func `joining an open question, taking its place and repeating a key are no new question`() throws {
    let keyed = try world.question(.resource("org.example.r1"), key: "first")
    _ = try world.question(.resource("org.example.r2"))
    _ = try world.question(.resource("org.example.r3"))
    #expect(try world.question(.resource("org.example.r2")) != keyed)
    #expect(try world.question(.resource("org.example.r1"), key: "first") == keyed)
    let successor = try world.question(.resource("org.example.r2", "Other words"))
    #expect(try world.look(successor).state == .pending)
    #expect(try world.broker.statistics().openQuestions == 3)
  }

  @Test func `a question that ended, or whose time is up, makes room`() throws {
    let questions = try fill()
    try world.run { [world] in _ = try await world.broker.withdraw(questions[0].description, asUID: 1001) }
    _ = try world.question(.resource("org.example.r4"))
    world.clock.now = Instant(usec: world.clock.now.usec + 31 * Span.day)
    _ = try world.question(.resource("org.example.r5"))
  }

  @Test func `other people are not concerned`() throws {
    _ = try fill()
    try world.enrol(.leo)
    _ = try world.question(.resource("org.example.r2"), by: Asker(uid: 1003, app: .chat), about: .leo)
  }

  @Test func `a service has as many for each of its accounts`() throws {
    let service = Asker(uid: 990, app: .chat)
    let accounts = [Person.kim, .account(app: .chat, opaque: "kai")]
    for account in accounts {
      try world.enrol(account)
      for number in 1...2 { _ = try world.question(.resource("org.example.r\(number)"), by: service, about: account) }
    }
    for account in accounts {
      try expectRefusal(.tooManyPending(limit: 2), of: try .of(.resource("org.example.r3"), by: service, about: account))
    }
  }

  @Test func `the store holds so many, as they were last counted`() throws {
    world.broker.rules.limits = QuestionLimits(perUser: .max, perAccount: .max, total: 2)
    _ = try world.question(.resource("org.example.r1"))
    _ = try world.question(.resource("org.example.r2"))
    #expect(try world.broker.statistics().openQuestions == 2)
    try expectRefusal(.notAvailable(reason: .tooManyQuestions, retryable: true), of: try .of(.resource("org.example.r3")))
    _ = try world.question(.resource("org.example.r2"))
  }
}
