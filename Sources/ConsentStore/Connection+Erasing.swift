// SPDX-License-Identifier: Apache-2.0
//
// Taking out what was asked and answered. Rows that others refer to stay, with nothing in them but ids, states and
// times. SQLite overwrites what goes (`secure_delete`), and the log, which still holds the pages as they were, is
// emptied behind the commit; until that has worked once, every later commit tries it again.

extension SQL {
  static let askersAbout = SQL(
    """
    SELECT \(AskerRow.columns) FROM asker WHERE id IN (SELECT DISTINCT asker FROM question WHERE person = ?)
    ORDER BY uid, app
    """)
  static let eraseAskKeys = SQL("DELETE FROM ask_key WHERE asker = ? AND person = ?")
  static let eraseAnswers = SQL(
    "DELETE FROM answer WHERE question IN (SELECT id FROM question WHERE asker = ?1 AND person = ?2)")
  static let eraseItems = SQL("DELETE FROM grant_item WHERE asker = ? AND person = ?")
  static let eraseGrants = SQL(
    """
    UPDATE grant_given SET topic_key = '', guardian = NULL, note = NULL, ended_by = NULL, end_note = NULL
    WHERE asker = ? AND person = ?
    """)
  static let eraseCoolDowns = SQL(
    """
    DELETE FROM cool_down WHERE person = ?2 AND scope IN (
      SELECT CASE q.provenance WHEN 'registered' THEN 'app:' || a.app ELSE 'uid:' || a.uid END
      FROM question q CROSS JOIN asker a ON a.id = q.asker WHERE q.person = ?2 AND q.asker = ?1)
    """)
  static let eraseRecentQuestions = SQL(
    """
    DELETE FROM recent_question
    WHERE person = ?2 AND question IN (SELECT id FROM question WHERE person = ?2 AND asker = ?1)
    """)
  static let eraseFirstVersions = SQL("DELETE FROM first_version WHERE asker = ? AND person = ?")
  static let eraseSettings = SQL(
    "DELETE FROM setting WHERE person = ?2 AND app <> '' AND app = (SELECT app FROM asker WHERE id = ?1)")
  static let eraseEvents = SQL("UPDATE event SET topic_key = NULL WHERE asker = ? AND person = ?")
  private static let emptyQuestion = """
    UPDATE question SET
      content = '', content_hash = '', topic_key = '', times_asked = 1, app_version = NULL, plan = NULL,
      choice = NULL, decided_by = NULL, guardian = NULL, channel = NULL, assurance = NULL, policy = NULL
    """
  static let eraseQuestions = SQL(
    """
    \(emptyQuestion), erased_at = ?3
    WHERE asker = ?1 AND person = ?2 AND state <> 'pending' AND erased_at IS NULL
    """)
  static let eraseQuestion = SQL(
    "\(emptyQuestion), erased_at = ?2 WHERE id = ?1 AND state <> 'pending' AND erased_at IS NULL")
  fileprivate static let truncateLog = SQL("PRAGMA wal_checkpoint(TRUNCATE)")
}

extension Connection {
  func askers(about person: String) throws(StoreError) -> [AskerRow] {
    try rows(.askersAbout, person)
  }

  func erase(_ person: String, for asker: AskerKey, at instant: Int64) throws(StoreError) {
    guard let id: Int64 = try first(.askerID, asker.uid, asker.app) else { return }
    for sql in [
      SQL.eraseAskKeys, .eraseAnswers, .eraseItems, .eraseGrants, .eraseEvents, .eraseCoolDowns,
      .eraseRecentQuestions, .eraseFirstVersions, .eraseSettings,
    ] {
      try change(sql, id, person)
    }
    try change(.eraseQuestions, id, person, instant)
    hasErased = true
  }

  /// Where something was erased: empties the log. Not inside a transaction. A reader that takes its time, as a copy does,
  /// is not waited for: every commit would take that long meanwhile.
  func emptyLogOfErased() {
    guard hasErased else { return }
    database.waitForLocks(milliseconds: 20)
    defer { database.waitForLocks(milliseconds: Database.busyTimeoutMilliseconds) }
    let isBusy: Int? = try? first(.truncateLog)
    hasErased = isBusy != 0
  }
}
