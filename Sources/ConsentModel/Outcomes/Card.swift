// SPDX-License-Identifier: Apache-2.0
//
// A question as a guardian's companion shows it.

package import StrictJSON

/// All that a guardian needs to decide, and what must be sent back with the answer (`contentHash`).
package struct Card: Sendable {
  package var question: QuestionID
  package var person: Person
  package var asker: Asker
  package var provenance: Provenance
  /// The asker's names by language, where an entry vouches for it.
  package var names: [String: String]
  package var decider: Decider
  package var topic: JSONObject
  package var topicKey: String
  package var choices: [OfferedChoice]
  package var contentHash: String
  package var state: QuestionState
  package var askedAt: Instant
  package var expiresAt: Instant
  /// How often a question with this key was put by this asker about this person, this one included.
  package var timesAsked: Int
  package var plan: String?
  /// Callers parked on it now.
  package var waiters: Int
  package var votes: Votes
  /// The person's guardians for whom the viewer speaks.
  package var guardians: [Guardian]
  /// Whether the viewer may answer it now.
  package var canAnswer: Bool
  /// Whether it has reached somebody who can answer; not on the wire.
  package var isDelivered: Bool
  /// How it ended; absent while pending.
  package var decision: Decision?

  package init(
    question: QuestionID, person: Person, asker: Asker, provenance: Provenance, names: [String: String],
    decider: Decider, topic: JSONObject, topicKey: String, choices: [OfferedChoice], contentHash: String,
    state: QuestionState, askedAt: Instant, expiresAt: Instant, timesAsked: Int, plan: String?, waiters: Int,
    votes: Votes, guardians: [Guardian], canAnswer: Bool, isDelivered: Bool, decision: Decision?
  ) {
    self.question = question
    self.person = person
    self.asker = asker
    self.provenance = provenance
    self.names = names
    self.decider = decider
    self.topic = topic
    self.topicKey = topicKey
    self.choices = choices
    self.contentHash = contentHash
    self.state = state
    self.askedAt = askedAt
    self.expiresAt = expiresAt
    self.timesAsked = timesAsked
    self.plan = plan
    self.waiters = waiters
    self.votes = votes
    self.guardians = guardians
    self.canAnswer = canAnswer
    self.isDelivered = isDelivered
    self.decision = decision
  }
}

/// Approvals given and needed.
package struct Votes: Sendable, Equatable {
  package var have: Int
  package var need: Int

  package init(have: Int, need: Int) {
    self.have = have
    self.need = need
  }
}

/// One entry of a guardian's watch.
package enum CardChange: Sendable {
  case added(Card)
  case changed(Card)
  /// The question is still open, and the companion can answer it.
  case reminder(Card)
  /// The question ended; `reason` is its state, and who ended it where a guardian did.
  case removed(Card, reason: String)
  /// A guardian took back what the question gave.
  case revoked(Card)
  /// Everything that was open has been sent.
  case ready

  /// The card, where it is new to the companion.
  package var added: Card? { if case .added(let card) = self { card } else { nil } }
}
