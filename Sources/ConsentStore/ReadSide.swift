// SPDX-License-Identifier: Apache-2.0
//
// The reading half of a store: a connection that cannot write. It sees what has been flushed and nothing else, and all
// reads of one call see the same state. Calls may come from any thread and may nest; the lock costs some nanoseconds
// and makes that true without a rule for callers.

/// A read-only connection that threads take turns on.
final class ReadSide: @unchecked Sendable {
  private let monitor = Monitor()
  private var connection: Connection?
  private var depth = 0

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Runs `body` in a read transaction.
  ///
  /// Throws what `body` throws, and `StoreError`.
  func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
    try monitor.locked {
      guard let connection else { throw StoreError.closed }
      if depth == 0 { try connection.control(.beginReading) }
      depth += 1
      defer { depth -= 1 }
      let result = Result { try body(connection) }
      if depth == 1 && connection.database.isInTransaction { try connection.control(.commit) }
      return try result.get()
    }
  }

  /// Closes the connection; later reads throw `closed`.
  func close() {
    monitor.locked { connection = nil }
  }
}
