// SPDX-License-Identifier: Apache-2.0
//
// How a topic stands, without asking anybody: a total function of what is known. In this order: an adult needs no
// consent, nor does who never had the app without the change; a live grant of every item is a yes, whoever may decide
// today; an open question that asks it is waited for; what a guardian has settled stands; a grant of some items is a
// limited yes; then the latest question speaks; without one, or with one that says nothing any more, the app may ask, if
// there is somebody to ask and it is time.
//
// A moot question says that nothing was to be asked then. Whether that is so now is for the person's standing, which
// was judged before: a corrected birth date makes no adult of a minor.

/// How a topic stands.
package enum Status: String, CaseIterable, Sendable {
  case notDetermined, pending, approved, limited, denied, restricted, notRequired
}

/// What the status of a topic depends on.
package struct StatusFacts: Sendable {
  /// What live grants give of a topic.
  package enum Coverage: Sendable, Equatable {
    case none
    /// Some of its items.
    case part(GrantID)
    /// Every item, until one of the grants ends by itself.
    case full(GrantID, until: Instant?)
  }

  /// The latest question of the person, asker and topic key; where it was superseded, the last that took its place.
  package struct Latest: Sendable {
    package let question: QuestionID
    package let state: QuestionState
    package let expiresAt: Instant
    /// Whether it asks every item of the topic: one that took another's place may not.
    package var isAboutTopic = true
    /// Whether a guardian took back what it gave.
    package var isRevoked = false

    package init(question: QuestionID, state: QuestionState, expiresAt: Instant) {
      self.question = question
      self.state = state
      self.expiresAt = expiresAt
    }
  }

  package var standing: Standing
  /// Whether the person never had the app without the change.
  package var isInstalledAfter = false
  package var coverage = Coverage.none
  package var settled: SettledTopic?
  package var latest: Latest?
  /// Until when an ask would be refused for having been asked before; absent where it would not.
  package var coolingUntil: Instant?

  package init(standing: Standing) { self.standing = standing }
}

/// What `GetStatus` answers.
package struct StatusAnswer: Sendable, Equatable {
  package let status: Status
  package var nextAction: NextAction
  package var reason: Reason?
  package var question: QuestionID?
  package var grant: GrantID?
  /// Until when it holds by itself, or before when asking again is useless.
  package var until: Instant?

  package init(
    status: Status, nextAction: NextAction, reason: Reason? = nil, question: QuestionID? = nil, grant: GrantID? = nil,
    until: Instant? = nil
  ) {
    self.status = status
    self.nextAction = nextAction
    self.reason = reason
    self.question = question
    self.grant = grant
    self.until = until
  }
}

/// The status of a topic at an instant.
package enum StatusRule {
  /// What `GetStatus` answers at `now`.
  package static func answer(_ facts: StatusFacts, now: Instant) -> StatusAnswer {
    var answer = free(facts) ?? guarded(facts, now: now)
    answer.question = facts.latest?.question
    return answer
  }

  /// The answer where nobody has to be asked.
  private static func free(_ facts: StatusFacts) -> StatusAnswer? {
    if facts.standing == .adult { return StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .adult) }
    if facts.isInstalledAfter {
      return StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .installedAfter)
    }
    guard case .full(let grant, let until) = facts.coverage else { return nil }
    return StatusAnswer(status: .approved, nextAction: .proceed, grant: grant, until: until)
  }

  /// The answer where somebody does. Where there is nobody, that is the reason, and time alone changes nothing.
  private static func guarded(_ facts: StatusFacts, now: Instant) -> StatusAnswer {
    var answer = judge(facts, now: now)
    guard facts.standing == .unguarded else { return answer }
    answer.reason = .noGuardian
    answer.until = nil
    if answer.nextAction != .wait { answer.nextAction = .askLater }
    return answer
  }

  private static func judge(_ facts: StatusFacts, now: Instant) -> StatusAnswer {
    let state = facts.latest.map { $0.state.seen(at: now, expiresAt: $0.expiresAt) }
    let isAboutTopic = facts.latest?.isAboutTopic == true
    if state == .pending, isAboutTopic { return StatusAnswer(status: .pending, nextAction: .wait) }
    if let settled = facts.settled {
      return StatusAnswer(status: settled.status, nextAction: .askGuardian, reason: settled.reason)
    }
    let until = facts.coolingUntil.flatMap { $0 > now ? $0 : nil }
    let ask: NextAction = until == nil ? .ask : .askLater
    if case .part(let grant) = facts.coverage {
      return StatusAnswer(status: .limited, nextAction: ask, reason: .narrowed, grant: grant, until: until)
    }
    switch state {
    case .denied? where isAboutTopic: return StatusAnswer(status: .denied, nextAction: ask, until: until)
    case .approved? where isAboutTopic && facts.latest?.isRevoked == true:
      return StatusAnswer(status: .denied, nextAction: ask, reason: .revoked, until: until)
    case .pending?, .approved?, .denied?, .expired?, .withdrawn?, .superseded?, .moot?, nil:
      return StatusAnswer(status: .notDetermined, nextAction: ask, until: until)
    }
  }
}
