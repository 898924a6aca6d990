// SPDX-License-Identifier: Apache-2.0
//
// Statements are constants. Each is made once, beside the function that runs it, and the object itself is the key under
// which a connection keeps its prepared form: no text is hashed on a hot path, and no value ever becomes part of a
// statement.

/// The text of one statement.
final class SQL: Sendable {
  let text: String

  /// Makes the constant; call it once per statement, for a `static let`.
  init(_ text: String) {
    self.text = text
  }
}

extension SQL {
  static let begin = SQL("BEGIN IMMEDIATE")
  static let beginReading = SQL("BEGIN")
  static let commit = SQL("COMMIT")
  static let rollback = SQL("ROLLBACK")
  static let savepoint = SQL("SAVEPOINT operation")
  static let release = SQL("RELEASE operation")
  static let rollbackToSavepoint = SQL("ROLLBACK TO operation")
  static let userVersion = SQL("PRAGMA user_version")
  static let journalMode = SQL("PRAGMA journal_mode = WAL")
}
