// SPDX-License-Identifier: Apache-2.0
//
// Between Swift's values and SQLite's. Reading is strict: a column that holds another type than the schema gives it, a
// number out of range or text that is not UTF-8 means the file is damaged. There are no defaults and no conversions.

import CSQLite
import Glibc

/// A value that is bound to a parameter and read from a column.
protocol SQLValue {
  /// Binds the value and gives SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32

  /// Reads the column `index` of the row the statement stands on; `nil` where it holds something else.
  init?(column index: Int32, of statement: OpaquePointer)
}

extension Int64: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
    self = sqlite3_column_int64(statement, index)
  }
}

extension SQLValue where Self: FixedWidthInteger {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(exactly: self)?.bind(to: statement, at: index) ?? SQLITE_RANGE
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: index, of: statement) else { return nil }
    self.init(exactly: value)
  }
}

extension Int: SQLValue {}
extension UInt32: SQLValue {}

extension Bool: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(self ? 1 : 0).bind(to: statement, at: index)
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    guard let value = Int64(column: index, of: statement), value == 0 || value == 1 else { return nil }
    self = value == 1
  }
}

extension String: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { consent_bind_text(statement, index, $0.baseAddress, $0.count) }
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, index)
    else { return nil }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    self.init(decoding: bytes, as: UTF8.self)
    guard isCopy(of: bytes) else { return nil }
  }

  /// Whether decoding `bytes` had nothing to repair. Much faster than `String(validating:as:)`.
  private mutating func isCopy(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    withUTF8 { copy in
      guard let first = copy.baseAddress, let second = bytes.baseAddress else { return bytes.isEmpty }
      return copy.count == bytes.count && memcmp(first, second, bytes.count) == 0
    }
  }
}

extension [UInt8]: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { consent_bind_bytes(statement, index, $0.baseAddress, $0.count) }
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, index)
    self.init(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }

  init?(column index: Int32, of statement: OpaquePointer) {
    if sqlite3_column_type(statement, index) == SQLITE_NULL {
      self = .none
    } else if let value = Wrapped(column: index, of: statement) {
      self = .some(value)
    } else {
      return nil
    }
  }
}
