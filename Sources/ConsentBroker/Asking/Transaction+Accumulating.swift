// SPDX-License-Identifier: Apache-2.0
//
// A new question in the place of others: what it takes along, and who waits for it from then on.

import ConsentModel
import ConsentStore

extension StoreReader {
  /// The pending questions of an asker that a new one about this topic would take the place of, the oldest first. One
  /// whose time is up has expired, whether somebody noticed or not, and is among the overdue.
  func open(
    of asker: Asker, about person: Person, _ kind: TopicKind, topicKey: String, at now: Instant
  ) throws -> (open: [QuestionRow], overdue: [QuestionRow]) {
    let key = AskerKey(asker)
    let pending =
      kind == .significantUpdate
      ? try openUpdates(person: person.description, asker: key)
      : try [openQuestion(person: person.description, asker: key, topicKey: topicKey)].compactMap(\.self)
    return (pending.filter { $0.expiresAt > now.usec }, pending.filter { $0.expiresAt <= now.usec })
  }

  /// What a new update of an asker takes along: what is pending, and what was denied and not granted since.
  func accumulation(
    of asker: Asker, about person: Person, pending: [QuestionRow]
  ) throws -> Accumulation {
    func latest(_ state: QuestionState) throws -> QuestionRow? {
      try latestQuestion(
        person: person.description, asker: AskerKey(asker), kind: TopicKind.significantUpdate.rawValue,
        state: state.rawValue)
    }
    var denied = try latest(.denied)
    if let approved = try latest(.approved), let question = denied, question.ended(before: approved) { denied = nil }
    return Accumulation(
      denied: denied?.erasedAt == nil ? try denied?.storedContent.topic : nil,
      pending: try pending.map { try $0.storedContent.topic })
  }
}

extension QuestionRow {
  /// Whether this question ended first; of two that ended at once, the one that was asked first did.
  fileprivate func ended(before other: QuestionRow) -> Bool {
    (ending?.endedAt ?? .max, seq) < (other.ending?.endedAt ?? .max, other.seq)
  }
}

extension Transaction {
  /// Puts the question a draft would be, in the place of the open ones. Those whose time is up have expired.
  mutating func create(_ draft: Draft, _ rules: BrokerRules, asNews: Bool) throws {
    let request = draft.request
    let latest = try rows.latestQuestion(
      person: request.person.description, asker: AskerKey(request.asker), topicKey: draft.topicKey)
    let pending = try rows.open(
      of: request.asker, about: request.person, request.topic.kind, topicKey: draft.topicKey, at: now)
    for question in pending.overdue { _ = try end(question, .expired(question)) }
    var topic = request.topic
    if topic.kind == .significantUpdate {
      let past = try rows.accumulation(of: request.asker, about: request.person, pending: pending.open)
      topic = AccumulationRule.fold(past, into: topic)
    }
    for question in pending.open {
      let dropped = AccumulationRule.dropped(try question.storedContent.topic, by: topic)
      try end(question, inFavourOf: draft.id, dropping: Set(dropped.map { $0.key(salt: rules.salt) }))
    }
    let row = draft.row(about: topic, askedAt: now, timesAsked: (latest?.timesAsked ?? 0) + 1)
    try put(row)
    if rules.coolDowns != nil { try rememberAsked(row, asNews: asNews) }
  }
}
