// SPDX-License-Identifier: Apache-2.0
//
// The audit as tests see it, and as somebody sees it who can write the store behind the broker's back.

import CSQLite
import ConsentBroker
import ConsentModel
import ConsentStore
import StrictJSON
import TestSupport

extension World {
  /// Every entry that can still be read, as a sandbox would show it.
  func audit() throws -> [HistoryEntry] {
    try broker.history(for: .tester, person: nil, app: nil, after: nil, limit: .max - 1).entries
  }

  /// The kinds of the entries, in order.
  func auditKinds(about person: Person? = nil) throws -> [String] {
    try audit().filter { person == nil || $0.person == person }.map(\.kind)
  }

  /// Follows the audit to its end.
  func verify(against kept: AuditHead? = nil) throws -> AuditVerdict? {
    try run { [broker] in try await broker.verifyAudit(against: kept) }
  }

  /// Changes the database as its owner can.
  func tamper(_ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(directory.file("consentd.db"), &database) == SQLITE_OK,
      sqlite3_exec(database, "PRAGMA ignore_check_constraints = ON; " + sql, nil, nil, nil) == SQLITE_OK
    else { throw TamperingFailure(reason: String(cString: sqlite3_errmsg(database))) }
  }

  struct TamperingFailure: Error { let reason: String }

  /// Makes the chain close again from an entry on, as somebody can who knows how it is made.
  func rechain(from sequence: Int64) throws {
    let rows = try store.read { try $0.auditEntries(after: 0, limit: .max) }
    var previous = rows.last { $0.seq < sequence }?.hash ?? AuditChain.start
    for row in rows where row.seq >= sequence {
      let link = AuditLink(sequence: row.seq, atUSec: row.at, kind: row.kind, commitment: row.commitment)
      previous = AuditChain.hash(of: link, after: previous)
      let hex = AuditHead(size: row.seq, hash: previous).hashText
      try tamper("UPDATE audit SET hash = x'\(hex)' WHERE seq = \(row.seq)")
    }
  }
}
