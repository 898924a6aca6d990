// SPDX-License-Identifier: Apache-2.0
//
// A store as SQL text and back, so that what an earlier version wrote can be kept, read by people and compared. The
// dump holds what SQLite's own would, and the two numbers in the header that say whose file it is and how old.

import Foundation
import Testing

@testable import ConsentStore

/// The content of a database, table by table.
struct StoreDump: Equatable {
  /// The name of each table and its rows; a row is the SQL of its values, by column.
  var tables: [String: Table] = [:]
  private var schema: [String] = []
  private var version = 0

  /// One table: columns in order, rows sorted.
  struct Table: Equatable {
    var columns: [String]
    var rows: [[String]]

    /// The rows, with these columns only.
    func rows(of wanted: [String]) throws -> [[String]] {
      let places = try wanted.map { name in try #require(columns.firstIndex(of: name), "no column \(name)") }
      return rows.map { row in places.map { row[$0] } }.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// Reads everything in the database at `path`.
  init(of path: String) throws {
    let connection = Connection(try Database(path: path, mode: .reading))
    version = try #require(try connection.first(.userVersion))
    schema = try connection.rows(
      SQL("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY type DESC, name"))
    let names: [String] = try connection.rows(SQL("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    for name in names { tables[name] = try StoreDump.table(name, in: connection) }
  }

  private static func table(_ name: String, in connection: Connection) throws -> Table {
    let columns: [String] = try connection.rows(SQL("SELECT name FROM pragma_table_info(?)"), name)
    let values = columns.map { "quote(\($0))" }.joined(separator: " || char(31) || ")
    let rows: [String] = try connection.rows(SQL("SELECT \(values) FROM \(name)"))
    let split = rows.map { $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init) }
    return Table(columns: columns, rows: split.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// The SQL that makes this content again.
  var script: String {
    var lines = ["PRAGMA application_id = \(Schema.applicationID);", "PRAGMA user_version = \(version);"]
    lines += schema.map { "\($0);" }
    // The last name of all, and filled by SQLite itself until then.
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      if name == "sqlite_sequence" { lines.append("DELETE FROM sqlite_sequence;") }
      lines += table.rows.map { "INSERT INTO \(name) VALUES (\($0.joined(separator: ", ")));" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Makes a database at `path` from the SQL of a dump.
  static func load(_ script: String, to path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let database = try Database(path: path, mode: .writing)
    try database.execute("BEGIN; \(script); COMMIT")
  }
}
