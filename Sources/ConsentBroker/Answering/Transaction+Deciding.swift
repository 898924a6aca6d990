// SPDX-License-Identifier: Apache-2.0
//
// The end of a question by what guardians chose, and what an approval gives. Who may answer and how many must can change
// while a question is open: then the votes that still count may be enough, in the very transaction of the change.

import ConsentModel
import ConsentStore

extension Transaction {
  /// Judges the open questions of a person anew, after a guardian came or went or the guardian rule changed. Who is no
  /// guardian any more has no vote.
  mutating func reevaluate(_ person: Person, _ rules: BrokerRules) throws {
    let guardians = try PersonRecord(of: person, in: rows).guardians
    for question in try openQuestions(about: person) where question.expiresAt > now.usec {
      for answer in try rows.answers(question: question.id)
      where !guardians.contains(try Guardian(stored: answer.guardian)) {
        _ = try rows.deleteAnswer(question: question.id, guardian: answer.guardian)
      }
      let grant = try GrantID.given(by: question, salt: rules.salt)
      if try !conclude(question, guardians, grant: grant, rules) { touch(try question.identity) }
    }
  }

  /// Ends a question where its votes are enough; false: they are not. The newest of them ends it.
  mutating func conclude(
    _ question: QuestionRow, _ guardians: [Guardian], grant: GrantID, _ rules: BrokerRules
  ) throws -> Bool {
    let votes = try question.storedVotes(in: rows)
    guard let last = votes.last else { return false }
    let asked = try question.storedContent.topic.items
    switch try question.voteRule(guardians, rules, in: rows).outcome(of: votes, asked: asked, now: now) {
    case .open: return false
    case .approved(let chosen): try decide(question, chosen, by: last.guardian, grant: grant, rules)
    case .disagreed:
      try decide(question, Chosen(choice: .deny), by: last.guardian, grant: grant, reason: .disagreed, rules)
    }
    return true
  }

  /// Ends the question with a choice; an approval that lasts grants what it names.
  mutating func decide(
    _ question: QuestionRow, _ chosen: Chosen, by guardian: Guardian, grant: GrantID, reason: Reason? = nil,
    _ rules: BrokerRules
  ) throws {
    let givesGrant = chosen.choice.givesGrant
    if chosen.choice.answer == .approval { try settle(question) }
    if givesGrant { try give(grant, chosen, by: guardian, for: question) }
    var ending = EndingRow(
      state: chosen.choice.answer.state.rawValue, endedAt: now.usec, choice: chosen.choice.choice,
      decidedBy: DecidedBy.guardian.rawValue, guardian: guardian.description, channel: guardian.channel,
      assurance: guardian.assurance, policy: rules.policy.reference, grant: givesGrant ? grant.description : nil)
    ending.reason = (reason ?? (chosen.items == nil ? nil : .narrowed))?.rawValue
    _ = try end(question, ending, beforeExpiry: true)
    if givesGrant { try record(.granted, about: question, grant: grant.description) }
  }

  /// Takes away a refusal that was settled before: the later word is the one that holds.
  private func settle(_ question: QuestionRow) throws {
    guard question.kind == TopicKind.resource.rawValue else { return }
    _ = try rows.deleteSetting(person: question.person, app: question.asker.app, name: question.topicKey)
  }

  private mutating func give(
    _ grant: GrantID, _ chosen: Chosen, by guardian: Guardian, for question: QuestionRow
  ) throws {
    let items = try chosen.items ?? question.storedContent.topic.items
    let note = try rows.answer(question: question.id, guardian: guardian.description)?.note
    try rows.insert(
      GrantRow(
        id: grant.description, person: question.person, asker: question.asker, provenance: question.provenance,
        topicKey: question.topicKey, kind: question.kind, question: question.id,
        lifetime: GrantLifetime(until: chosen.until).rawValue, grantedAt: now.usec, expiresAt: chosen.until?.usec,
        guardian: guardian.description, note: note),
      items: items.map { GrantItemRow(subject: $0.subject, action: $0.action) })
    if let until = chosen.until { expect(until) }
    try audit(.granted, grant: grant.description)
  }
}

extension GrantID {
  /// The id of the grant that votes give when nobody answers: the same each time the transaction runs.
  fileprivate static func given(by question: QuestionRow, salt: KeySalt) throws -> GrantID {
    try GrantID(stored: question.identity.derived("grant", salt: salt))
  }
}

extension Guardian {
  /// The road this guardian's answers come on.
  fileprivate var channel: String { if case .user = self { "local" } else { "bridge" } }

  /// How strongly it is known that it was this guardian.
  fileprivate var assurance: String { if case .user = self { "localUser" } else { "serviceAsserted" } }
}
