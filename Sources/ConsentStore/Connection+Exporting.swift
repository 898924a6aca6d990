// SPDX-License-Identifier: Apache-2.0
//
// What is read for an export alone: everything of one person, in pages.

extension SQL {
  static let allDeclarations = SQL(
    "SELECT \(DeclarationRow.columns) FROM declaration WHERE person = ? ORDER BY declared_at, id")
  static let eventsAbout = SQL(
    """
    SELECT \(EventRow.columns) FROM asker a CROSS JOIN event e ON e.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND e.person = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?
    """)
  static let grantItems = SQL(
    "SELECT subject, action FROM grant_item WHERE grant_id = ? ORDER BY subject, action")
}

extension Connection {
  func allDeclarations(of person: String) throws(StoreError) -> [DeclarationRow] {
    try rows(.allDeclarations, person)
  }

  func events(
    about person: String, asker: AskerKey, after sequence: Int64, limit: Int
  ) throws(StoreError) -> [EventRow] {
    try rows(.eventsAbout, asker.uid, asker.app, person, sequence, limit)
  }

  func items(ofGrant grant: String) throws(StoreError) -> [GrantItemRow] {
    try rows(.grantItems, grant)
  }
}
