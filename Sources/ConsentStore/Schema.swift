// SPDX-License-Identifier: Apache-2.0
//
// The schema is a list of numbered steps. A file says in `user_version` how many of them it has; opening applies the
// rest, all of them or none. A step, once released, never changes. A file that has more steps than this program knows
// is left alone.

import CSQLite

/// The steps that make the tables.
struct Schema: Sendable {
  /// Marks a database as a store of consentd (`application_id`): the letters "cnsd".
  static let applicationID: Int32 = 0x636E_7364

  /// The schema this program works with.
  static let current = Schema(steps: [version1, version2 + version2Apps, version3 + version3Evidence])

  /// Each an SQL script; step 1 first.
  let steps: [String]

  /// The number of the last step.
  var version: Int { steps.count }

  /// Applies to `database` the steps it lacks, in one transaction that excludes everybody else.
  ///
  /// Throws `newerSchema` when the database has steps that are not known here.
  func migrate(_ database: Database) throws(StoreError) {
    try database.execute("BEGIN EXCLUSIVE")
    do {
      try applyMissingSteps(to: database)
      try database.execute("COMMIT")
    } catch {
      if database.isInTransaction { try database.execute("ROLLBACK") }
      throw error
    }
  }

  private func applyMissingSteps(to database: Database) throws(StoreError) {
    let found = try Schema.version(of: database)
    try check(found)
    for (index, step) in steps.enumerated().dropFirst(found) {
      try database.execute(step)
      try database.execute("PRAGMA user_version = \(index + 1)")
    }
  }

  /// Throws unless a file with `found` steps can be used here.
  func check(_ found: Int) throws(StoreError) {
    guard found >= 0 else { throw .damaged(detail: "its schema has the version \(found)") }
    guard found <= version else { throw .newerSchema(found: found, known: version) }
  }

  private static func version(of database: Database) throws(StoreError) -> Int {
    guard let version: Int = try Connection(database).first(.userVersion) else {
      throw .damaged(detail: "it has no schema version")
    }
    return version
  }
}
