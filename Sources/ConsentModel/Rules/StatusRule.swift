// SPDX-License-Identifier: Apache-2.0
//
// How a topic stands, without asking anybody: a total function of what is known. In this order: an adult needs no
// consent; a live grant of every item is a yes, whoever may decide today; then the latest question of the topic's key
// speaks; without one, or with one that says nothing any more, the app may ask, if there is somebody to ask.
//
// A moot question says that nothing was to be asked then. Whether that is so now is for the person's standing, which
// was judged before: a corrected birth date makes no adult of a minor.

/// How a topic stands.
package enum Status: String, CaseIterable, Sendable {
  case notDetermined, pending, approved, limited, denied, restricted, notRequired
}

/// What the status of a topic depends on.
package struct StatusFacts: Sendable {
  /// The latest question of the person, asker and topic key; where it was superseded, the last that took its place.
  package struct Latest: Sendable {
    package let question: QuestionID
    package let state: QuestionState
    package let expiresAt: Instant

    package init(question: QuestionID, state: QuestionState, expiresAt: Instant) {
      self.question = question
      self.state = state
      self.expiresAt = expiresAt
    }
  }

  package let standing: Standing
  /// A live grant, where live grants cover every item of the topic.
  package let grant: GrantID?
  package let latest: Latest?

  package init(standing: Standing, grant: GrantID?, latest: Latest?) {
    self.standing = standing
    self.grant = grant
    self.latest = latest
  }
}

/// What `GetStatus` answers.
package struct StatusAnswer: Sendable, Equatable {
  package let status: Status
  package let nextAction: NextAction
  package var reason: Reason?
  package var question: QuestionID?
  package var grant: GrantID?
}

/// The status of a topic at an instant.
package enum StatusRule {
  /// What `GetStatus` answers at `now`.
  package static func answer(_ facts: StatusFacts, now: Instant) -> StatusAnswer {
    var answer = judge(facts, now: now)
    answer.question = facts.latest?.question
    return answer
  }

  private static func judge(_ facts: StatusFacts, now: Instant) -> StatusAnswer {
    if facts.standing == .adult {
      return StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .adult)
    }
    if let grant = facts.grant {
      return StatusAnswer(status: .approved, nextAction: .proceed, grant: grant)
    }
    let reason: Reason? = facts.standing == .unguarded ? .noGuardian : nil
    let ask: NextAction = facts.standing == .unguarded ? .askLater : .ask
    switch facts.latest.map({ $0.state.seen(at: now, expiresAt: $0.expiresAt) }) {
    case .pending?: return StatusAnswer(status: .pending, nextAction: .wait, reason: reason)
    case .denied?: return StatusAnswer(status: .denied, nextAction: ask, reason: reason)
    case .approved?, .expired?, .withdrawn?, .superseded?, .moot?, nil:
      return StatusAnswer(status: .notDetermined, nextAction: ask, reason: reason)
    }
  }
}
