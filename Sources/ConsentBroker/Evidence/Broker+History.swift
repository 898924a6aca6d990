// SPDX-License-Identifier: Apache-2.0
//
// What a guardian may read of the audit: everything about their own persons and nothing else.

package import ConsentModel
import ConsentStore
import StrictJSON

extension Broker {
  /// Of how many persons the entries are put in order for one page.
  private static let mostPersons = 256

  /// One page of what was decided and changed about the viewer's persons, the oldest first, and where the next page
  /// starts. Throws `invalidValue(person)` where the viewer answers for so many that it must say which one it means.
  package func history(
    for viewer: Viewer, person: Person?, app: AppID?, after: Int64?, limit: Int
  ) throws(Refusal) -> (entries: [HistoryEntry], next: Int64?) {
    try read { rows in
      var found: [AuditRow] = []
      if let person {
        found = try rows.auditEntries(
          about: person.description, app: app?.text, after: after ?? 0, limit: limit + 1)
      } else if viewer.seesEverybody {
        found = try rows.allHistory(of: app, after: after ?? 0, limit: limit + 1)
      } else {
        for name in try self.persons(of: viewer, in: rows) {
          found += try rows.auditEntries(about: name, app: app?.text, after: after ?? 0, limit: limit + 1)
        }
        found.sort { $0.seq < $1.seq }
      }
      let page = found.prefix(limit)
      return (try page.compactMap { try $0.historyEntry }, page.count < found.count ? page.last?.seq : nil)
    }
  }

  private func persons(of viewer: Viewer, in rows: any StoreReader) throws -> [String] {
    guard let voices = viewer.voices(rules.apps) else { return [] }
    let found = try rows.people(ofVoices: voices, after: nil, limit: Self.mostPersons + 1)
    guard found.count <= Self.mostPersons else {
      throw Refusal.invalidValue(field: "person", rule: "given, by who answers for more than \(Self.mostPersons)")
    }
    return try found.map(\.person).filter { name in
      viewer.maySee(try PersonRecord(of: Person(stored: name), in: rows, self.login), rules.apps)
    }
  }
}

extension StoreReader {
  /// Everything that was not erased, or that of one app, as a sandbox shows it.
  fileprivate func allHistory(of app: AppID?, after: Int64, limit: Int) throws -> [AuditRow] {
    var (found, place): ([AuditRow], Int64) = ([], after)
    while found.count < limit {
      let page = try auditEntries(after: place, limit: limit)
      found += page.filter { $0.payload != nil && (app == nil || $0.app == app?.text) }
      guard let last = page.last, page.count == limit else { break }
      place = last.seq
    }
    return Array(found.prefix(limit))
  }
}

extension AuditRow {
  /// The entry as a guardian reads it; `nil` where it was erased.
  var historyEntry: HistoryEntry? {
    get throws {
      guard let payload else { return nil }
      guard let json = try? JSONObject(parsing: Array(payload.utf8)) else {
        throw StoreError.damaged(detail: "entry \(seq) of the audit does not read")
      }
      return HistoryEntry(
        sequence: seq, at: Instant(usec: at), kind: kind, person: try person.map { try Person(stored: $0) },
        app: try app.flatMap { try Asker(AskerKey(uid: 0, app: $0)).app }, facts: json["facts"]?.object ?? [:])
    }
  }
}
