// SPDX-License-Identifier: Apache-2.0
//
// The order inside an ask, once its asker may ask about the person (design, rule 4): the ask's own key; an adult, somebody
// who never had the app without the change, a grant of every item; somebody to ask; an open question that asks it
// already; what guardians have settled for good; the cool-down; the day's budget; a new question. The key comes first
// so that a retry gets its own question whatever has changed since. Somebody to ask comes before the open question:
// one that nobody may answer is not joined, the caller learns at once that there is no guardian (rule 8). Nothing that
// refuses touches a question that is open.
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

  /// A pending question of the person and asker that a new one would take the place of: one with the same topic key,
  /// for an update any update. One past its deadline has been expired before.
  package struct Open: Sendable {
    package let question: QuestionID
    /// Of each thing it asks, the hash its content would have if that were asked alone.
    package let contentHashes: [String]
    package let expiresAt: Instant

    package init(question: QuestionID, contentHashes: [String], expiresAt: Instant) {
      self.question = question
      self.contentHashes = contentHashes
      self.expiresAt = expiresAt
    }
  }

  /// Whether it is time for another question.
  package struct Manners: Sendable {
    package let numbers: CoolDowns
    package let coolDown: CoolDown?
    /// Whether the topic is a change that was never asked before.
    package let isNews: Bool
    /// When the scope's questions about the person of the last 24 hours were put, the oldest first.
    package let recent: [Instant]

    package init(numbers: CoolDowns, coolDown: CoolDown?, isNews: Bool, recent: [Instant]) {
      self.numbers = numbers
      self.coolDown = coolDown
      self.isNews = isNews
      self.recent = recent
    }
  }

  package let topicHash: String
  package let contentHash: String
  /// The deadline this ask wants.
  package let expiresAt: Instant
  package var keyed: Keyed?
  package var standing: Standing
  /// Whether the person never had the app without the change.
  package var isInstalledAfter = false
  /// A live grant, where live grants cover every item of the topic.
  package var grant: GrantID?
  /// The oldest first.
  package var open: [Open] = []
  package var settled: SettledTopic?
  /// Absent where nobody minds how often is asked.
  package var manners: Manners?

  package init(topicHash: String, contentHash: String, expiresAt: Instant, standing: Standing) {
    self.topicHash = topicHash
    self.contentHash = contentHash
    self.expiresAt = expiresAt
    self.standing = standing
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
  /// A guardian has settled it: it is not asked.
  case settled(SettledTopic)
  /// It was asked too often, or denied too lately.
  case coolingDown(until: Instant)
  /// A new question, which takes the place of open ones with other content. `asNews`: only because the change is new.
  case create(superseding: [QuestionID], asNews: Bool)
}

/// The order inside an ask.
package enum AskRule {
  /// What becomes of an ask at `now`.
  package static func verdict(_ facts: AskFacts, now: Instant) -> AskVerdict {
    if let keyed = facts.keyed, isAlive(keyed, now: now) {
      return keyed.topicHash.isExactly(facts.topicHash) ? .same(keyed.question) : .keyConflict
    }
    if facts.standing == .adult { return .notRequired(.adult) }
    if facts.isInstalledAfter { return .notRequired(.installedAfter) }
    if let grant = facts.grant { return .covered(grant) }
    if facts.standing == .unguarded { return .noGuardian }
    let open = facts.open.filter { $0.expiresAt > now }
    if let same = open.first(where: { $0.contentHashes.contains { $0.isExactly(facts.contentHash) } }) {
      return .join(same.question, extending: facts.expiresAt > same.expiresAt ? facts.expiresAt : nil)
    }
    if let settled = facts.settled { return .settled(settled) }
    return questionOrWait(facts, superseding: open.map(\.question), now: now)
  }

  private static func questionOrWait(_ facts: AskFacts, superseding: [QuestionID], now: Instant) -> AskVerdict {
    guard let manners = facts.manners else { return .create(superseding: superseding, asNews: false) }
    let coolDown = CoolDownRule.verdict(manners.coolDown, isNews: manners.isNews, manners.numbers, now: now)
    if case .cooling(let until) = coolDown { return .coolingDown(until: until) }
    if let until = BudgetRule.spentUntil(manners.recent, manners.numbers, now: now) {
      return .coolingDown(until: until)
    }
    return .create(superseding: superseding, asNews: coolDown == .freeAsNews)
  }

  private static func isAlive(_ keyed: AskFacts.Keyed, now: Instant) -> Bool {
    guard let end = keyed.askedAt.adding(usec: AskKey.lifetimeUSec) else { return true }
    return end > now
  }
}
