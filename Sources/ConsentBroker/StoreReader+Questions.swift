// SPDX-License-Identifier: Apache-2.0
//
// Finding a question for somebody, and the grant that covers a topic.

import ConsentModel
import ConsentStore

extension StoreReader {
  /// A question that is known to exist; its absence is a damaged store.
  func existingQuestion(_ id: QuestionID) throws -> QuestionRow {
    guard let row = try question(id.description) else { throw StoreError.damaged(detail: "question \(id) is missing") }
    return row
  }

  /// The question `text` names: its id, or a prefix of at least 4 digits that fits one of those the caller may see.
  /// Throws `unknownQuestion` for everything else, so that nobody learns of questions that are not theirs.
  func question(matching text: String, where isVisible: (QuestionRow) throws -> Bool) throws -> QuestionRow {
    let unknown = Refusal.unknownQuestion(text)
    guard QuestionID.isPrefix(text) else { throw unknown }
    var match: QuestionRow?
    for id in try questionIDs(withPrefix: text, limit: .max) {
      guard let row = try question(id), try isVisible(row) else { continue }
      guard match == nil else { throw unknown }
      match = row
    }
    guard let match else { throw unknown }
    return match
  }

  /// The question `text` names among those `viewer` may see, and the person it is about. An erased one nobody may see.
  func question(
    matching text: String, for viewer: Viewer, _ apps: AppRegistry, _ login: LoginLookUp = { _ in .none }
  ) throws -> (QuestionRow, PersonRecord) {
    var people: [String: PersonRecord] = [:]
    func record(of row: QuestionRow) throws -> PersonRecord {
      if let known = people[row.person] { return known }
      let record = try PersonRecord(of: try row.about, in: self, login)
      people[row.person] = record
      return record
    }
    let row = try question(matching: text) { try $0.erasedAt == nil && viewer.maySee(record(of: $0), apps) }
    return (row, try record(of: row))
  }

  /// The grant that covers a topic: the first one that covers its first item, where every item is covered.
  func grant(covering subject: Subject, of person: Person, for asker: Asker, at now: Instant) throws -> GrantID? {
    var first: GrantID?
    for item in subject.items {
      let grant = try liveGrant(
        covering: GrantItemRow(subject: item.subject, action: item.action), person: person.description,
        asker: AskerKey(asker), kind: subject.kind.rawValue, now: now.usec)
      guard let grant else { return nil }
      if first == nil { first = try GrantID(stored: grant) }
    }
    return first
  }
  /// What live grants give of a topic, and until when.
  func coverage(
    of subject: Subject, of person: Person, for asker: Asker, at now: Instant
  ) throws -> StatusFacts.Coverage {
    var found: [String] = []
    var isWhole = true
    for item in subject.items where isWhole || found.isEmpty {
      let grant = try liveGrant(
        covering: GrantItemRow(subject: item.subject, action: item.action), person: person.description,
        asker: AskerKey(asker), kind: subject.kind.rawValue, now: now.usec)
      if let grant { found.append(grant) } else { isWhole = false }
    }
    guard let first = try found.first.map({ try GrantID(stored: $0) }) else { return .none }
    guard isWhole else { return .part(first) }
    let ends = try Set(found).compactMap { try self.grant($0)?.expiresAt }
    return .full(first, until: ends.min().map { Instant(usec: $0) })
  }
}
