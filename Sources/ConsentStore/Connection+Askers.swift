// SPDX-License-Identifier: Apache-2.0
//
// Askers with their events and keys, and the store's own values. An asker's row is made with the first thing it owns;
// its number never leaves the store.

extension SQL {
  static let asker = SQL("SELECT \(AskerRow.columns) FROM asker WHERE uid = ? AND app = ?")
  static let askerID = SQL("SELECT id FROM asker WHERE uid = ? AND app = ?")
  static let events = SQL(
    """
    SELECT \(EventRow.columns) FROM asker a JOIN event e ON e.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?
    """)
  static let askingApps = SQL("SELECT DISTINCT app FROM asker ORDER BY app LIMIT ?")
  static let askingAppsAfter = SQL("SELECT DISTINCT app FROM asker WHERE app > ? ORDER BY app LIMIT ?")
  static let askersAs = SQL("SELECT \(AskingRow.columns) FROM asker WHERE app = ? ORDER BY uid")
  static let askKey = SQL(
    """
    SELECT \(AskKeyRow.columns) FROM asker a JOIN ask_key k ON k.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND k.person = ? AND k.key = ?
    """)
  static let meta = SQL("SELECT value FROM meta WHERE key = ?")
  private static let openCount = "SELECT count(*) FROM question INDEXED BY question_pending WHERE state = 'pending'"
  fileprivate static let counts = SQL(
    "SELECT (SELECT count(*) FROM person), (\(openCount))")
  static let allOpenQuestionCount = SQL(openCount)
  fileprivate static let insertAsker = SQL(
    "INSERT INTO asker (uid, app, last_sequence) VALUES (?, ?, \(sequenceFloor))")
  fileprivate static let firstSequence = SQL("SELECT \(sequenceFloor)")
  fileprivate static let countEvent = SQL("UPDATE asker SET last_sequence = last_sequence + 1 WHERE id = ?")
  fileprivate static let lastSequence = SQL("SELECT last_sequence FROM asker WHERE id = ?")
  fileprivate static let insertEvent = SQL(
    """
    INSERT INTO event (asker, sequence, event, person, topic_key, question, grant_id, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  fileprivate static let acknowledge = SQL("UPDATE asker SET acknowledged = ? WHERE uid = ? AND app = ?")
  fileprivate static let putAskKey = SQL(
    """
    INSERT INTO ask_key (asker, person, key, topic_hash, question, asked_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (asker, person, key) DO UPDATE SET
      topic_hash = excluded.topic_hash, question = excluded.question, asked_at = excluded.asked_at
    """)
  fileprivate static let deleteAskKeys = SQL("DELETE FROM ask_key WHERE asked_at < ?")
  fileprivate static let setMeta = SQL(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
}

extension Connection {
  func asker(_ asker: AskerKey) throws(StoreError) -> AskerRow {
    if let row: AskerRow = try first(.asker, asker.uid, asker.app) { return row }
    let floor: Int64? = try first(.firstSequence)
    return AskerRow(asker: asker, lastSequence: floor ?? 0, acknowledged: 0)
  }

  func events(asker: AskerKey, after sequence: Int64, limit: Int) throws(StoreError) -> [EventRow] {
    try rows(.events, asker.uid, asker.app, sequence, limit)
  }

  func askingApps(after: String?, limit: Int) throws(StoreError) -> [String] {
    guard let after else { return try rows(.askingApps, limit) }
    return try rows(.askingAppsAfter, after, limit)
  }

  func askers(as app: String) throws(StoreError) -> [AskingRow] {
    try rows(.askersAs, app)
  }

  func askKey(asker: AskerKey, person: String, key: String) throws(StoreError) -> AskKeyRow? {
    try first(.askKey, asker.uid, asker.app, person, key)
  }

  func counts() throws(StoreError) -> StoreCounts {
    try first(.counts) ?? StoreCounts(people: 0, openQuestions: 0)
  }

  func openQuestionCount() throws(StoreError) -> Int { try first(.allOpenQuestionCount) ?? 0 }

  func meta(_ key: String) throws(StoreError) -> [UInt8]? {
    try first(.meta, key)
  }

  /// The number of the asker's row, which is added where it is not there.
  func askerID(adding asker: AskerKey) throws(StoreError) -> Int64 {
    if let id: Int64 = try first(.askerID, asker.uid, asker.app) { return id }
    try change(.insertAsker, asker.uid, asker.app)
    return database.lastKey
  }

  @discardableResult
  func appendEvent(_ row: EventRow) throws(StoreError) -> Int64 {
    let asker = try askerID(adding: row.asker)
    try change(.countEvent, asker)
    guard let sequence: Int64 = try first(.lastSequence, asker) else {
      throw .damaged(detail: "an asker has gone")
    }
    try change(
      .insertEvent, asker, sequence, row.event, row.person, row.topicKey, row.question, row.grant, row.at)
    return sequence
  }

  @discardableResult
  func acknowledge(_ asker: AskerKey, sequence: Int64) throws(StoreError) -> Bool {
    try change(.acknowledge, sequence, asker.uid, asker.app) > 0
  }

  func put(_ row: AskKeyRow) throws(StoreError) {
    let asker = try askerID(adding: row.asker)
    try change(.putAskKey, asker, row.person, row.key, row.topicHash, row.question, row.askedAt)
  }

  @discardableResult
  func deleteAskKeys(before instant: Int64) throws(StoreError) -> Int {
    try change(.deleteAskKeys, instant)
  }

  func setMeta(_ key: String, _ value: [UInt8]) throws(StoreError) {
    try change(.setMeta, key, value)
  }
}
