// SPDX-License-Identifier: Apache-2.0
//
// What an ask led to: a question, or the reason why none is needed.

/// The result of `Ask`: durable before anybody sees it.
package struct Asked: Sendable, Equatable {
  package var topicKey: String
  package var verdict: Verdict

  package init(topicKey: String, verdict: Verdict) {
    self.topicKey = topicKey
    self.verdict = verdict
  }

  /// Whether there is a question, and if not, why not.
  package enum Verdict: Sendable, Equatable {
    /// Nobody needs to be asked.
    case notRequired(Reason)
    /// A grant covers every item asked.
    case granted(GrantID)
    /// A guardian has settled it, and nobody is asked.
    case settled(SettledTopic)
    /// A question stands, newly made or already there.
    case question(Standing)
  }

  /// A question as its asker finds it.
  package struct Standing: Sendable, Equatable {
    package var decision: Decision
    /// Whether it was there before this ask.
    package var joined: Bool
    package var expiresAt: Instant
    package var reach: Reach

    package init(decision: Decision, joined: Bool, expiresAt: Instant, reach: Reach) {
      self.decision = decision
      self.joined = joined
      self.expiresAt = expiresAt
      self.reach = reach
    }
  }
}

/// How far a question has come on its way to somebody who can answer it.
package enum Reach: String, Sendable {
  /// No companion of a guardian has had it yet.
  case none
  /// A watch or a list carried it to someone who can answer.
  case delivered
  /// Such a one looked at it by itself.
  case seen
}
