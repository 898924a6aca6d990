// SPDX-License-Identifier: Apache-2.0
//
// Somebody who can write the store's file and knows how, which no permission keeps root from.

import CSQLite

/// Changes a database behind everybody's back.
package enum Tampering {
  /// Runs statements on a database, and lets no check of the schema stand in the way.
  package static func change(_ path: String, _ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_busy_timeout(database, 5_000) == SQLITE_OK,
      sqlite3_exec(database, "PRAGMA ignore_check_constraints = ON; " + sql, nil, nil, nil) == SQLITE_OK
    else { throw TestFailure("\(sql): \(String(cString: sqlite3_errmsg(database)))") }
  }
}
