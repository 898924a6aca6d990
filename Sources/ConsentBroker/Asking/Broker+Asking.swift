// SPDX-License-Identifier: Apache-2.0
//
// Asking: from a topic to a question, or to the reason why none is needed.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Puts a topic to the guardians, joins the open question with the same content, or says why nobody is asked.
  /// Durable when it returns.
  /// Throws `invalidValue(expiresInUSec)`, `keyConflict`, `tooManyPending` and `notAvailable`: `noGuardian`,
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
    switch AskRule.verdict(try askFacts(draft, rules, login), now: now) {
    case .keyConflict: throw Refusal.keyConflict
    case .noGuardian: throw Refusal.notAvailable(reason: .noGuardian, retryable: false)
    case .notRequired(let reason): return Asked(topicKey: draft.topicKey, verdict: .notRequired(reason))
    case .covered(let grant): return Asked(topicKey: draft.topicKey, verdict: .granted(grant))
    case .same(let question): return try standing(question, joined: true, rules)
    case .join(let question, let extending):
      if let extending { try extend(try rows.existingQuestion(question), until: extending) }
      try remember(draft, as: question)
      return try standing(question, joined: true, rules)
    case .create(let superseding):
      if superseding == nil {
        if isFull { throw Refusal.notAvailable(reason: .tooManyQuestions, retryable: true) }
        try requireRoom(for: draft.request, rules.limits)
      }
      try create(draft, superseding: superseding)
      try remember(draft, as: draft.id)
      return try standing(draft.id, joined: false, rules)
    }
  }

  private func askFacts(_ draft: Draft, _ rules: BrokerRules, _ login: LoginLookUp) throws -> AskFacts {
    let request = draft.request
    let person = try PersonRecord(of: request.person, in: rows, login)
    return AskFacts(
      topicHash: draft.topicHash, contentHash: draft.contentHash, expiresAt: draft.expiresAt,
      keyed: try keyed(draft),
      standing: person.standing(towards: request.asker, on: draft.today, rules),
      grant: try rows.grant(covering: request.topic.subject, of: request.person, for: request.asker, at: now),
      open: try open(draft))
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

  private func open(_ draft: Draft) throws -> AskFacts.Open? {
    let found = try rows.openQuestion(
      person: draft.request.person.description, asker: AskerKey(draft.request.asker), topicKey: draft.topicKey)
    return try found.map { row in
      AskFacts.Open(
        question: try row.identity, contentHash: row.contentHash, expiresAt: Instant(usec: row.expiresAt))
    }
  }

  /// Puts the question, in the place of an open one with the same key. One whose time is up has expired, whether
  /// somebody noticed or not.
  private mutating func create(_ draft: Draft, superseding: QuestionID?) throws {
    let latest = try rows.latestQuestion(
      person: draft.request.person.description, asker: AskerKey(draft.request.asker), topicKey: draft.topicKey)
    if let latest, latest.isPending {
      _ = try end(latest, superseding == nil ? .expired(latest) : .superseded(by: draft.id, at: now))
    }
    try put(draft.row(askedAt: now, timesAsked: (latest?.timesAsked ?? 0) + 1))
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
