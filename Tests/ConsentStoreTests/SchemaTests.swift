// SPDX-License-Identifier: Apache-2.0
//
// The rules that hold whoever writes: each is broken once, by SQL of its own, and must be refused as `constraint`. And
// the numbered steps that make the tables.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct SchemaTests {
  /// Rows every refused statement can refer to.
  static let rows = """
    INSERT INTO person VALUES ('p', NULL, NULL, 0);
    INSERT INTO asker (id, uid, app) VALUES (1, 1001, 'a.b');
    INSERT INTO question (id, person, asker, provenance, kind, topic_key, content_hash, decider, state, times_asked,
      asked_at, expires_at, synthetic, content)
      VALUES ('q', 'p', 1, 'r', 'k', 't', 'h', 'd', 'pending', 1, 1, 2, 0, '{}');
    INSERT INTO grant_given (id, person, asker, provenance, topic_key, kind, lifetime, granted_at)
      VALUES ('g', 'p', 1, 'r', 't', 'k', 'persistent', 1);
    INSERT INTO guardian (person, guardian, added_at) VALUES ('p', 'x', 0);
    INSERT INTO declaration (id, person, source, assurance, declared_by, birth_date, declared_at)
      VALUES ('d', 'p', 's', 'a', 'x', '2014-03-05', 0);
    """

  @Test(arguments: [
    ("a person twice", "INSERT INTO person VALUES ('p', NULL, NULL, 0)"),
    ("a person without a name", "INSERT INTO person VALUES (NULL, NULL, NULL, 0)"),
    ("text for an instant", "INSERT INTO person VALUES ('z', NULL, NULL, 'now')"),
    ("a guardian of nobody", "INSERT INTO guardian (person, guardian, added_at) VALUES ('z', 'x', 0)"),
    ("a guardian twice", "INSERT INTO guardian (person, guardian, added_at) VALUES ('p', 'x', 0)"),
    ("a guardian of themself", "INSERT INTO guardian (person, guardian, added_at) VALUES ('p', 'p', 0)"),
    ("a declaration about nobody", "UPDATE declaration SET person = 'z'"),
    ("neither birth date nor bounds", "UPDATE declaration SET birth_date = NULL"),
    ("birth date and bounds", "UPDATE declaration SET lower_bound = 12, as_of_date = '2026-01-01'"),
    ("bounds without their date", "UPDATE declaration SET birth_date = NULL, lower_bound = 12"),
    ("a date without bounds", "UPDATE declaration SET birth_date = NULL, as_of_date = '2026-01-01'"),
    (
      "bounds the wrong way round",
      "UPDATE declaration SET birth_date = NULL, as_of_date = 'x', lower_bound = 9, upper_bound = 8"
    ),
    ("a declaration ended without a reason", "UPDATE declaration SET ended_at = 1"),
    (
      "a second living declaration of one declarer",
      """
      INSERT INTO declaration (id, person, source, assurance, declared_by, birth_date, declared_at)
      VALUES ('e', 'p', 's', 'a', 'x', '2015-01-01', 0)
      """
    ),
    ("the uid that means nobody", "INSERT INTO asker (uid, app) VALUES (4294967295, '')"),
    ("a negative uid", "INSERT INTO asker (uid, app) VALUES (-1, '')"),
    ("an asker twice", "INSERT INTO asker (uid, app) VALUES (1001, 'a.b')"),
    ("a cursor ahead of the events", "UPDATE asker SET acknowledged = 1"),
    ("a negative cursor", "UPDATE asker SET acknowledged = -1"),
    ("a question twice", copy(id: "q", topic: "other")),
    ("a second open question of a topic", copy(id: "r", topic: "t")),
    ("a question of an unknown asker", "UPDATE question SET asker = 2"),
    ("a state nobody knows", "UPDATE question SET state = 'maybe', ended_at = 1"),
    ("an end that is pending", "UPDATE question SET ended_at = 1"),
    ("an end without an instant", "UPDATE question SET state = 'denied'"),
    ("a choice while pending", "UPDATE question SET choice = 'approve'"),
    ("a pending decision stamped synthetic", "UPDATE question SET synthetic = 1"),
    ("a grant while pending", "UPDATE question SET grant_id = 'g'"),
    ("a truth value of 2", "UPDATE question SET state = 'moot', ended_at = 1, synthetic = 2"),
    ("a successor of a denied question", "UPDATE question SET state = 'denied', ended_at = 1, successor = 'q'"),
    ("a grant that is not there", "UPDATE question SET state = 'approved', ended_at = 1, grant_id = 'none'"),
    ("a deadline before the ask", "UPDATE question SET expires_at = 1"),
    ("asked zero times", "UPDATE question SET times_asked = 0"),
    ("an answer to nothing", "INSERT INTO answer VALUES ('none', 'x', 'approve', NULL, NULL, NULL, 1)"),
    (
      "a second answer of a guardian",
      """
      INSERT INTO answer VALUES ('q', 'x', 'approve', NULL, NULL, NULL, 1), ('q', 'x', 'deny', NULL, NULL, NULL, 1)
      """
    ),
    ("a key for nothing", "INSERT INTO ask_key VALUES (1, 'p', 'k', 'h', 'none', 1)"),
    ("a grant from nothing", "UPDATE grant_given SET question = 'none'"),
    ("a grant over before it began", "UPDATE grant_given SET expires_at = 1"),
    ("a grant ended without a reason", "UPDATE grant_given SET ended_at = 1"),
    ("an item of no grant", "INSERT INTO grant_item VALUES ('none', 's', 'a', 'p', 1, 'k')"),
    (
      "an item twice",
      "INSERT INTO grant_item VALUES ('g', 's', 'a', 'p', 1, 'k'), ('g', 's', 'a', 'p', 1, 'k')"
    ),
    (
      "an event twice",
      "INSERT INTO event VALUES (1, 1, 'e', 'p', NULL, NULL, NULL, 1), (1, 1, 'e', 'p', NULL, NULL, NULL, 1)"
    ),
    ("an event about nothing", "INSERT INTO event VALUES (1, 1, 'e', 'p', NULL, 'none', NULL, 1)"),
    ("an event of nobody", "INSERT INTO event VALUES (2, 1, 'e', 'p', NULL, NULL, NULL, 1)"),
    ("a cool-down of fewer than no denials", "INSERT INTO cool_down VALUES ('p', 's', 't', -1, NULL, NULL, NULL)"),
    ("a first version of nobody", "INSERT INTO first_version VALUES ('p', 2, '1', 1)"),
    ("a grant that somebody ended and that lives", "UPDATE grant_given SET ended_by = 'x'"),
    ("a salt of nothing", "INSERT INTO audit VALUES (1, 1, 'k', NULL, NULL, NULL, x'00', x'00', x'00')"),
    ("a payload without its salt", "INSERT INTO audit VALUES (1, 1, 'k', NULL, NULL, '{}', NULL, x'00', x'00')"),
    ("an erased entry that names somebody", "INSERT INTO audit VALUES (1, 1, 'k', 'p', NULL, NULL, NULL, x'', x'')"),
    ("a value of no bytes", "INSERT INTO meta VALUES ('k', 'text')"),
  ]) func `the schema refuses`(what: String, statement: String) throws {
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .writing)
    try database.execute("PRAGMA foreign_keys = ON")
    try database.execute(SchemaTests.rows)
    let error = #expect(throws: StoreError.self, "\(what)") { try database.execute(statement) }
    guard case .constraint = error else {
      Issue.record("\(what): \(String(describing: error))")
      return
    }
  }

  @Test func `a question may follow an ended one of its topic`() throws {
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .writing)
    try database.execute(SchemaTests.rows)
    try database.execute("UPDATE question SET state = 'denied', ended_at = 1")
    try database.execute(SchemaTests.copy(id: "r", topic: "t", state: "pending"))
  }

  @Test func `missing steps are applied in order and their number is kept`() throws {
    let database = try emptyDatabase()
    try Schema(steps: ["CREATE TABLE a (x)"]).migrate(database)
    try Schema(steps: ["no SQL", "ALTER TABLE a ADD COLUMN y", "ALTER TABLE a RENAME COLUMN y TO z"])
      .migrate(database)
    try database.execute("INSERT INTO a (x, z) VALUES (1, 2)")
    let version: Int? = try Connection(database).first(.userVersion)
    #expect(version == 3)
  }

  @Test func `a step that fails takes the others with it`() throws {
    let database = try emptyDatabase()
    #expect(throws: StoreError.self) {
      try Schema(steps: ["CREATE TABLE a (x)", "no SQL"]).migrate(database)
    }
    let version: Int? = try Connection(database).first(.userVersion)
    let tables: Int? = try Connection(database).first(SQL("SELECT count(*) FROM sqlite_schema"))
    #expect(version == 0 && tables == 0)
    #expect(!database.isInTransaction)
  }

  @Test func `a later schema is left alone`() throws {
    let database = try emptyDatabase()
    try Schema(steps: ["CREATE TABLE a (x)", "CREATE TABLE b (x)"]).migrate(database)
    #expect(throws: StoreError.newerSchema(found: 2, known: 1)) {
      try Schema(steps: ["CREATE TABLE a (x)"]).migrate(database)
    }
  }

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func emptyDatabase() throws -> Database {
    let path = directory.file("steps.db")
    try Data().write(to: URL(fileURLWithPath: path))
    return try Database(path: path, mode: .writing)
  }

  static func copy(id: String, topic: String, state: String = "state") -> String {
    let value = state == "state" ? state : "'\(state)'"
    return """
      INSERT INTO question (id, person, asker, provenance, kind, topic_key, content_hash, decider, state, times_asked,
        asked_at, expires_at, synthetic, content)
      SELECT '\(id)', person, asker, provenance, kind, '\(topic)', content_hash, decider, \(value), times_asked,
        asked_at, expires_at, 0, content FROM question
      """
  }
}
