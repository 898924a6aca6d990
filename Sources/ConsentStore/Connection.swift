// SPDX-License-Identifier: Apache-2.0
//
// A database with its prepared statements, and the four ways in which our functions run one. The tables' own functions
// are extensions, one file per subject. A connection is used by one thread at a time.
//
// A change is refused outside a transaction: when SQLite has rolled one back after an error, what an operation still
// tries would otherwise be stored by itself.

import CSQLite

/// A database and the statements prepared in it.
final class Connection {
  let database: Database
  private var statements: [ObjectIdentifier: Statement] = [:]
  /// Whether the log may still hold what was erased.
  var hasErased = false

  init(_ database: Database) {
    self.database = database
  }

  /// All rows of a query.
  func rows<Row: Readable>(_ sql: SQL, _ values: any SQLValue...) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    try statement(sql).run(values, in: database) { (columns) throws(StoreError) in
      rows.append(try Row(reading: &columns))
    }
    return rows
  }

  /// The first row of a query that gives one row or none.
  func first<Row: Readable>(_ sql: SQL, _ values: any SQLValue...) throws(StoreError) -> Row? {
    var first: Row?
    try statement(sql).run(values, in: database) { (columns) throws(StoreError) in
      first = try Row(reading: &columns)
    }
    return first
  }

  /// Makes a change and gives how many rows it changed.
  @discardableResult
  func change(_ sql: SQL, _ values: any SQLValue...) throws(StoreError) -> Int {
    guard database.isInTransaction else { throw .rolledBack }
    try statement(sql).run(values, in: database) { _ in }
    return database.changes
  }

  /// Begins, ends or marks a transaction.
  func control(_ sql: SQL) throws(StoreError) {
    try statement(sql).run([], in: database) { _ in }
  }

  private func statement(_ sql: SQL) throws(StoreError) -> Statement {
    let key = ObjectIdentifier(sql)
    if let statement = statements[key] { return statement }
    let statement = try Statement(sql, in: database)
    statements[key] = statement
    return statement
  }
}

extension Connection: StoreWriter {}
