// SPDX-License-Identifier: Apache-2.0
//
// The one road to the store and back.
//
// A change runs on the store's writer, inside a transaction, on values it was given; it may run twice, so it draws
// nothing and tells nobody. What it did comes back as effects, and `announce` alone acts on them.

package import ConsentModel
package import ConsentStore

extension Broker {
  /// Reads a consistent state of what is on disk.
  func read<Value>(_ body: (any StoreReader) throws -> Value) throws(Refusal) -> Value {
    do {
      return try store.read(body)
    } catch {
      throw refusal(for: error)
    }
  }

  /// Makes a consistent copy of everything in the store's directory, while everything else goes on.
  package func backUp() async throws(Refusal) -> StoreCopy {
    do {
      return try await store.copy(takenAtUSec: clock.now.usec)
    } catch {
      throw refusal(for: error)
    }
  }

  /// Runs a change and announces it once it is durable.
  func commit<Value: Sendable>(
    _ change: @escaping @Sendable (inout Transaction) throws -> Value
  ) async throws(Refusal) -> Value {
    try await commitCounting(change).value
  }

  /// Runs a change, announces it, and tells how many parked callers went on.
  func commitCounting<Value: Sendable>(
    _ change: @escaping @Sendable (inout Transaction) throws -> Value
  ) async throws(Refusal) -> (value: Value, resumed: Int) {
    let now = clock.now
    let isSynthetic = rules.isSandbox
    let done: (value: Value, effects: Effects)
    do {
      done = try await store.write { rows in
        var transaction = Transaction(rows: rows, now: now, isSynthetic: isSynthetic)
        let value = try change(&transaction)
        return (value, transaction.effects)
      }
    } catch {
      throw refusal(for: error)
    }
    return (done.value, announce(done.effects))
  }

  /// Tells everybody concerned what has become durable.
  private func announce(_ effects: Effects) -> Int {
    var resumed = 0
    for move in effects.moved { waiting.move(from: move.from, to: move.to) { !move.dropped.contains($0) } }
    for end in effects.ended {
      resumed += waiting.take(end.question, .ended)
      ended(end)
    }
    for question in effects.touched { audience.touch(question) }
    for question in effects.reminded { audience.remind(of: question) }
    for question in effects.revoked { audience.touch(question, isRevoked: true) }
    for asker in effects.askers { audience.ring(asker) }
    if let expiry = effects.expiry { expect(expiry) }
    if let reminder = effects.reminder { earliestReminder = earliestReminder.map { min($0, reminder) } ?? reminder }
    changed()
    return resumed
  }

  /// Notes that a question ends at `expiry` by itself.
  private func expect(_ expiry: Instant) {
    earliestExpiry = earliestExpiry.map { min($0, expiry) } ?? expiry
  }

  /// What a caller is told of `error`: its own refusal as it is, of the store only that it failed.
  private func refusal(for error: any Error) -> Refusal {
    if let refusal = error as? Refusal { return refusal }
    failed(error)
    if case .damaged? = error as? StoreError { return .notAvailable(reason: .storage, retryable: false) }
    return .notAvailable(reason: .storage, retryable: true)
  }
}
