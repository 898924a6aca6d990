// SPDX-License-Identifier: Apache-2.0
//
// Everything that can go wrong with the store, as one closed list. What SQLite reports is translated here and nowhere
// else. An error is never read as "there is no such row": whoever catches one knows nothing about the content.

import CSQLite

/// Why the store could not be opened, read or written.
package enum StoreError: Error, Equatable {
  /// The disk, or a limit on the file, has no room; the operation left no trace.
  case full
  /// Another program holds the database locked for longer than the store waits.
  case busy
  /// The store has been closed.
  case closed
  /// The file is no database, or its content contradicts itself.
  case damaged(detail: String)
  /// The file was written by a later version of this program.
  case newerSchema(found: Int, known: Int)
  /// The file or its directory cannot be used.
  case cannotOpen(path: String, detail: String)
  /// A file cannot be made.
  case cannotWrite(path: String, detail: String)
  /// A file stands where one would be made.
  case exists(path: String)
  /// The file is a database of another program.
  case foreign(path: String)
  /// Another daemon has the store open.
  case inUse(path: String)
  /// A row breaks a rule of the schema: a fault of the caller.
  case constraint(detail: String)
  /// Any other failure, with SQLite's extended result code.
  case failed(code: Int32, detail: String)
}

extension StoreError {
  /// The error for a result code of SQLite and the message that came with it.
  init(code: Int32, message: String) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .full
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(detail: message)
    case SQLITE_CONSTRAINT: self = .constraint(detail: message)
    default: self = .failed(code: code, detail: message)
    }
  }

  /// The transaction an operation ran in was rolled back under it.
  static let rolledBack = StoreError.failed(code: SQLITE_ABORT, detail: "the transaction was rolled back")
}

extension StoreError: CustomStringConvertible {
  /// One sentence without a remedy.
  package var description: String {
    switch self {
    case .full: "The store has no room left."
    case .busy: "Another program keeps the store locked."
    case .closed: "The store is closed."
    case .damaged(let detail): "The store is damaged: \(detail)."
    case .newerSchema(let found, let known):
      "The store has schema version \(found), this program knows version \(known)."
    case .cannotOpen(let path, let detail): "The store \(path) cannot be opened: \(detail)."
    case .cannotWrite(let path, let detail): "The file \(path) cannot be written: \(detail)."
    case .exists(let path): "The file \(path) is there already."
    case .foreign(let path): "The file \(path) is a database of another program."
    case .inUse(let path): "The store \(path) is in use by another daemon."
    case .constraint(let detail): "A row breaks a rule of the store: \(detail)."
    case .failed(let code, let detail): "The store failed: \(detail) (SQLite \(code))."
    }
  }
}
