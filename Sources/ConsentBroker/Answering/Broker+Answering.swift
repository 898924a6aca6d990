// SPDX-License-Identifier: Apache-2.0
//
// A guardian answers. The first valid answer ends the question; whoever waits goes on.

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
  /// Ends a question by a guardian's choice and resumes its callers. An exact retry returns the same decision.
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
    case .decided(let decision, let votes):
      return Answered(decision: decision, waitersResumed: resumed, votes: votes)
    case .tooLate(let state, let endedAt):
      throw .alreadyDecided(state: state, decidedAt: endedAt)
    }
  }
}

/// What an answer led to. A late one may have expired the question, which is kept: so it is a value and no error.
private enum AnswerOutcome: Sendable {
  case decided(Decision, Votes)
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
    let given = GivenAnswer(
      peer: request.viewer.peer, guardian: guardian, choice: request.choice, contentHash: request.contentHash,
      until: request.until, items: request.items)
    let verdict = AnswerRule(deciders: rules.deciders).verdict(
      on: given, to: try question.storedContent, progress: try question.progress, guardians: person.guardians,
      now: now)
    switch verdict {
    case .notPermitted(let objection): throw Refusal.notPermitted(reason: objection.rawValue)
    case .contentChanged(let hash): throw Refusal.contentChanged(contentHash: hash)
    case .invalid(let error): throw Refusal.invalidValue(field: error.field, rule: error.rule)
    case .alreadyDecided(let state, let at):
      if question.isPending { _ = try end(question, .expired(question)) }
      return .tooLate(state, at: at)
    case .repeated: break
    case .decide(let choice):
      try decide(question, choice, by: guardian, note: request.note, grant: grant, policy: rules.policy)
    }
    let ended = try rows.existingQuestion(question.identity)
    return .decided(try ended.decision(rules, in: rows, at: now, for: .guardians), ended.votes)
  }

  /// Ends the question with a choice; an approval that lasts grants exactly what was asked.
  private mutating func decide(
    _ question: QuestionRow, _ choice: OfferedChoice, by guardian: Guardian, note: String?, grant: GrantID,
    policy: Policy
  ) throws {
    try rows.put(
      AnswerRow(
        question: question.id, guardian: guardian.description, choice: choice.choice, note: note,
        answeredAt: now.usec))
    if choice.givesGrant { try give(grant, for: question) }
    let ending = EndingRow(
      state: choice.answer.state.rawValue, endedAt: now.usec, choice: choice.choice,
      decidedBy: DecidedBy.guardian.rawValue, guardian: guardian.description, channel: guardian.channel,
      assurance: guardian.assurance, policy: policy.reference,
      grant: choice.givesGrant ? grant.description : nil)
    _ = try end(question, ending, beforeExpiry: true)
    if choice.givesGrant { try record(.granted, about: question, grant: grant.description) }
  }

  private func give(_ grant: GrantID, for question: QuestionRow) throws {
    let items = try question.storedContent.topic.subject.items
    try rows.insert(
      GrantRow(
        id: grant.description, person: question.person, asker: question.asker, provenance: question.provenance,
        topicKey: question.topicKey, kind: question.kind, question: question.id, lifetime: "persistent",
        grantedAt: now.usec),
      items: items.map { GrantItemRow(subject: $0.subject, action: $0.action) })
    try audit(.granted, grant: grant.description)
  }
}

extension Guardian {
  /// The road this guardian's answers come on.
  fileprivate var channel: String { if case .user = self { "local" } else { "bridge" } }

  /// How strongly it is known that it was this guardian.
  fileprivate var assurance: String { if case .user = self { "localUser" } else { "serviceAsserted" } }
}
