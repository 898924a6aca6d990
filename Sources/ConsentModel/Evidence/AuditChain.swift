// SPDX-License-Identifier: Apache-2.0
//
// How entries are bound to each other. An entry's payload stands in the chain as a commitment under a salt of its own:
// whoever erases payload and salt leaves nothing that could be guessed back, and the chain still closes. Each hash
// covers the one before, so that a head, once kept elsewhere, fixes everything up to it: order, times, kinds, payloads.
//
// Anybody can recompute it. Integers are 8 bytes, the greatest first; the label keeps these hashes apart from all others.
//
//     commitment = SHA-256(salt ‖ payload)
//     hash       = SHA-256("org.consentd.audit/1" ‖ previous hash ‖ sequence ‖ atUSec ‖ length of kind ‖ kind ‖ commitment)

/// Where a chain stands: what a guardian keeps.
package struct AuditHead: Sendable, Equatable {
  /// How many entries there are.
  package let size: Int64
  /// The hash of the last one.
  package let hash: [UInt8]

  package init(size: Int64, hash: [UInt8]) {
    self.size = size
    self.hash = hash
  }

  /// The head of a chain without entries.
  package static let empty = AuditHead(size: 0, hash: AuditChain.start)

  /// 64 lower-case hex digits.
  package var hashText: String { hash.hexDigits }

  static let rule = "64 lower-case hex digits"

  /// Reads the wire form.
  package init(size: Int64, hash text: String) throws(ValueError) {
    guard size >= 0 else { throw ValueError(field: "head.size", rule: "0 or more") }
    guard let hash = AuditHead.bytes(ofHex: text) else { throw ValueError(field: "head.hash", rule: AuditHead.rule) }
    self.init(size: size, hash: hash)
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// An entry's place in the chain.
package struct AuditLink: Sendable, Equatable {
  /// Counts from 1, without gaps.
  package let sequence: Int64
  package let atUSec: Int64
  package let kind: String
  package let commitment: [UInt8]

  package init(sequence: Int64, atUSec: Int64, kind: String, commitment: [UInt8]) {
    self.sequence = sequence
    self.atUSec = atUSec
    self.kind = kind
    self.commitment = commitment
  }
}

/// The arithmetic of the chain.
package enum AuditChain {
  /// What the first entry has for a previous hash.
  package static let start = [UInt8](repeating: 0, count: 32)
  private static let label = "org.consentd.audit/1"

  /// A new salt.
  package static func salt() -> [UInt8] { Sodium.randomBytes(32) }

  /// What stands in the chain for a payload.
  package static func commitment(salt: [UInt8], payload: [UInt8]) -> [UInt8] { Sodium.sha256(salt + payload) }

  /// The hash of an entry behind one whose hash is `previous`.
  package static func hash(of link: AuditLink, after previous: [UInt8]) -> [UInt8] {
    let kind = Array(link.kind.utf8)
    var bytes = Array(label.utf8) + previous
    bytes += link.sequence.bytes + link.atUSec.bytes + Int64(kind.count).bytes + kind + link.commitment
    return Sodium.sha256(bytes)
  }
}

extension Int64 {
  fileprivate var bytes: [UInt8] { stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) } }
}
