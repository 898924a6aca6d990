// SPDX-License-Identifier: Apache-2.0
//
// Cool-downs, the questions of a day, the version an app had when it was first seen, and what guardians set.

extension SQL {
  static let coolDown = SQL(
    "SELECT \(CoolDownRow.columns) FROM cool_down WHERE person = ? AND scope = ? AND subject = ?")
  static let recentQuestions = SQL(
    "SELECT asked_at FROM recent_question WHERE person = ? AND scope = ? AND asked_at > ? ORDER BY asked_at")
  static let firstVersion = SQL(
    """
    SELECT f.version FROM asker a JOIN first_version f ON f.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND f.person = ?
    """)
  static let setting = SQL(
    "SELECT \(SettingRow.columns) FROM setting WHERE person = ? AND app = ? AND name = ?")
  static let settings = SQL("SELECT \(SettingRow.columns) FROM setting WHERE person = ? ORDER BY app, name")
  fileprivate static let putCoolDown = SQL(
    "INSERT OR REPLACE INTO cool_down (\(CoolDownRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
  static let deleteCoolDowns = SQL(
    """
    DELETE FROM cool_down WHERE person = ?1 AND (?2 IS NULL OR scope = ?2) AND (?3 IS NULL OR subject = ?3)
    """)
  fileprivate static let insertRecentQuestion = SQL(
    "INSERT INTO recent_question (person, scope, asked_at, question) VALUES (?, ?, ?, ?)")
  static let deleteRecentQuestions = SQL("DELETE FROM recent_question WHERE asked_at < ?")
  fileprivate static let insertFirstVersion = SQL(
    """
    INSERT INTO first_version (person, asker, version, recorded_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (person, asker) DO NOTHING
    """)
  fileprivate static let putSetting = SQL(
    "INSERT OR REPLACE INTO setting (\(SettingRow.columns)) VALUES (?, ?, ?, ?, ?, ?)")
  static let deleteSetting = SQL("DELETE FROM setting WHERE person = ? AND app = ? AND name = ?")
}

extension Connection {
  func coolDown(person: String, scope: String, subject: String) throws(StoreError) -> CoolDownRow? {
    try first(.coolDown, person, scope, subject)
  }

  func recentQuestions(person: String, scope: String, after: Int64) throws(StoreError) -> [Int64] {
    try rows(.recentQuestions, person, scope, after)
  }

  func firstVersion(person: String, asker: AskerKey) throws(StoreError) -> String? {
    try first(.firstVersion, asker.uid, asker.app, person)
  }

  func setting(person: String, app: String, name: String) throws(StoreError) -> SettingRow? {
    try first(.setting, person, app, name)
  }

  func settings(of person: String) throws(StoreError) -> [SettingRow] {
    try rows(.settings, person)
  }

  func put(_ row: CoolDownRow) throws(StoreError) {
    try change(
      .putCoolDown, row.person, row.scope, row.subject, row.denials, row.deniedAt, row.lapsedAt, row.newsAt)
  }

  func deleteCoolDowns(person: String, scope: String?, subject: String?) throws(StoreError) {
    try change(.deleteCoolDowns, person, scope, subject)
  }

  func insertRecentQuestion(
    person: String, scope: String, askedAt: Int64, question: String
  ) throws(StoreError) {
    try change(.insertRecentQuestion, person, scope, askedAt, question)
  }

  @discardableResult
  func deleteRecentQuestions(before instant: Int64) throws(StoreError) -> Int {
    try change(.deleteRecentQuestions, instant)
  }

  func recordFirstVersion(person: String, asker: AskerKey, version: String, at: Int64) throws(StoreError) {
    let asker = try askerID(adding: asker)
    try change(.insertFirstVersion, person, asker, version, at)
  }

  func put(_ row: SettingRow) throws(StoreError) {
    try change(.putSetting, row.person, row.app, row.name, row.value, row.setBy, row.setAt)
  }

  func deleteSetting(person: String, app: String, name: String) throws(StoreError) -> Bool {
    try change(.deleteSetting, person, app, name) > 0
  }
}
