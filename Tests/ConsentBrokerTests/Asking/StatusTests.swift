// SPDX-License-Identifier: Apache-2.0
//
// Where a topic stands: an answer for every way a question can stand or have ended, without writing anything.

import ConsentStore
import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct StatusTests {
  /// What has happened to the latest question about a topic.
  enum History: CaseIterable {
    case never, open, overdue, approved, approvedOnce, denied, expired, withdrawn, superseded, moot

    var answer: (Status, NextAction) {
      switch self {
      case .never, .overdue, .approvedOnce, .expired, .withdrawn: (.notDetermined, .ask)
      case .moot: (.notDetermined, .askLater)
      case .open, .superseded: (.pending, .wait)
      case .approved: (.approved, .proceed)
      case .denied: (.denied, .ask)
      }
    }

    /// Lets it happen, and gives the question that a status names.
    func happen(in world: World) throws -> QuestionID? {
      guard self != .never else { return nil }
      let question = try world.question(.resource(), expiresInUSec: Span.hour)
      switch self {
      case .never, .open: break
      case .overdue: world.clock.pass(Span.hour)
      case .approved: try world.answer(.of(question))
      case .approvedOnce: try world.answer(.of(question, "approveOnce"))
      case .denied: try world.answer(.of(question, "deny"))
      case .expired:
        world.clock.pass(Span.hour)
        try world.run { try await world.broker.expireDue() }
      case .withdrawn: try world.withdraw(question)
      case .superseded: return try world.question(.resource("org.example.screenTime", "Other words"))
      case .moot: try world.run { try await world.broker.removePerson(.mia) }
      }
      return question
    }
  }

  @Test(arguments: History.allCases)
  func `every history has a status, and a look writes nothing`(history: History) throws {
    let world = try World.family()
    let question = try history.happen(in: world)
    let before = world.store.statistics
    let found = try world.broker.status(
      StatusRequest(asker: .chat, provenance: .claimed, person: .mia, subject: Topic.resource().subject))
    #expect(found.topicKey == "resource/org.example.screenTime")
    #expect((found.answer.status, found.answer.nextAction) == history.answer)
    #expect(found.answer.question == question)
    #expect((found.answer.grant != nil) == (history == .approved))
    #expect(found.answer.reason == (history == .moot ? .noGuardian : nil))
    #expect(world.commit() == 0)
    #expect(world.store.statistics == before)
  }

  @Test(arguments: History.allCases)
  func `a status is the same after a crash`(history: History) throws {
    let world = try World.family()
    _ = try history.happen(in: world)
    #expect(try world.afterCrash().status(.resource()) == world.status(.resource()))
  }

  @Test(arguments: History.allCases.filter { $0 != .moot })
  func `nobody is asked about an adult, whatever was asked before`(history: History) throws {
    let world = try World.family()
    let question = try history.happen(in: world)
    try world.declare(.bounds(lower: 18, upper: nil, asOf: .spring))
    #expect(
      try world.status(.resource())
        == StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .adult, question: question))
  }

  @Test func `somebody nobody enrolled has a status too`() throws {
    let world = try World()
    #expect(
      try world.status()
        == StatusAnswer(status: .notDetermined, nextAction: .askLater, reason: .noGuardian))
    #expect(try world.store.read { try $0.counts() } == StoreCounts(people: 0, openQuestions: 0))
  }

  @Test func `another asker's questions are not the caller's`() throws {
    let world = try World.family()
    _ = try world.question()
    #expect(try world.status(by: .game) == StatusAnswer(status: .notDetermined, nextAction: .ask))
  }
}
