// SPDX-License-Identifier: Apache-2.0
//
// Group commit. Operations that wait together share one transaction and one flush; each stands in a savepoint of its
// own, so that one which fails is undone alone.
//
// That is not enough on a full or failing disk: SQLite then rolls back the whole transaction, whichever savepoint it
// is in, and a COMMIT can fail too. Nothing of the batch is stored in these cases, and each operation is run again by
// itself, so that those that can succeed do and each of the others gets its own error. Only where no transaction could
// be begun, because another program holds the database, all fail at once: each would wait as long again.

import CSQLite

/// Runs batches of operations on one connection and counts what it took.
final class Committer {
  private let connection: Connection
  private(set) var statistics = StoreStatistics()

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Runs `operations` and gives their completions in the same order. What reported success is on disk.
  func commit(_ operations: [Operation]) -> [Operation.Completion] {
    do throws(StoreError) {
      return try transaction(operations)
    } catch .busy {
      return operations.map { operation in { operation.fail(StoreError.busy) } }
    } catch {
      guard operations.count > 1 else {
        return operations.map { operation in { operation.fail(error) } }
      }
      statistics.rerunBatches += 1
      return operations.flatMap { commit([$0]) }
    }
  }

  /// Throws when the transaction as a whole failed; nothing of it is stored then.
  private func transaction(_ operations: [Operation]) throws(StoreError) -> [Operation.Completion] {
    try connection.control(.begin)
    do {
      var completions: [Operation.Completion] = []
      for operation in operations { completions.append(try perform(operation)) }
      try connection.control(.commit)
      statistics.commits += 1
      statistics.operations += operations.count
      connection.emptyLogOfErased()
      return completions
    } catch {
      if connection.database.isInTransaction { try connection.control(.rollback) }
      throw error
    }
  }

  /// Runs one operation in its savepoint. Throws when the transaction around it is lost.
  private func perform(_ operation: Operation) throws(StoreError) -> Operation.Completion {
    try connection.control(.savepoint)
    do {
      let completion = try operation.perform(connection)
      guard connection.database.isInTransaction else { throw StoreError.rolledBack }
      try connection.control(.release)
      return completion
    } catch {
      guard connection.database.isInTransaction else { throw error as? StoreError ?? .rolledBack }
      try connection.control(.rollbackToSavepoint)
      try connection.control(.release)
      return { operation.fail(error) }
    }
  }
}

/// What the writing half of a store has done since it was opened.
package struct StoreStatistics: Sendable, Equatable {
  /// Transactions that were flushed to the disk.
  package var commits = 0
  /// Operations in them, those that failed and were undone included.
  package var operations = 0
  /// Batches whose operations had to be run again one by one.
  package var rerunBatches = 0
}
