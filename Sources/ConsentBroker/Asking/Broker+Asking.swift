// SPDX-License-Identifier: Apache-2.0
//
// Asking: from a topic to a question, or to the reason why none is needed.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Puts a topic to the guardians, joins the open question with the same content, or says why nobody is asked.
  /// Durable when it returns.
  /// Throws `invalidValue(expiresInUSec)`, `keyConflict`, `coolingDown`, `tooManyPending` and `notAvailable`: `noGuardian`,
  /// `personChanged`, `storage`, `tooManyQuestions`.
  package func ask(_ request: AskRequest) async throws(Refusal) -> Asked {
    let draft: Draft
    do {
      draft = try Draft(request, salt: rules.salt, now: clock.now, today: clock.today)
    } catch {
      throw .invalidValue(field: error.field, rule: error.rule)
    }
    let rules = rules
    let isFull = openQuestions >= rules.limits.total
    let logins = try logins(concerning: request.person)
    return try await commit { transaction in
      try transaction.ask(draft, rules, isFull: isFull) { logins[$0] ?? .none }
    }
  }
}

extension Transaction {
  /// Decides in the order of rule 4 and carries the verdict out.
  fileprivate mutating func ask(
    _ draft: Draft, _ rules: BrokerRules, isFull: Bool, _ login: LoginLookUp
  ) throws -> Asked {
    if let uid = draft.request.person.user { try rows.requireUnchanged(uid, login) }
    if let oldest = now.adding(usec: -AskKey.lifetimeUSec) { try rows.deleteAskKeys(before: oldest.usec) }
    try recordVersion(draft.request)
    switch AskRule.verdict(try askFacts(draft, rules, login), now: now) {
    case .keyConflict: throw Refusal.keyConflict
    case .noGuardian: throw Refusal.notAvailable(reason: .noGuardian, retryable: false)
    case .coolingDown(let until): throw Refusal.coolingDown(until: until)
    case .notRequired(let reason): return Asked(topicKey: draft.topicKey, verdict: .notRequired(reason))
    case .covered(let grant): return Asked(topicKey: draft.topicKey, verdict: .granted(grant))
    case .settled(let topic): return Asked(topicKey: draft.topicKey, verdict: .settled(topic))
    case .same(let question): return try standing(question, joined: true, rules)
    case .join(let question, let extending):
      if let extending { try extend(try rows.existingQuestion(question), until: extending) }
      try remember(draft, as: question)
      return try standing(question, joined: true, rules)
    case .create(let superseding, let asNews):
      if superseding.isEmpty {
        if isFull { throw Refusal.notAvailable(reason: .tooManyQuestions, retryable: true) }
        try requireRoom(for: draft.request, rules.limits)
      }
      try create(draft, rules, asNews: asNews)
      try remember(draft, as: draft.id)
      return try standing(draft.id, joined: false, rules)
    }
  }

  /// Keeps the version with which somebody first met a registered app. Who has asked before without telling one has met
  /// it before: what came with a later version is then a change, whatever became of that question.
  private func recordVersion(_ request: AskRequest) throws {
    guard let version = request.appVersion,
      InstallationRule.isRecorded(request.topic.kind, provenance: request.provenance),
      try !rows.hasAsked(about: request.person.description, asker: AskerKey(request.asker))
    else { return }
    try rows.recordFirstVersion(
      person: request.person.description, asker: AskerKey(request.asker), version: version, at: now.usec)
  }

  private func askFacts(_ draft: Draft, _ rules: BrokerRules, _ login: LoginLookUp) throws -> AskFacts {
    let request = draft.request
    let (person, subject) = (request.person, request.topic.subject)
    let pending = try rows.open(
      of: request.asker, about: person, subject.kind, topicKey: draft.topicKey, at: now)
    var facts = AskFacts(
      topicHash: draft.topicHash, contentHash: draft.contentHash, expiresAt: draft.expiresAt,
      standing: try PersonRecord(of: person, in: rows, login).standing(
        towards: request.asker, on: draft.today, rules))
    facts.keyed = try keyed(draft)
    facts.isInstalledAfter = try rows.isInstalledAfter(
      request.topic.sinceVersion, subject.kind, of: person, for: request.asker, request.provenance, rules)
    facts.grant = try rows.grant(covering: subject, of: person, for: request.asker, at: now)
    facts.open = try pending.open.map { try $0.openFacts }
    facts.settled = try rows.settled(subject, of: person, for: request.asker)
    facts.manners = try rows.manners(
      of: (request.asker, request.provenance), about: person, subject, topicKey: draft.topicKey,
      overdue: pending.overdue, rules, at: now)
    return facts
  }

  private func keyed(_ draft: Draft) throws -> AskFacts.Keyed? {
    guard let key = draft.request.key else { return nil }
    let asker = AskerKey(draft.request.asker)
    let found = try rows.askKey(asker: asker, person: draft.request.person.description, key: key.text)
    return try found.map { row in
      AskFacts.Keyed(
        question: try QuestionID(stored: row.question), topicHash: row.topicHash,
        askedAt: Instant(usec: row.askedAt))
    }
  }

  /// Keeps what the ask's key stands for.
  private func remember(_ draft: Draft, as question: QuestionID) throws {
    guard let key = draft.request.key else { return }
    try rows.put(
      AskKeyRow(
        asker: AskerKey(draft.request.asker), person: draft.request.person.description, key: key.text,
        topicHash: draft.topicHash, question: question.description, askedAt: now.usec))
  }

  private func standing(_ question: QuestionID, joined: Bool, _ rules: BrokerRules) throws -> Asked {
    let row = try rows.existingQuestion(question)
    return Asked(
      topicKey: row.topicKey, verdict: .question(try row.standing(joined: joined, rules, in: rows, at: now)))
  }
}

extension QuestionRow {
  /// The question as an ask meets it.
  fileprivate var openFacts: AskFacts.Open {
    get throws {
      let content = try storedContent
      return AskFacts.Open(
        question: try identity,
        contentHashes: content.topic.earlier.isEmpty ? [contentHash] : content.hashesOfParts,
        expiresAt: Instant(usec: expiresAt))
    }
  }
}
