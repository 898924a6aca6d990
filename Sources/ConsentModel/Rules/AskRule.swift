// SPDX-License-Identifier: Apache-2.0
//
// The order inside an ask, once its asker may ask about the person (design, rule 4): the ask's own key, an adult, a
// grant of every item, somebody to ask, an open question with the same content, a new question. The key comes first
// so that a retry gets its own question whatever has changed since. Somebody to ask comes before the open question:
// one that nobody may answer is not joined, the caller learns at once that there is no guardian (rule 8).
//
// It is judged inside the transaction that acts on it, so what it is told is true when it is done.

/// What an ask meets.
package struct AskFacts: Sendable {
  /// What the ask's `key` stands for, if it came with one that this asker used before about this person.
  package struct Keyed: Sendable {
    package let question: QuestionID
    package let topicHash: String
    package let askedAt: Instant

    package init(question: QuestionID, topicHash: String, askedAt: Instant) {
      self.question = question
      self.topicHash = topicHash
      self.askedAt = askedAt
    }
  }

  /// The pending question of the person, asker and topic key. One past its deadline has been expired before.
  package struct Open: Sendable {
    package let question: QuestionID
    package let contentHash: String
    package let expiresAt: Instant

    package init(question: QuestionID, contentHash: String, expiresAt: Instant) {
      self.question = question
      self.contentHash = contentHash
      self.expiresAt = expiresAt
    }
  }

  package let topicHash: String
  package let contentHash: String
  /// The deadline this ask wants.
  package let expiresAt: Instant
  package let keyed: Keyed?
  package let standing: Standing
  /// A live grant, where live grants cover every item of the topic.
  package let grant: GrantID?
  package let open: Open?

  package init(
    topicHash: String, contentHash: String, expiresAt: Instant, keyed: Keyed?, standing: Standing, grant: GrantID?,
    open: Open?
  ) {
    self.topicHash = topicHash
    self.contentHash = contentHash
    self.expiresAt = expiresAt
    self.keyed = keyed
    self.standing = standing
    self.grant = grant
    self.open = open
  }
}

/// What becomes of an ask.
package enum AskVerdict: Equatable, Sendable {
  /// The key stands for another topic.
  case keyConflict
  /// The key stands for this topic: its question, open or ended.
  case same(QuestionID)
  /// No consent is needed.
  case notRequired(Reason)
  /// Every item is granted.
  case covered(GrantID)
  /// There is nobody to ask.
  case noGuardian
  /// The same is being asked. The open question gets the later deadline, where this ask's is later.
  case join(QuestionID, extending: Instant?)
  /// A new question, which takes the place of an open one with other content.
  case create(superseding: QuestionID?)
}

/// The order inside an ask.
package enum AskRule {
  /// What becomes of an ask at `now`.
  package static func verdict(_ facts: AskFacts, now: Instant) -> AskVerdict {
    if let keyed = facts.keyed, isAlive(keyed, now: now) {
      return keyed.topicHash.isExactly(facts.topicHash) ? .same(keyed.question) : .keyConflict
    }
    if facts.standing == .adult { return .notRequired(.adult) }
    if let grant = facts.grant { return .covered(grant) }
    if facts.standing == .unguarded { return .noGuardian }
    guard let open = facts.open, open.expiresAt > now else { return .create(superseding: nil) }
    guard open.contentHash.isExactly(facts.contentHash) else { return .create(superseding: open.question) }
    return .join(open.question, extending: facts.expiresAt > open.expiresAt ? facts.expiresAt : nil)
  }

  private static func isAlive(_ keyed: AskFacts.Keyed, now: Instant) -> Bool {
    guard let end = keyed.askedAt.adding(usec: AskKey.lifetimeUSec) else { return true }
    return end > now
  }
}
