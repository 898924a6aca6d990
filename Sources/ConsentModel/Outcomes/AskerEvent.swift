// SPDX-License-Identifier: Apache-2.0
//
// One entry of an asker's durable log, as `Responses` replays it.

package import StrictJSON

/// Something that happened to a question or a grant of an asker.
package struct AskerEvent: Sendable, Equatable {
  /// Counts per asker from 1, without a gap.
  package var sequence: Int64
  package var kind: Kind
  /// Absent with `ready`.
  package var person: Person?
  package var topic: JSONObject?
  package var topicKey: String?
  package var question: QuestionID?
  package var decision: Decision?
  package var grant: GrantID?
  package var at: Instant

  package init(
    sequence: Int64, kind: Kind, person: Person? = nil, topic: JSONObject? = nil, topicKey: String? = nil,
    question: QuestionID? = nil, decision: Decision? = nil, grant: GrantID? = nil, at: Instant
  ) {
    self.sequence = sequence
    self.kind = kind
    self.person = person
    self.topic = topic
    self.topicKey = topicKey
    self.question = question
    self.decision = decision
    self.grant = grant
    self.at = at
  }

  /// What happened. Open on the wire.
  package enum Kind: String, Sendable {
    case asked
    case delivered
    case decided
    case expired
    case withdrawn
    case superseded
    case moot
    case granted
    case revoked
    case grantEnded
    /// Not an event: marks the end of the replay, with the newest sequence.
    case ready
  }
}

extension QuestionState {
  /// The event that records this state's arrival; none for a question that is open.
  package var arrival: AskerEvent.Kind? {
    switch self {
    case .pending: nil
    case .approved, .denied: .decided
    case .expired: .expired
    case .withdrawn: .withdrawn
    case .superseded: .superseded
    case .moot: .moot
    }
  }
}
