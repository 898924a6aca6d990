// SPDX-License-Identifier: Apache-2.0
//
// The votes of a question: one answer a guardian, as it stands in the store, judged by the rule that holds now.

import ConsentModel
import ConsentStore
import StrictJSON

extension QuestionRow {
  /// How many approvals the question needs now.
  func voteRule(_ guardians: [Guardian], _ rules: BrokerRules, in rows: any StoreReader) throws -> VoteRule {
    VoteRule(
      needsAll: try rows.setting(person: person, app: "", name: "guardianRule")?.value == "all",
      deciders: rules.deciders.deciders(person: try about, askedBy: asker.uid, guardians: guardians))
  }

  /// What guardians have answered to an open question, the oldest answer first.
  func storedVotes(in rows: any StoreReader) throws -> [Vote] {
    guard erasedAt == nil else { return [] }
    let content = try storedContent
    return try rows.answers(question: id).sorted { $0.answeredAt < $1.answeredAt }.map { answer in
      Vote(guardian: try Guardian(stored: answer.guardian), chosen: try answer.chosen(of: content))
    }
  }

  /// Approvals given and needed; of one that was approved, as many as there were.
  func votes(
    _ guardians: [Guardian], _ rules: BrokerRules, in rows: any StoreReader, at now: Instant
  ) throws -> Votes {
    let votes = try storedVotes(in: rows)
    let given = votes.count { $0.chosen.choice.answer == .approval }
    if try questionState == .approved { return Votes(have: max(1, given), need: max(1, given)) }
    let rule = try voteRule(guardians, rules, in: rows)
    return isPending ? rule.votes(votes, now: now) : Votes(have: given, need: rule.votes([], now: now).need)
  }
}

extension AnswerRow {
  init(_ chosen: Chosen, by guardian: Guardian, to question: QuestionRow, note: String?, at now: Instant) throws {
    let kind = try question.storedContent.topic.kind
    let items = chosen.items.map { items in
      JSONObject.encodedItems(items.map { .object($0.json(kind: kind)) })
    }
    self.init(
      question: question.id, guardian: guardian.description, choice: chosen.choice.choice,
      untilUSec: chosen.until?.usec, items: items, note: note, answeredAt: now.usec)
  }

  /// What was chosen, of the choices and items that were offered.
  func chosen(of content: Content) throws -> Chosen {
    let unreadable = StoreError.damaged(detail: "an answer to question \(question) does not read")
    guard let choice = content.choices.first(where: { $0.choice == choice }) else { throw unreadable }
    do {
      let named = try items.map { try JSONObject(parsing: Array("{\"items\":\($0)}".utf8)) }
      let part = try named.map { try content.topic.part(naming: ($0["items"]?.array ?? []).compactMap(\.object)) }
      return Chosen(choice: choice, until: untilUSec.map { Instant(usec: $0) }, items: part ?? nil)
    } catch {
      throw unreadable
    }
  }
}

extension JSONObject {
  /// The text of a list, in the order of its members.
  fileprivate static func encodedItems(_ items: [JSON]) -> String {
    let object = items.map { String(decoding: ($0.object ?? [:]).encoded(order: .sortedByName), as: UTF8.self) }
    return "[" + object.joined(separator: ",") + "]"
  }
}
