// SPDX-License-Identifier: Apache-2.0
//
// Grants and what they cover.

extension SQL {
  private static let select = "SELECT \(GrantRow.columns) FROM grant_given g CROSS JOIN asker a ON a.id = g.asker"

  static let coveringGrants = SQL(
    """
    SELECT g.id, g.expires_at
    FROM asker a
      JOIN grant_item i ON i.person = ?1 AND i.asker = a.id AND i.kind = ?4 AND i.subject = ?5 AND i.action = ?6
      JOIN grant_given g ON g.id = i.grant_id
    WHERE a.uid = ?2 AND a.app = ?3 AND g.ended_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ?7)
    """)
  static let grant = SQL("\(select) WHERE g.id = ?")
  static let grants = SQL(
    """
    SELECT \(GrantRow.columns) FROM asker a JOIN grant_given g ON g.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND g.person = ? AND g.topic_key = ? ORDER BY g.granted_at, g.id
    """)
  static let liveGrants = SQL("\(select) WHERE g.person = ? AND g.ended_at IS NULL ORDER BY g.granted_at, g.id")
  private static let page = "(?2 IS NULL OR a.app = ?2) AND (g.granted_at, g.id) > (?3, ?4)"
  static let grantsOfPerson = SQL(
    "\(select) WHERE g.person = ?1 AND \(page) ORDER BY g.granted_at, g.id LIMIT ?5")
  static let liveGrantsOfPerson = SQL(
    "\(select) WHERE g.person = ?1 AND g.ended_at IS NULL AND \(page) ORDER BY g.granted_at, g.id LIMIT ?5")
  static let dueGrants = SQL(
    """
    \(select) WHERE g.ended_at IS NULL AND g.expires_at IS NOT NULL AND g.expires_at <= ?
    ORDER BY g.expires_at, g.id LIMIT ?
    """)
  static let earliestGrantEnd = SQL(
    "SELECT min(expires_at) FROM grant_given WHERE ended_at IS NULL AND expires_at IS NOT NULL")
  fileprivate static let insertGrant = SQL(
    """
    INSERT INTO grant_given (
      id, person, asker, provenance, topic_key, kind, question, lifetime, granted_at, expires_at, ended_at,
      ended_reason, guardian, note, ended_by, end_note)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  fileprivate static let insertItem = SQL(
    "INSERT INTO grant_item (grant_id, subject, action, person, asker, kind) VALUES (?, ?, ?, ?, ?, ?)")
  fileprivate static let endGrant = SQL(
    """
    UPDATE grant_given SET ended_at = ?2, ended_reason = ?3, ended_by = ?4, end_note = ?5
    WHERE id = ?1 AND ended_at IS NULL
    """)
}

extension Connection {
  func liveGrant(
    covering item: GrantItemRow, person: String, asker: AskerKey, kind: String, now: Int64
  ) throws(StoreError) -> String? {
    let grants: [CoveringGrant] = try rows(
      .coveringGrants, person, asker.uid, asker.app, kind, item.subject, item.action, now)
    return grants.max { $0.end < $1.end }?.id
  }

  /// A grant that covers an item, and when it ends by itself. Sorting the few there are is cheaper here than in SQL.
  private struct CoveringGrant: Readable {
    let id: String
    let end: Int64

    init(reading columns: inout Columns) throws(StoreError) {
      id = try columns.next()
      let expiresAt: Int64? = try columns.next()
      end = expiresAt ?? .max
    }
  }

  func grant(_ id: String) throws(StoreError) -> GrantRow? {
    try first(.grant, id)
  }

  func grants(person: String, asker: AskerKey, topicKey: String) throws(StoreError) -> [GrantRow] {
    try rows(.grants, asker.uid, asker.app, person, topicKey)
  }

  func liveGrants(of person: String) throws(StoreError) -> [GrantRow] {
    try rows(.liveGrants, person)
  }

  func insert(_ row: GrantRow, items: [GrantItemRow]) throws(StoreError) {
    let asker = try askerID(adding: row.asker)
    try change(
      .insertGrant, row.id, row.person, asker, row.provenance, row.topicKey, row.kind, row.question, row.lifetime,
      row.grantedAt, row.expiresAt, row.endedAt, row.endedReason, row.guardian, row.note, row.endedBy, row.endNote)
    for item in items {
      try change(.insertItem, row.id, item.subject, item.action, row.person, asker, row.kind)
    }
  }

  func grants(
    of person: String, app: String?, onlyLive: Bool, after: GrantPlace?, limit: Int
  ) throws(StoreError) -> [GrantRow] {
    let query = onlyLive ? SQL.liveGrantsOfPerson : .grantsOfPerson
    return try rows(query, person, app, after?.grantedAt ?? Int64.min, after?.id ?? "", limit)
  }

  func dueGrants(at now: Int64, limit: Int) throws(StoreError) -> [GrantRow] {
    try rows(.dueGrants, now, limit)
  }

  func earliestGrantEnd() throws(StoreError) -> Int64? {
    let earliest: Int64?? = try first(.earliestGrantEnd)
    return earliest ?? nil
  }

  func endGrant(_ id: String, at: Int64, reason: String, by: String?, note: String?) throws(StoreError) -> Bool {
    try change(.endGrant, id, at, reason, by, note) > 0
  }
}
