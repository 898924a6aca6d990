// SPDX-License-Identifier: Apache-2.0
//
// What the broker knows of a store: transactions over rows. The rules are the broker's and run inside them, so a check
// and the write it allows see the same state. A protocol, because SQLite will not stay the only database.

/// Where everything that was asked and answered is kept.
package protocol Store: AnyObject, Sendable {
  /// Reads what is on disk, in one transaction, on the caller's thread. Calls may nest; they share the transaction.
  ///
  /// Throws what `body` throws, and `StoreError`.
  func read<T>(_ body: (any StoreReader) throws -> T) throws -> T

  /// Runs `body` in a transaction and returns once its changes are on disk.
  ///
  /// `body` sees every write submitted before it. When it throws, its own changes are undone and no others, and the
  /// error reaches the caller. It **may run more than once**: where a transaction shared with others fails, each of
  /// them is run again by itself. So it must depend on nothing but the writer and what it captured, and have no effect
  /// beside the writer's.
  ///
  /// Throws what `body` throws, and `StoreError`; after any error nothing of `body` is stored.
  func write<T: Sendable>(_ body: @escaping @Sendable (any StoreWriter) throws -> T) async throws -> T

  /// Writes a consistent copy of what is on disk into the store's directory, beside everything else that goes on.
  ///
  /// Throws `StoreError`; there is no file then. A copy that is not finished when the store closes is given up.
  func copy(takenAtUSec: Int64) async throws -> StoreCopy

  /// Finishes the writes that wait, then closes. Reads and writes after that throw `StoreError.closed`.
  func close()
}
