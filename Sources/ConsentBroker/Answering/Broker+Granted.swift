// SPDX-License-Identifier: Apache-2.0
//
// What stands granted, for whoever may take it back, and taking it back: a grant, everything of an app, everything of a
// person, in one transaction. Taking back starts no cool-down: the app may ask again at once, and is told that it may.

package import ConsentModel
import ConsentStore

/// What a guardian takes back.
package enum Revocable: Sendable {
  /// A grant by its id, or by a unique prefix of at least 4 digits.
  case grant(String)
  /// Everything a person has, of one app or of all.
  case person(Person, app: AppID?)
}

/// Where a page of the grants of several people ended.
package struct GrantsPlace: Sendable {
  package let person: String
  let place: GrantPlace

  /// Reads the text of a place; `nil` where it is none.
  package init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 3, let at = Int64(parts[1]) else { return nil }
    self.init(person: parts[0], place: GrantPlace(grantedAt: at, id: parts[2]))
  }

  init(person: String, place: GrantPlace) {
    self.person = person
    self.place = place
  }

  /// The place as a page tells it.
  package var text: String { "\(person) \(place.grantedAt) \(place.id)" }
}

extension Broker {
  /// One page of the live grants the viewer may take back, person by person, the oldest first.
  package func grants(
    for viewer: Viewer, person: Person?, app: AppID?, after: GrantsPlace?, limit: Int
  ) throws(Refusal) -> (grants: [Grant], next: GrantsPlace?) {
    let now = clock.now
    return try read { rows in
      var found: [GrantRow] = []
      for name in try rows.people(of: viewer, person, self.rules.apps) where found.count <= limit {
        if let after, name < after.person { continue }
        let record = try PersonRecord(of: Person(stored: name), in: rows, self.login)
        guard viewer.maySee(record, self.rules.apps) else { continue }
        found += try rows.grants(
          of: name, app: app?.text, onlyLive: true, after: after?.person == name ? after?.place : nil,
          limit: limit + 1 - found.count)
      }
      let page = Array(found.prefix(limit))
      let next = found.count > limit ? page.last.map { GrantsPlace(person: $0.person, place: $0.place) } : nil
      return (try page.filter { $0.isLive(at: now) }.map { try Grant($0, in: rows) }, next)
    }
  }

  /// Takes grants back and gives those that ended; none where there was nothing to take back.
  /// Throws `unknownGrant`, and `notPermitted` where the viewer answers for no guardian of the person.
  package func revoke(_ what: Revocable, note: String?, by viewer: Viewer) async throws(Refusal) -> [Grant] {
    let apps = rules.apps
    let logins = try read { try self.logins(of: [viewer.user].compactMap(\.self), in: $0) }
    return try await commit { transaction in
      if let uid = viewer.user { try transaction.rows.requireUnchanged(uid) { logins[$0] ?? .none } }
      let rows = transaction.rows
      var ended: [Grant] = []
      for grant in try rows.revocable(what, for: viewer, apps) where grant.isLive(at: transaction.now) {
        let person = try PersonRecord(of: Person(stored: grant.person), in: rows)
        let guardian = viewer.guardians(for: person, apps).first?.description
        guard try transaction.end(grant, .revoked, reason: Reason.revoked.rawValue, by: guardian, note: note) else {
          continue
        }
        ended.append(try Grant(try rows.grant(grant.id) ?? grant, in: rows))
      }
      return ended
    }
  }
}

extension StoreReader {
  /// The people whose grants a viewer may see, in the order of their text.
  fileprivate func people(of viewer: Viewer, _ person: Person?, _ apps: AppRegistry) throws -> [String] {
    if let person { return [person.description] }
    let rows =
      if let voices = viewer.voices(apps) {
        try people(ofVoices: voices, after: nil, limit: .max)
      } else {
        try people(after: nil, limit: .max)
      }
    return rows.map(\.person).sorted()
  }

  fileprivate func revocable(_ what: Revocable, for viewer: Viewer, _ apps: AppRegistry) throws -> [GrantRow] {
    switch what {
    case .grant(let text): return [try grant(matching: text, for: viewer, apps)]
    case .person(let person, let app):
      guard viewer.maySee(try PersonRecord(of: person, in: self), apps) else {
        throw Refusal.notPermitted(reason: "uid \(viewer.peer) answers for no guardian of \(person)")
      }
      return try grants(of: person.description, app: app?.text, onlyLive: true, after: nil, limit: .max)
    }
  }

  /// The grant `text` names among those the viewer may take back, ended ones too.
  private func grant(matching text: String, for viewer: Viewer, _ apps: AppRegistry) throws -> GrantRow {
    let unknown = Refusal.unknownGrant(text)
    guard GrantID.isPrefix(text) else { throw unknown }
    if let row = try grant(text) {
      guard viewer.maySee(try PersonRecord(of: Person(stored: row.person), in: self), apps) else { throw unknown }
      return row
    }
    var match: GrantRow?
    for name in try people(of: viewer, nil, apps) {
      guard viewer.maySee(try PersonRecord(of: Person(stored: name), in: self), apps) else { continue }
      let found = try grants(of: name, app: nil, onlyLive: false, after: nil, limit: .max)
        .filter { $0.id.utf8.starts(with: text.utf8) }
      guard found.count + (match == nil ? 0 : 1) <= 1 else { throw unknown }
      match = found.first ?? match
    }
    guard let match else { throw unknown }
    return match
  }
}

extension GrantRow {
  fileprivate var place: GrantPlace { GrantPlace(grantedAt: grantedAt, id: id) }

  fileprivate func isLive(at now: Instant) -> Bool { endedAt == nil && (expiresAt.map { $0 > now.usec } ?? true) }
}

extension Grant {
  fileprivate init(_ row: GrantRow, in rows: any StoreReader) throws {
    guard let provenance = Provenance(rawValue: row.provenance), let kind = TopicKind(rawValue: row.kind) else {
      throw StoreError.damaged(detail: "the provenance or kind of grant \(row.id) does not read")
    }
    self.init(
      grant: try GrantID(stored: row.id), person: try Person(stored: row.person), app: try Asker(row.asker).app,
      provenance: provenance, topicKey: row.topicKey, kind: kind,
      items: try rows.items(ofGrant: row.id).map { Item(subject: $0.subject, action: $0.action) },
      lifetime: row.lifetime, grantedAt: Instant(usec: row.grantedAt), until: row.expiresAt.map { Instant(usec: $0) },
      question: try row.question.map { try QuestionID(stored: $0) }, guardian: row.guardian,
      endedAt: row.endedAt.map { Instant(usec: $0) }, endedReason: row.endedReason)
  }
}
