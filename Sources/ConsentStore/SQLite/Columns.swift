// SPDX-License-Identifier: Apache-2.0
//
// One row, read from left to right: a row type's `init(reading:)` lists its fields in the order of its columns.

import CSQLite

/// The columns of the row on which a statement stands. Not valid after the statement's next step.
struct Columns {
  private let statement: OpaquePointer
  private var index: Int32 = 0

  init(of statement: OpaquePointer) {
    self.statement = statement
  }

  /// The next column.
  ///
  /// Throws `damaged` when the column does not hold what the schema says.
  mutating func next<Value: SQLValue>() throws(StoreError) -> Value {
    guard index < sqlite3_data_count(statement), let value = Value(column: index, of: statement) else {
      throw .damaged(detail: "column \(name) holds something else than \(Value.self)")
    }
    index += 1
    return value
  }

  private var name: String {
    sqlite3_column_name(statement, index).map { String(cString: $0) } ?? String(index)
  }
}

/// What a row of a result becomes.
protocol Readable {
  /// Reads the row's columns, all of them, in order.
  init(reading columns: inout Columns) throws(StoreError)
}

extension String: Readable {
  init(reading columns: inout Columns) throws(StoreError) { self = try columns.next() }
}

extension Int64: Readable {
  init(reading columns: inout Columns) throws(StoreError) { self = try columns.next() }
}

extension Int: Readable {
  init(reading columns: inout Columns) throws(StoreError) { self = try columns.next() }
}

extension [UInt8]: Readable {
  init(reading columns: inout Columns) throws(StoreError) { self = try columns.next() }
}

extension Optional: Readable where Wrapped: SQLValue {
  init(reading columns: inout Columns) throws(StoreError) { self = try columns.next() }
}
