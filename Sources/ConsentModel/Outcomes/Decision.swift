// SPDX-License-Identifier: Apache-2.0
//
// What a caller learns of a question: how it stands or how it ended.
//
// One shape serves `Await`, `Request`, `Answer` and the events of `Responses`, so that an app that understands one
// understands all. A decision never says who the guardian is: evidence carries an opaque name.

package import StrictJSON

/// How a question stands (`pending`) or ended, as its asker may see it.
package struct Decision: Sendable, Equatable {
  package var question: QuestionID
  /// Absent where what was asked was erased.
  package var topic: JSONObject?
  /// Empty where what was asked was erased.
  package var topicKey: String
  package var state: QuestionState
  package var nextAction: NextAction
  /// Absent while pending.
  package var ending: Ending?
  /// The question that took this one's place, where it was superseded.
  package var successor: QuestionID?

  package init(
    question: QuestionID, topic: JSONObject?, topicKey: String, state: QuestionState, nextAction: NextAction,
    ending: Ending? = nil, successor: QuestionID? = nil
  ) {
    self.question = question
    self.topic = topic
    self.topicKey = topicKey
    self.state = state
    self.nextAction = nextAction
    self.ending = ending
    self.successor = successor
  }

  /// What is known of the end of a question.
  package struct Ending: Sendable, Equatable {
    package var at: Instant
    package var decidedBy: DecidedBy?
    package var choice: String?
    package var reason: String?
    package var grant: GrantID?
    package var evidence: Evidence?
    /// Whether the daemon ran as a sandbox, so that nobody's consent was given.
    package var isSynthetic: Bool

    package init(
      at: Instant, decidedBy: DecidedBy? = nil, choice: String? = nil, reason: String? = nil, grant: GrantID? = nil,
      evidence: Evidence? = nil, isSynthetic: Bool = false
    ) {
      self.at = at
      self.decidedBy = decidedBy
      self.choice = choice
      self.reason = reason
      self.grant = grant
      self.evidence = evidence
      self.isSynthetic = isSynthetic
    }
  }

  /// What a decision rests on.
  package struct Evidence: Sendable, Equatable {
    /// For an asker an opaque name, the same for the same guardian; for guardians who it was.
    package var guardian: String
    /// The road the answer came on: `local` (a peer of this machine) or `bridge`.
    package var channel: String
    /// How strongly the guardian's identity was checked.
    package var assurance: String
    /// SHA-256 of what was shown, 64 hex digits.
    package var contentHash: String
    /// The policy in force.
    package var policy: String

    package init(guardian: String, channel: String, assurance: String, contentHash: String, policy: String) {
      self.guardian = guardian
      self.channel = channel
      self.assurance = assurance
      self.contentHash = contentHash
      self.policy = policy
    }
  }
}
