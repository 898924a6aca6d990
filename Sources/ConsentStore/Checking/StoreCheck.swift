// SPDX-License-Identifier: Apache-2.0
//
// Judges a store without changing a byte of it, beside a daemon or alone: whose file it is, whether SQLite finds it
// whole, whether its tables are those of its version, and whether the rows keep the rules no daemon breaks. Indexes are
// not trusted while rows are counted: one of them may be what is wrong.

/// The checks of a store.
package enum StoreCheck {
  /// How many problems of one check are told.
  static let limit = 10

  /// Checks the store at `path`.
  ///
  /// Throws a `StoreError` where it cannot be read as a store at all.
  package static func run(_ path: String) throws(StoreError) -> StoreReport {
    let file = StoreFile(path: path)
    guard case .store = try file.content(for: .current) else {
      throw .cannotOpen(path: file.path, detail: "there is no store")
    }
    let connection = Connection(try Database(reading: file))
    try connection.control(.beginReading)
    guard let version: Int = try connection.first(.userVersion) else {
      throw .damaged(detail: "it has no schema version")
    }
    let takenAt = (try? connection.takenAtUSec()) ?? nil
    return StoreReport(
      file: file.path, schemaVersion: version, takenAtUSec: takenAt,
      findings: [
        finding("SQLite finds the file whole") { () throws(StoreError) in
          try connection.rows(.integrityCheck).filter { $0 != "ok" }
        },
        finding("its tables are those of schema version \(version)") { () throws(StoreError) in
          try differences(in: connection, version)
        },
        finding("every row that is referred to is there") { () throws(StoreError) in
          try connection.rows(.foreignKeyCheck)
        },
      ]
        + rules.filter { $0.since <= version }.map { rule in
          finding(rule.name) { () throws(StoreError) in try connection.rows(rule.query) }
        })
  }

  private static func finding(
    _ check: String, _ problems: () throws(StoreError) -> [String]
  ) -> StoreReport.Finding {
    do throws(StoreError) {
      return StoreReport.Finding(check: check, problems: Array(try problems().prefix(limit)))
    } catch {
      return StoreReport.Finding(check: check, problems: ["\(error)"])
    }
  }

  /// The tables and indexes that are not as the steps of this version make them.
  private static func differences(in connection: Connection, _ version: Int) throws(StoreError) -> [String] {
    let model = try Database(path: ":memory:", mode: .writing)
    try Schema(steps: Array(Schema.current.steps.prefix(version))).migrate(model)
    let (wanted, found) = (
      Set(try Connection(model).rows(.tables) as [String]), Set(try connection.rows(.tables) as [String])
    )
    return wanted.subtracting(found).sorted().map { "missing or changed: \($0)" }
      + found.subtracting(wanted).sorted().map { "unexpected: \($0)" }
  }
}

extension SQL {
  fileprivate static let integrityCheck = SQL("PRAGMA integrity_check(10)")
  fileprivate static let foreignKeyCheck = SQL(
    """
    SELECT 'a row of ' || "table" || ' refers to none of ' || "parent" FROM pragma_foreign_key_check LIMIT 10
    """)
  fileprivate static let tables = SQL(
    "SELECT type || ' ' || name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL")
}

extension StoreCheck {
  /// A rule of the rows, and a query for the rows that break it.
  struct Rule: Sendable {
    let name: String
    /// The first schema version that has what the query reads.
    let since: Int
    let query: SQL

    init(_ name: String, since: Int = 1, _ query: String) {
      self.name = name
      self.since = since
      self.query = SQL("\(query) LIMIT \(StoreCheck.limit)")
    }
  }

  static let rules = [
    Rule(
      "a topic has one open question at most",
      """
      SELECT count(*) || ' open questions of ' || person || ', ' || topic_key FROM question NOT INDEXED
      WHERE state = 'pending' GROUP BY person, asker, topic_key HAVING count(*) > 1
      """),
    Rule(
      "a question has an end when it is over, and only then",
      """
      SELECT 'question ' || id || ' is ' || state FROM question NOT INDEXED
      WHERE (state = 'pending') <> (ended_at IS NULL)
        OR state = 'pending' AND coalesce(choice, decided_by, grant_id, successor) IS NOT NULL
      """),
    Rule(
      "no event lies beyond its asker's count, and no cursor either",
      """
      SELECT 'uid ' || a.uid || ' ' || a.app || ' stands at ' || a.last_sequence FROM asker a NOT INDEXED
      WHERE a.acknowledged NOT BETWEEN 0 AND a.last_sequence
        OR a.last_sequence < (SELECT max(sequence) FROM event e WHERE e.asker = a.id)
      """),
    Rule(
      "a grant covers what it says, for whom it says",
      """
      SELECT 'an item of grant ' || i.grant_id FROM grant_item i NOT INDEXED
      JOIN grant_given g ON g.id = i.grant_id
      WHERE i.person <> g.person OR i.asker <> g.asker OR i.kind <> g.kind
      """),
    Rule(
      "nobody is their own guardian",
      "SELECT person FROM guardian NOT INDEXED WHERE person = guardian"),
    Rule(
      "audit entries count without a gap", since: 3,
      """
      SELECT number || ' audit entries up to ' || last
      FROM (SELECT count(*) AS number, max(seq) AS last FROM audit NOT INDEXED) WHERE number <> last
      """),
  ]
}
