// SPDX-License-Identifier: Apache-2.0
//
// Taking out what the audit says. The entries stay in their places, empty, and an entry of this moment says which they
// are: without it their emptiness would be tampering. An entry that said so before and is emptied itself hands on what it
// excused.

import ConsentModel
import ConsentStore
import StrictJSON

extension Transaction {
  /// Entries of a person that are read at a time.
  private static var page: Int { 1_000 }

  /// Erases what the audit says about a person, all of it or what concerns one app, and says so: without a name where
  /// nothing of the person is to stay.
  func eraseAudit(about person: Person, of app: AppID? = nil, by peer: UserID) throws {
    var found: [AuditRow] = []
    while true {
      let page = try rows.auditEntries(
        about: person.description, app: app?.text, after: found.last?.seq ?? 0, limit: Self.page)
      found += page
      if page.count < Self.page { break }
    }
    let facts: JSONObject = ["sequences": try empty(found).json, "by": .of(peer)]
    try audit(app == nil ? AuditEntry(.erased, facts) : AuditEntry(.forgotten, about: person, app: app, facts))
  }

  /// Erases what the audit says of the time before `instant`, at most `limit` entries. Gives how many they were and the
  /// `sequences` that a `retention` entry in the same transaction must have.
  func emptyAudit(before instant: Instant, atMost limit: Int) throws -> (count: Int, sequences: SequenceRanges) {
    let entries = try rows.keptAuditEntries(before: instant.usec, limit: limit)
    return (entries.count, try empty(entries))
  }

  /// Empties entries, and gives which entries are empty for their sake.
  private func empty(_ entries: [AuditRow]) throws -> SequenceRanges {
    try rows.eraseAudit(seqs: entries.map(\.seq))
    let excused = entries.flatMap { entry -> [ClosedRange<Int64>] in
      guard AuditKind(rawValue: entry.kind)?.excusesEmptiness == true, let payload = entry.payload,
        let json = try? JSONObject(parsing: Array(payload.utf8))
      else { return [] }
      return SequenceRanges(json: json["facts"]?.object?["sequences"]).runs
    }
    return SequenceRanges(runs: entries.map { $0.seq...$0.seq } + excused)
  }
}
