// SPDX-License-Identifier: Apache-2.0
//
// The three things this project wants of libsodium: SHA-256 where others recompute the value (content hashes, the key
// of an update without a name, what one process leaves to the next), a keyed hash where nobody outside may (the key of people), and random bytes.
//
// Libsodium ends the process where the kernel gives no randomness; there is no answer to fall back to.

internal import CSodium

/// The library, made ready once.
package enum Sodium {
  /// Whether the library could be made ready. `main` asks before anything else and stops where it could not.
  package static let isReady = sodium_init() >= 0

  /// The 32 bytes of SHA-256 (FIPS 180-4).
  package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
    crypto_hash_sha256(&output, input, UInt64(input.count))
    return output
  }

  /// 16 bytes of BLAKE2b under `salt`: equal inputs are recognised, and no table of guesses can be made beforehand.
  static func keyedHash(_ bytes: [UInt8], salt: KeySalt) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: crypto_generichash_bytes_min())
    crypto_generichash(&output, output.count, bytes, UInt64(bytes.count), salt.bytes, salt.bytes.count)
    return output
  }

  /// Bytes nobody can foretell.
  static func randomBytes(_ count: Int) -> [UInt8] {
    _ = isReady
    var output = [UInt8](repeating: 0, count: count)
    randombytes_buf(&output, count)
    return output
  }
}

/// The secret under which handles become keys: 32 bytes, made with the store and kept in it.
package struct KeySalt: Sendable {
  package let bytes: [UInt8]

  /// A salt that was stored; `nil` where it is not 32 bytes, which is a damaged store.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  private init() { bytes = Sodium.randomBytes(32) }

  /// A new salt.
  package static func random() -> KeySalt { KeySalt() }
}

extension Sequence<UInt8> {
  /// Two lower-case hex digits a byte.
  var hexDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
