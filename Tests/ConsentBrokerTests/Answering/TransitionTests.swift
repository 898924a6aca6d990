// SPDX-License-Identifier: Apache-2.0
//
// Every event in every state of a question, on the real store: what is open ends in one way, and what has ended keeps its
// end, whatever comes.

import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct TransitionTests {
  /// What can happen to a question.
  enum Event: CaseIterable {
    case approve, deny, vote, expire, withdraw, supersede, moot, revoke

    /// The state that an open question has afterwards.
    var result: QuestionState {
      switch self {
      case .approve: .approved
      case .deny: .denied
      case .vote, .revoke: .pending
      case .expire: .expired
      case .withdraw: .withdrawn
      case .supersede: .superseded
      case .moot: .moot
      }
    }

    /// The event that leads an open question into a state; none where it is open.
    static func leading(to state: QuestionState) -> Event? {
      state == .pending ? nil : allCases.first { $0.result == state }
    }
  }

  /// Does it. What is refused is told, and any other failure is one.
  private func apply(_ event: Event, to question: QuestionID, in world: World) throws -> Refusal? {
    do {
      switch event {
      case .approve, .vote:
        _ = try world.set(.guardianRule, event == .vote ? "all" : "any", app: nil)
        try world.answer(.of(question))
      case .deny: try world.answer(.of(question, "deny"))
      case .expire:
        world.clock.now = Instant(usec: world.clock.now.usec + 400 * 24 * Span.hour)
        try world.run { [world] in try await world.broker.expireDue() }
      case .withdraw: _ = try world.withdraw(question)
      case .supersede: _ = try world.ask(.of(.update("2.0", "Other words")))
      case .moot:
        _ = try world.run { [world] in
          let age = DeclaredAge.bounds(lower: 18, upper: nil, asOf: .spring)
          return try await world.broker.declareAge(age, of: .mia, by: .user(1000), assurance: .unchecked)
        }
      case .revoke:
        _ = try world.run { [world] in
          try await world.broker.revoke(.person(.mia, app: nil), note: nil, by: .ann)
        }
      }
      return nil
    } catch let refusal as Refusal {
      return refusal
    }
  }

  /// Whether the event is an answer, and not the very one that ended the question.
  private func isLate(_ event: Event, in state: QuestionState) -> Bool {
    switch event {
    case .approve, .vote: state != .pending && state != .approved
    case .deny: state != .pending && state != .denied
    case .expire, .withdraw, .supersede, .moot, .revoke: false
    }
  }

  @Test(arguments: QuestionState.allCases, Event.allCases)
  func `what is open ends in one way, and what has ended keeps its end`(state: QuestionState, event: Event) throws {
    let world = try World.family([.ann, .bob])
    let question = try world.question(.update("2.0"))
    if let first = Event.leading(to: state) { #expect(try apply(first, to: question, in: world) == nil) }
    #expect(try world.look(question).state == state)
    let ending = try world.look(question).ending
    let refusal = try apply(event, to: question, in: world)
    let after = try world.look(question)
    #expect(after.state == (state == .pending ? event.result : state))
    if state != .pending { #expect(after.ending == ending) }
    if isLate(event, in: state), let at = ending?.at {
      #expect(refusal == .alreadyDecided(state: state, decidedAt: at))
    } else {
      #expect(refusal == nil)
    }
    if state == .approved { #expect(after.nextAction == (event == .revoke ? .ask : .proceed)) }
  }
}
