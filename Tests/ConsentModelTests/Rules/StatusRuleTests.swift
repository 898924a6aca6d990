// SPDX-License-Identifier: Apache-2.0
//
// The status of a topic for every standing, grant and latest question.

import Testing

@testable import ConsentModel

@Suite struct StatusRuleTests {
  private static let question = QuestionID.random()
  private static let grant = GrantID.random()
  private static let deadline = Instant(usec: 1_000)
  private static let states: [QuestionState?] = [nil] + QuestionState.allCases

  @Test(arguments: states, [nil, grant])
  func `an adult needs no consent, whatever was asked`(state: QuestionState?, grant: GrantID?) {
    let expected = StatusAnswer(
      status: .notRequired, nextAction: .proceed, reason: .adult, question: question(of: state))
    #expect(answer(.adult, grant: grant, latest: state) == expected)
  }

  @Test(arguments: [Standing.guarded, .unguarded], states)
  func `a grant of every item is a yes, whoever may decide today`(standing: Standing, state: QuestionState?) {
    let expected = StatusAnswer(
      status: .approved, nextAction: .proceed, question: question(of: state), grant: StatusRuleTests.grant)
    #expect(answer(standing, grant: StatusRuleTests.grant, latest: state) == expected)
  }

  @Test(
    arguments: [
      (nil, .notDetermined, .ask), (.pending, .pending, .wait), (.approved, .notDetermined, .ask),
      (.denied, .denied, .ask), (.expired, .notDetermined, .ask), (.withdrawn, .notDetermined, .ask),
      (.superseded, .notDetermined, .ask), (.moot, .notDetermined, .ask),
    ] as [(QuestionState?, Status, NextAction)])
  func `without a grant the latest question speaks`(state: QuestionState?, status: Status, next: NextAction) {
    let question = question(of: state)
    #expect(
      answer(.guarded, latest: state) == StatusAnswer(status: status, nextAction: next, question: question))
    let lonely = StatusAnswer(
      status: status, nextAction: next == .ask ? .askLater : next, reason: .noGuardian, question: question)
    #expect(answer(.unguarded, latest: state) == lonely)
  }

  @Test func `a person nobody enrolled may be asked about later`() {
    let expected = StatusAnswer(status: .notDetermined, nextAction: .askLater, reason: .noGuardian)
    #expect(answer(.unguarded, latest: nil) == expected)
  }

  @Test(arguments: [(999, .pending), (1_000, .notDetermined), (1_001, .notDetermined)] as [(Int64, Status)])
  func `a question is pending until its deadline and not at it`(now: Int64, status: Status) {
    #expect(answer(.guarded, latest: .pending, now: Instant(usec: now)).status == status)
  }

  /// Nothing but an adult's standing or a live grant lets an app go on.
  @Test(arguments: Standing.allCases, states)
  func `an app proceeds only by age or by grant`(standing: Standing, state: QuestionState?) {
    for grant in [nil, StatusRuleTests.grant] {
      let isFree = standing == .adult || grant != nil
      #expect((answer(standing, grant: grant, latest: state).nextAction == .proceed) == isFree)
    }
  }

  /// A status names the latest question, whatever became of it.
  private func question(of state: QuestionState?) -> QuestionID? { state.map { _ in StatusRuleTests.question } }

  private func answer(
    _ standing: Standing, grant: GrantID? = nil, latest: QuestionState?, now: Instant = Instant(usec: 0)
  ) -> StatusAnswer {
    let latest = latest.map {
      StatusFacts.Latest(question: StatusRuleTests.question, state: $0, expiresAt: StatusRuleTests.deadline)
    }
    return StatusRule.answer(StatusFacts(standing: standing, grant: grant, latest: latest), now: now)
  }
}
