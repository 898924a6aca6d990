// SPDX-License-Identifier: Apache-2.0
//
// People, their guardians, and what was declared about their age.

extension SQL {
  fileprivate static let person = SQL("SELECT \(PersonRow.columns) FROM person WHERE person = ?")
  fileprivate static let people = SQL(
    "SELECT \(PersonRow.columns) FROM person WHERE person > ? ORDER BY person LIMIT ?")
  static let peopleWithPrefix = SQL(
    "SELECT \(PersonRow.columns) FROM person WHERE person > ? AND person < ? ORDER BY person LIMIT ?")
  static let peopleOfVoice = SQL(
    """
    SELECT p.person, p.display_name, p.login_name, p.added_at
    FROM (SELECT DISTINCT person FROM guardian WHERE \(Schema.voice) = ? AND person > ? ORDER BY person LIMIT ?) g
    CROSS JOIN person p ON p.person = g.person
    """)
  static let guardians = SQL("SELECT \(GuardianRow.columns) FROM guardian WHERE person = ? ORDER BY seq")
  static let declarations = SQL(
    """
    SELECT \(DeclarationRow.columns) FROM declaration
    WHERE person = ? AND ended_at IS NULL ORDER BY declared_at, id
    """)
  fileprivate static let putPerson = SQL(
    """
    INSERT INTO person (person, display_name, login_name, added_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (person) DO UPDATE SET
      display_name = coalesce(excluded.display_name, display_name),
      login_name = coalesce(excluded.login_name, login_name)
    """)
  fileprivate static let removePerson = SQL("DELETE FROM person WHERE person = ?")
  static let removeCoolDowns = SQL("DELETE FROM cool_down WHERE person = ?")
  static let removeRecentQuestions = SQL("DELETE FROM recent_question WHERE person = ?")
  static let removeFirstVersions = SQL("DELETE FROM first_version WHERE person = ?")
  static let removeSettings = SQL("DELETE FROM setting WHERE person = ?")
  fileprivate static let putGuardian = SQL(
    """
    INSERT INTO guardian (person, guardian, display_name, login_name, added_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (person, guardian) DO UPDATE SET
      display_name = coalesce(excluded.display_name, display_name),
      login_name = coalesce(excluded.login_name, login_name)
    """)
  fileprivate static let removeGuardian = SQL("DELETE FROM guardian WHERE guardian = ? AND person = ?")
  fileprivate static let insertDeclaration = SQL(
    "INSERT INTO declaration (\(DeclarationRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  fileprivate static let endDeclarations = SQL(
    """
    UPDATE declaration SET ended_at = ?, ended_reason = ?
    WHERE person = ? AND source = ? AND declared_by = ? AND ended_at IS NULL
    """)
}

extension Connection {
  func person(_ person: String) throws(StoreError) -> PersonRow? {
    try first(.person, person)
  }

  func people(after: String?, limit: Int) throws(StoreError) -> [PersonRow] {
    try rows(.people, after ?? "", limit)
  }

  func people(withPrefix prefix: String, after: String?, limit: Int) throws(StoreError) -> [PersonRow] {
    try rows(.peopleWithPrefix, max(prefix, after ?? ""), prefix + "\u{7F}", limit)
  }

  func people(ofVoices voices: [String], after: String?, limit: Int) throws(StoreError) -> [PersonRow] {
    var found: [String: PersonRow] = [:]
    for voice in voices {
      for row: PersonRow in try rows(.peopleOfVoice, voice, after ?? "", limit) { found[row.person] = row }
    }
    return Array(found.values.sorted { $0.person < $1.person }.prefix(limit))
  }

  func guardians(of person: String) throws(StoreError) -> [GuardianRow] {
    try rows(.guardians, person)
  }

  func declarations(of person: String) throws(StoreError) -> [DeclarationRow] {
    try rows(.declarations, person)
  }

  func put(_ row: PersonRow) throws(StoreError) {
    try change(.putPerson, row.person, row.displayName, row.loginName, row.addedAt)
  }

  func removePerson(_ person: String) throws(StoreError) -> Bool {
    for sql in [SQL.removeCoolDowns, .removeRecentQuestions, .removeFirstVersions, .removeSettings] {
      try change(sql, person)
    }
    return try change(.removePerson, person) > 0
  }

  func put(_ row: GuardianRow) throws(StoreError) {
    try change(.putGuardian, row.person, row.guardian, row.displayName, row.loginName, row.addedAt)
  }

  func removeGuardian(_ guardian: String, of person: String) throws(StoreError) -> Bool {
    try change(.removeGuardian, guardian, person) > 0
  }

  func insert(_ row: DeclarationRow) throws(StoreError) {
    try change(
      .insertDeclaration, row.id, row.person, row.source, row.assurance, row.declaredBy, row.birthDate,
      row.lowerBound, row.upperBound, row.asOfDate, row.declaredAt, row.endedAt, row.endedReason)
  }

  @discardableResult
  func endDeclarations(
    person: String, source: String, declaredBy: String, at: Int64, reason: String
  ) throws(StoreError) -> Int {
    try change(.endDeclarations, at, reason, person, source, declaredBy)
  }
}
