// SPDX-License-Identifier: Apache-2.0
//
// The status of a topic, for every combination of what it depends on: the whole table is walked, and each line is judged
// by the first rule that speaks of it.

import Testing

@testable import ConsentModel

@Suite struct StatusRuleTests {
  private static let question = QuestionID.random()
  private static let grant = GrantID.random()
  private static let now = Instant(usec: 1_000)
  private static let later = Instant(usec: 2_000)
  private static let coverages: [StatusFacts.Coverage] = [
    .none, .part(grant), .full(grant, until: nil), .full(grant, until: later),
  ]
  private static let settlements: [SettledTopic?] = [nil] + SettledTopic.allCases

  /// Every latest question: none, or each state, open until later or overdue, about the topic or not, revoked or not.
  private static var latests: [StatusFacts.Latest?] {
    let facts = QuestionState.allCases.flatMap { state in
      [later, now].flatMap { expiresAt in
        [(true, true), (true, false), (false, true), (false, false)].map { isAboutTopic, isRevoked in
          var latest = StatusFacts.Latest(question: question, state: state, expiresAt: expiresAt)
          latest.isAboutTopic = isAboutTopic
          latest.isRevoked = isRevoked
          return latest
        }
      }
    }
    return [nil] + facts
  }

  /// Every combination of facts.
  private static var all: [StatusFacts] {
    var all: [StatusFacts] = []
    for standing in Standing.allCases {
      for isInstalledAfter in [true, false] {
        for coverage in coverages {
          for settled in settlements {
            for latest in latests {
              for coolingUntil in [nil, now, later] {
                var facts = StatusFacts(standing: standing)
                facts.isInstalledAfter = isInstalledAfter
                (facts.coverage, facts.settled, facts.latest) = (coverage, settled, latest)
                facts.coolingUntil = coolingUntil
                all.append(facts)
              }
            }
          }
        }
      }
    }
    return all
  }

  private func answer(_ facts: StatusFacts) -> StatusAnswer { StatusRule.answer(facts, now: Self.now) }

  /// The state of the latest question at this moment.
  private func state(_ facts: StatusFacts) -> QuestionState? {
    facts.latest.map { $0.state == .pending && $0.expiresAt <= Self.now ? .expired : $0.state }
  }

  @Test func `every combination has the answer of the first rule that speaks`() {
    var count = 0
    for facts in Self.all {
      let (told, expected) = (answer(facts), expected(facts))
      if told != expected { Issue.record("\(facts): \(told), not \(expected)") }
      count += 1
    }
    #expect(count == 3 * 2 * 4 * 4 * 57 * 3)
  }

  /// The rules again, each as one line.
  private func expected(_ facts: StatusFacts) -> StatusAnswer {
    let isCooling = facts.coolingUntil == Self.later
    let isAsked = facts.latest?.isAboutTopic == true
    let (ask, until): (NextAction, Instant?) = isCooling ? (.askLater, Self.later) : (.ask, nil)
    var answer: StatusAnswer
    switch (facts.standing, facts.coverage, state(facts), facts.settled) {
    case (.adult, _, _, _): answer = StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .adult)
    case _ where facts.isInstalledAfter:
      answer = StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .installedAfter)
    case (_, .full(let grant, let until), _, _):
      answer = StatusAnswer(status: .approved, nextAction: .proceed, grant: grant, until: until)
    case (_, _, .pending?, _) where isAsked: answer = StatusAnswer(status: .pending, nextAction: .wait)
    case (_, _, _, .restricted?):
      answer = StatusAnswer(status: .restricted, nextAction: .askGuardian, reason: .settings)
    case (_, _, _, .denied?): answer = StatusAnswer(status: .denied, nextAction: .askGuardian, reason: .settings)
    case (_, _, _, .neverAsk?): answer = StatusAnswer(status: .denied, nextAction: .askGuardian, reason: .neverAsk)
    case (_, .part(let grant), _, nil):
      answer = StatusAnswer(status: .limited, nextAction: ask, reason: .narrowed, grant: grant, until: until)
    case (_, .none, .denied?, nil) where isAsked:
      answer = StatusAnswer(status: .denied, nextAction: ask, until: until)
    case (_, .none, .approved?, nil) where isAsked && facts.latest?.isRevoked == true:
      answer = StatusAnswer(status: .denied, nextAction: ask, reason: .revoked, until: until)
    default: answer = StatusAnswer(status: .notDetermined, nextAction: ask, until: until)
    }
    if facts.standing == .unguarded, answer.nextAction != .proceed {
      (answer.reason, answer.until) = (.noGuardian, nil)
      if answer.nextAction != .wait { answer.nextAction = .askLater }
    }
    answer.question = facts.latest?.question
    return answer
  }

  @Test func `an app proceeds only by age, by installation or by grant of everything`() {
    for facts in Self.all {
      var isFree = facts.standing == .adult || facts.isInstalledAfter
      if case .full = facts.coverage { isFree = true }
      if (answer(facts).nextAction == .proceed) != isFree { Issue.record("\(facts)") }
    }
  }

  @Test func `a status that says until when to wait says to wait, or when its grant ends`() {
    for facts in Self.all {
      let told = answer(facts)
      if let until = told.until {
        #expect(until > Self.now)
        #expect(told.nextAction == .askLater || told.status == .approved)
      }
    }
  }

  @Test(arguments: [(999, .pending), (1_000, .notDetermined), (1_001, .notDetermined)] as [(Int64, Status)])
  func `a question is pending until its deadline and not at it`(now: Int64, status: Status) {
    var facts = StatusFacts(standing: .guarded)
    facts.latest = StatusFacts.Latest(question: Self.question, state: .pending, expiresAt: Instant(usec: 1_000))
    #expect(StatusRule.answer(facts, now: Instant(usec: now)).status == status)
  }

  @Test func `a person nobody enrolled may be asked about later`() {
    let expected = StatusAnswer(status: .notDetermined, nextAction: .askLater, reason: .noGuardian)
    #expect(answer(StatusFacts(standing: .unguarded)) == expected)
  }
}
