// SPDX-License-Identifier: Apache-2.0
//
// One person under another name. Every row that names the person is changed, in one transaction of the caller's; what a
// question asked stays as it was put, because its hash is what the answer was given to.
//
// The person's row is copied and the old one removed last: guardians and declarations refer to it at every moment. Login
// names do not come along, because the other uid has its own.

extension SQL {
  static let loginNames = SQL(
    """
    SELECT login_name FROM person WHERE person = ?1 AND login_name IS NOT NULL
    UNION ALL SELECT login_name FROM guardian WHERE guardian = ?1 AND login_name IS NOT NULL
    """)
  static let isKnown = SQL(
    """
    SELECT EXISTS (SELECT 1 FROM person WHERE person = ?1) OR EXISTS (SELECT 1 FROM guardian WHERE guardian = ?1)
      OR EXISTS (SELECT 1 FROM question WHERE person = ?1) OR EXISTS (SELECT 1 FROM grant_given WHERE person = ?1)
      OR EXISTS (SELECT 1 FROM event WHERE person = ?1) OR EXISTS (SELECT 1 FROM answer WHERE guardian = ?1)
      OR EXISTS (SELECT 1 FROM declaration WHERE declared_by = ?1) OR EXISTS (SELECT 1 FROM asker WHERE uid = ?2)
      OR EXISTS (SELECT 1 FROM setting WHERE person = ?1) OR EXISTS (SELECT 1 FROM setting WHERE set_by = ?1)
      OR EXISTS (SELECT 1 FROM cool_down WHERE person = ?1) OR EXISTS (SELECT 1 FROM cool_down WHERE scope = ?1)
      OR EXISTS (SELECT 1 FROM grant_given WHERE guardian = ?1)
      OR EXISTS (SELECT 1 FROM grant_given WHERE ended_by = ?1)
    """)
  fileprivate static let setPersonLogin = SQL("UPDATE person SET login_name = ?2 WHERE person = ?1")
  static let setGuardianLogin = SQL("UPDATE guardian SET login_name = ?2 WHERE guardian = ?1")
  fileprivate static let copyPerson = SQL(
    """
    INSERT INTO person (person, display_name, login_name, added_at)
    SELECT ?2, display_name, NULL, added_at FROM person WHERE person = ?1
    """)
  fileprivate static let deletePerson = SQL("DELETE FROM person WHERE person = ?")
  static let moveGuardians = SQL("UPDATE guardian SET person = ?2 WHERE person = ?1")
  static let moveDeclarations = SQL("UPDATE declaration SET person = ?2 WHERE person = ?1")
  static let moveAskKeys = SQL(
    """
    UPDATE ask_key SET person = ?2
    WHERE person = ?1 AND asker IN (SELECT DISTINCT asker FROM question WHERE person = ?1)
    """)
  static let moveQuestions = SQL("UPDATE question SET person = ?2 WHERE person = ?1")
  static let moveGrants = SQL("UPDATE grant_given SET person = ?2 WHERE person = ?1")
  static let moveItems = SQL("UPDATE grant_item SET person = ?2 WHERE person = ?1")
  static let moveEvents = SQL("UPDATE event SET person = ?2 WHERE person = ?1")
  static let moveAskers = SQL("UPDATE asker SET uid = ?2 WHERE uid = ?1")
  static let moveGuardianships = SQL(
    "UPDATE guardian SET guardian = ?2, login_name = NULL WHERE guardian = ?1")
  static let moveEndings = SQL(
    """
    UPDATE question SET guardian = ?2
    WHERE guardian = ?1 AND id IN (SELECT question FROM answer WHERE guardian = ?1)
    """)
  static let moveAnswers = SQL("UPDATE answer SET guardian = ?2 WHERE guardian = ?1")
  static let moveDeclarers = SQL("UPDATE declaration SET declared_by = ?2 WHERE declared_by = ?1")
  static let moveCoolDowns = SQL("UPDATE cool_down SET person = ?2 WHERE person = ?1")
  static let moveRecentQuestions = SQL("UPDATE recent_question SET person = ?2 WHERE person = ?1")
  static let moveFirstVersions = SQL("UPDATE first_version SET person = ?2 WHERE person = ?1")
  static let moveSettings = SQL("UPDATE setting SET person = ?2 WHERE person = ?1")
  static let moveAudit = SQL("UPDATE audit SET person = ?2 WHERE person = ?1")
  static let moveCoolDownScopes = SQL("UPDATE cool_down SET scope = ?2 WHERE scope = ?1")
  static let moveRecentScopes = SQL("UPDATE recent_question SET scope = ?2 WHERE scope = ?1")
  static let moveSetters = SQL("UPDATE setting SET set_by = ?2 WHERE set_by = ?1")
  static let moveGivers = SQL("UPDATE grant_given SET guardian = ?2 WHERE guardian = ?1")
  static let moveEnders = SQL("UPDATE grant_given SET ended_by = ?2 WHERE ended_by = ?1")
  static let deleteAskKeysOfQuestion = SQL(
    """
    DELETE FROM ask_key WHERE person = ?2 AND question = ?1 AND asker = (SELECT asker FROM question WHERE id = ?1)
    """)
}

extension Connection {
  func loginNames(of principal: String) throws(StoreError) -> [String] {
    try rows(.loginNames, principal)
  }

  func isKnown(_ principal: String, uid: UInt32?) throws(StoreError) -> Bool {
    let isKnown: Int? = try first(.isKnown, principal, uid)
    return isKnown != 0
  }

  func setLoginName(_ name: String, of principal: String) throws(StoreError) {
    try change(.setPersonLogin, principal, name)
    try change(.setGuardianLogin, principal, name)
  }

  func deleteAskKeys(of question: String, about person: String) throws(StoreError) {
    try change(.deleteAskKeysOfQuestion, question, person)
  }

  func movePerson(_ person: String, to other: String) throws(StoreError) {
    try change(.copyPerson, person, other)
    for sql in [
      SQL.moveGuardians, .moveDeclarations, .moveAskKeys, .moveQuestions, .moveGrants, .moveItems, .moveEvents,
      .moveCoolDowns, .moveRecentQuestions, .moveFirstVersions, .moveSettings, .moveAudit,
    ] { try change(sql, person, other) }
    try change(.deletePerson, person)
  }

  func moveUser(_ uid: UInt32, to other: UInt32) throws(StoreError) {
    try change(.moveAskers, uid, other)
    for sql in [
      SQL.moveGuardianships, .moveEndings, .moveAnswers, .moveDeclarers, .moveCoolDownScopes, .moveRecentScopes,
      .moveSetters, .moveGivers, .moveEnders,
    ] {
      try change(sql, "uid:\(uid)", "uid:\(other)")
    }
  }
}
