// SPDX-License-Identifier: Apache-2.0
//
// Evidence is written where what it tells of is done: in the same transaction, so that neither is there without the other.
// The salt is drawn here although a transaction may run twice: nothing else depends on it.

import ConsentModel
import ConsentStore
import StrictJSON

extension Transaction {
  /// Adds an entry to the audit.
  func audit(_ entry: AuditEntry) throws {
    var facts = entry.facts
    if isSynthetic { facts["synthetic"] = true }
    let payload = AuditEntry(entry.kind, about: entry.person, app: entry.app, facts).payload
    let last = try rows.auditHead()
    let salt = AuditChain.salt()
    let link = AuditLink(
      sequence: (last?.seq ?? 0) + 1, atUSec: now.usec, kind: entry.kind.rawValue,
      commitment: AuditChain.commitment(salt: salt, payload: payload))
    try rows.append(
      AuditRow(
        seq: link.sequence, at: link.atUSec, kind: link.kind, person: entry.person?.description, app: entry.app?.text,
        payload: String(decoding: payload, as: UTF8.self), salt: salt, commitment: link.commitment,
        hash: AuditChain.hash(of: link, after: last?.hash ?? AuditChain.start)))
  }

  /// Adds that somebody became, or is no longer, a person's guardian.
  func audit(_ kind: AuditKind, _ guardian: Guardian, of person: Person, by peer: UserID) throws {
    try audit(AuditEntry(kind, about: person, by: peer, ["guardian": .string(guardian.description)]))
  }

  /// Adds how a grant stands that was just given or has just ended.
  func audit(_ kind: AuditKind, grant id: String) throws {
    guard let grant = try rows.grant(id) else { throw StoreError.damaged(detail: "grant \(id) is missing") }
    try audit(AuditEntry(kind, grant, items: try rows.items(ofGrant: id)))
  }
}

extension JSON {
  /// Who did it, as the wire names a local user.
  static func of(_ peer: UserID) -> JSON { .string(Person.user(peer).description) }
}

extension AuditHead {
  /// The head of the chain whose last entry this is.
  init(_ last: AuditRow?) {
    guard let last else {
      self = .empty
      return
    }
    self.init(size: last.seq, hash: last.hash)
  }
}

extension StoredAuditEntry {
  init(_ row: AuditRow) {
    self.init(
      link: AuditLink(sequence: row.seq, atUSec: row.at, kind: row.kind, commitment: row.commitment), hash: row.hash,
      payload: row.payload.map { Array($0.utf8) }, salt: row.salt, person: row.person, app: row.app)
  }
}
