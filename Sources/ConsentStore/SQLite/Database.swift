// SPDX-License-Identifier: Apache-2.0
//
// One handle of SQLite, hardened: no SQL functions or views of the file's own making are trusted, double quotes never
// mean a string, and no statement may write to the file behind SQLite's back. Threads take turns; the handle has no lock.

import CSQLite

/// An open database. It closes when the last reference to it goes.
final class Database {
  /// How a database is opened.
  enum Mode {
    case reading, writing
    /// Reading a file that nobody else has open: no lock is taken and no file made beside it.
    case readingAlone

    fileprivate var flags: Int32 {
      switch self {
      case .reading: SQLITE_OPEN_READONLY
      case .readingAlone: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .writing: SQLITE_OPEN_READWRITE
      }
    }
  }

  /// How long a statement waits for a lock of another program.
  static let busyTimeoutMilliseconds: Int32 = 1_000

  let handle: OpaquePointer

  /// SQLite's statistics of memory take a lock for every allocation, and nobody reads them.
  private static let countNoMemory = consent_configure_process(SQLITE_CONFIG_MEMSTATUS, 0)

  /// Opens the file at `path`, which must be there.
  init(path: String, mode: Mode) throws(StoreError) {
    _ = Database.countNoMemory
    var handle: OpaquePointer?
    let name = mode == .readingAlone ? Database.immutableURI(path) : path
    let code = sqlite3_open_v2(name, &handle, mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle else {
      let detail = Database.message(of: handle)
      sqlite3_close_v2(handle)
      throw .cannotOpen(path: path, detail: detail)
    }
    self.handle = handle
    waitForLocks(milliseconds: Database.busyTimeoutMilliseconds)
    consent_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    consent_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    consent_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    consent_configure(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Lets statements wait so long for a lock.
  func waitForLocks(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Runs every statement of `script`; rows are dropped.
  func execute(_ script: String) throws(StoreError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Whether a transaction is open. SQLite ends one by itself after some errors.
  var isInTransaction: Bool {
    sqlite3_get_autocommit(handle) == 0
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  var changes: Int {
    Int(sqlite3_changes64(handle))
  }

  /// The key that the last INSERT assigned.
  var lastKey: Int64 {
    sqlite3_last_insert_rowid(handle)
  }

  /// Whether the file could only be opened for reading.
  var isReadOnly: Bool {
    sqlite3_db_readonly(handle, "main") != 0
  }

  /// The error for a result code that this database just gave.
  func error(_ code: Int32) -> StoreError {
    StoreError(code: code, message: Database.message(of: handle))
  }

  /// The path as an address, every byte that could mean something there encoded.
  private static func immutableURI(_ path: String) -> String {
    let plain = path.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return "file:\(plain.joined())?immutable=1"
  }

  private static func message(of handle: OpaquePointer?) -> String {
    String(cString: sqlite3_errmsg(handle))
  }
}
