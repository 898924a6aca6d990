// SPDX-License-Identifier: Apache-2.0
//
// What the daemon keeps for itself in the store, beside everybody's questions.

package import ConsentModel
package import ConsentStore

/// Values that outlive the process.
package enum Keepsake {
  private static let saltKey = "salt"
  private static let clockOffsetKey = "sandboxClockOffsetUSec"
  private static let purposeKey = "purpose"

  /// The store was made by a daemon of the other kind.
  package struct OtherPurpose: Error {
    /// What it is: `sandbox` or `service`.
    package let purpose: String
  }

  /// Notes whether the store is a sandbox's, once. What was decided in a sandbox is worth nothing elsewhere, so a store
  /// of the other kind is refused with `OtherPurpose`.
  package static func claim(_ store: any Store, forSandbox isSandbox: Bool) async throws {
    let purpose = Array((isSandbox ? "sandbox" : "service").utf8)
    try await store.write { rows in
      guard let known = try rows.meta(purposeKey) else { return try rows.setMeta(purposeKey, purpose) }
      guard known == purpose else { throw OtherPurpose(purpose: String(decoding: known, as: UTF8.self)) }
    }
  }

  /// The salt of this store's hashes; made with the store.
  package static func salt(in store: any Store) async throws -> KeySalt {
    let new = KeySalt.random()
    return try await store.write { rows in
      guard let bytes = try rows.meta(saltKey) else {
        try rows.setMeta(saltKey, new.bytes)
        return new
      }
      guard let salt = KeySalt(bytes) else { throw StoreError.damaged(detail: "its salt is not 32 bytes") }
      return salt
    }
  }

  /// How far a sandbox's clocks were moved, in microseconds.
  package static func clockOffset(in store: any Store) throws -> Int64 {
    guard let bytes = try store.read({ try $0.meta(clockOffsetKey) }) else { return 0 }
    guard let offset = Int64(String(decoding: bytes, as: UTF8.self)) else {
      throw StoreError.damaged(detail: "its clock offset does not read")
    }
    return offset
  }

  /// Keeps how far a sandbox's clocks were moved.
  static func setClockOffset(_ usec: Int64, in rows: any StoreWriter) throws {
    try rows.setMeta(clockOffsetKey, Array("\(usec)".utf8))
  }
}
