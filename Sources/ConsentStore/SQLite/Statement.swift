// SPDX-License-Identifier: Apache-2.0
//
// A prepared statement. It runs from start to end in one call and is reset on every way out, so that no statement of
// ours ever holds a transaction open or keeps the values of an earlier call.

import CSQLite

/// A prepared statement of one database. It goes before the database is closed.
final class Statement {
  /// Kept, because its identity is the key under which a connection finds this statement.
  private let sql: SQL
  private let handle: OpaquePointer
  let parameterCount: Int

  /// Prepares `sql` for many uses.
  init(_ sql: SQL, in database: Database) throws(StoreError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database.handle, sql.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw database.error(code) }
    self.sql = sql
    self.handle = handle
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement with `values` for its parameters and gives each row of the result to `take`.
  ///
  /// Throws what SQLite reports, and what `take` throws.
  func run(
    _ values: [any SQLValue], in database: Database, row take: (inout Columns) throws(StoreError) -> Void
  ) throws(StoreError) {
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    guard values.count == parameterCount else {
      throw .failed(code: SQLITE_RANGE, detail: "a statement has \(parameterCount) parameters, not \(values.count)")
    }
    for (index, value) in zip(Int32(1)..., values) {
      let code = value.bind(to: handle, at: index)
      guard code == SQLITE_OK else { throw database.error(code) }
    }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw database.error(code) }
      var columns = Columns(of: handle)
      try take(&columns)
    }
  }
}
