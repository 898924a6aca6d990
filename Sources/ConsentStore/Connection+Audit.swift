// SPDX-License-Identifier: Apache-2.0
//
// The audit chain's entries. The store counts them and lets nothing be written twice or out of turn; what the bytes of
// an entry must be is the broker's to know. Erasing leaves the entry in its place.

extension SQL {
  private static let select = "SELECT \(AuditRow.columns) FROM audit WHERE"
  static let auditHead = SQL("SELECT \(AuditRow.columns) FROM audit ORDER BY seq DESC LIMIT 1")
  static let auditEntries = SQL("\(select) seq > ? ORDER BY seq LIMIT ?")
  static let auditEntriesAbout = SQL(
    "\(select) person = ?1 AND seq > ?3 AND (?2 IS NULL OR app = ?2) ORDER BY seq LIMIT ?4")
  static let keptAuditEntries = SQL(
    """
    SELECT \(AuditRow.columns) FROM audit INDEXED BY audit_kept WHERE payload IS NOT NULL AND seq > 0
    ORDER BY seq LIMIT ?
    """)
  fileprivate static let appendAudit = SQL(
    """
    INSERT INTO audit (\(AuditRow.columns)) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE ?1 = 1 + coalesce((SELECT max(seq) FROM audit), 0)
    """)
  static let eraseAudit = SQL(
    "UPDATE audit SET payload = NULL, salt = NULL, person = NULL, app = NULL WHERE seq = ?")
}

extension Connection {
  func auditHead() throws(StoreError) -> AuditRow? {
    try first(.auditHead)
  }

  func auditEntries(after seq: Int64, limit: Int) throws(StoreError) -> [AuditRow] {
    try rows(.auditEntries, seq, limit)
  }

  func auditEntries(
    about person: String, app: String?, after seq: Int64, limit: Int
  ) throws(StoreError) -> [AuditRow] {
    try rows(.auditEntriesAbout, person, app, seq, limit)
  }

  func keptAuditEntries(before instant: Int64, limit: Int) throws(StoreError) -> [AuditRow] {
    let oldest: [AuditRow] = try rows(.keptAuditEntries, limit)
    return Array(oldest.prefix { $0.at < instant })
  }

  func append(_ row: AuditRow) throws(StoreError) {
    let added = try change(
      .appendAudit, row.seq, row.at, row.kind, row.person, row.app, row.payload, row.salt, row.commitment, row.hash)
    guard added == 1 else { throw .constraint(detail: "audit entry \(row.seq) does not follow the last one") }
  }

  func eraseAudit(seqs: [Int64]) throws(StoreError) {
    for seq in seqs { try change(.eraseAudit, seq) }
    if !seqs.isEmpty { hasErased = true }
  }
}
