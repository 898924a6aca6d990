// SPDX-License-Identifier: Apache-2.0
//
// A guardian answers. Where the answer is enough the question ends, and whoever waits goes on.

package import ConsentModel
import ConsentStore
package import StrictJSON

/// One answer to one question.
package struct AnswerRequest: Sendable {
  /// An id, or a unique prefix of one.
  let question: String
  let choice: String
  /// The hash of what the guardian was shown, where the companion sends it.
  let contentHash: String?
  let until: Instant?
  let items: [JSONObject]?
  let note: String?
  let viewer: Viewer

  package init(
    question: String, choice: String, contentHash: String?, until: Instant?, items: [JSONObject]?, note: String?,
    viewer: Viewer
  ) {
    self.question = question
    self.choice = choice
    self.contentHash = contentHash
    self.until = until
    self.items = items
    self.note = note
    self.viewer = viewer
  }
}

extension Broker {
  /// Takes a guardian's choice, and where it is enough ends the question by it and resumes its callers. An exact retry
  /// returns the same decision, or the same votes.
  /// Throws `unknownQuestion`, `notPermitted`, `invalidValue`, `contentChanged`, `alreadyDecided`,
  /// `notAvailable(personChanged)`.
  package func answer(_ request: AnswerRequest) async throws(Refusal) -> Answered {
    let rules = rules
    let grant = GrantID.random()
    let uid = request.viewer.user
    let logins = try read { try self.logins(of: [uid].compactMap(\.self), in: $0) }
    let (outcome, resumed) = try await commitCounting { transaction in
      if let uid { try transaction.rows.requireUnchanged(uid) { logins[$0] ?? .none } }
      return try transaction.answer(request, grant: grant, rules)
    }
    switch outcome {
    case .taken(let decision, let votes):
      return Answered(decision: decision, waitersResumed: resumed, votes: votes)
    case .tooLate(let state, let endedAt):
      throw .alreadyDecided(state: state, decidedAt: endedAt)
    }
  }
}

/// What an answer led to. A late one may have expired the question, which is kept: so it is a value and no error.
private enum AnswerOutcome: Sendable {
  case taken(Decision, Votes)
  case tooLate(QuestionState, at: Instant)
}

extension Transaction {
  fileprivate mutating func answer(
    _ request: AnswerRequest, grant: GrantID, _ rules: BrokerRules
  ) throws -> AnswerOutcome {
    let (question, person) = try rows.question(matching: request.question, for: request.viewer, rules.apps)
    guard let guardian = try request.viewer.guardian(for: person, rules.apps) else {
      throw Refusal.notPermitted(reason: "\(person.person) has no guardian")
    }
    let content = try question.storedContent
    let before = try rows.answer(question: question.id, guardian: guardian.description)
    let verdict = AnswerRule(deciders: rules.deciders).verdict(
      on: request.given(by: guardian), to: content, progress: try question.progress, guardians: person.guardians,
      before: try before?.chosen(of: content), now: now)
    switch verdict {
    case .notPermitted(let objection): throw Refusal.notPermitted(reason: objection.rawValue)
    case .contentChanged(let hash): throw Refusal.contentChanged(contentHash: hash)
    case .invalid(let error): throw Refusal.invalidValue(field: error.field, rule: error.rule)
    case .alreadyDecided(let state, let at):
      if question.isPending { _ = try end(question, .expired(question)) }
      return .tooLate(state, at: at)
    case .repeated: break
    case .take(let chosen):
      try rows.put(try AnswerRow(chosen, by: guardian, to: question, note: request.note, at: now))
      try take(chosen, by: guardian, to: question, person.guardians, grant: grant, rules)
    }
    let row = try rows.existingQuestion(question.identity)
    return .taken(
      try row.decision(rules, in: rows, at: now, for: .guardians),
      try row.votes(person.guardians, rules, in: rows, at: now))
  }

  /// Ends the question where the answer is a denial or enough; else the answer stands as a vote.
  private mutating func take(
    _ chosen: Chosen, by guardian: Guardian, to question: QuestionRow, _ guardians: [Guardian], grant: GrantID,
    _ rules: BrokerRules
  ) throws {
    guard chosen.choice.answer == .approval else {
      return try decide(question, chosen, by: guardian, grant: grant, rules)
    }
    if try conclude(question, guardians, grant: grant, rules) { return }
    let answer = try rows.answer(question: question.id, guardian: guardian.description)
    try audit(AuditEntry(.vote, on: question, answer?.export ?? [:]))
    touch(try question.identity)
  }
}

extension AnswerRequest {
  fileprivate func given(by guardian: Guardian) -> GivenAnswer {
    GivenAnswer(
      peer: viewer.peer, guardian: guardian, choice: choice, contentHash: contentHash, until: until, items: items)
  }
}
