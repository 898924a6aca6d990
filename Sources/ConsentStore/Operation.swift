// SPDX-License-Identifier: Apache-2.0
//
// One write on its way to the disk, without the type of its result.

/// One write: what it does inside the transaction, and how its caller learns the outcome.
struct Operation: Sendable {
  /// Tells the caller; run once, after the outcome is final.
  typealias Completion = @Sendable () -> Void

  /// Makes the changes and gives the completion that reports success. May run more than once; the completion of the
  /// run that was stored is the one that counts.
  let perform: @Sendable (any StoreWriter) throws -> Completion

  /// Reports that nothing of the operation is stored.
  let fail: @Sendable (any Error) -> Void
}
