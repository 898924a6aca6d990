// SPDX-License-Identifier: Apache-2.0
//
// The forms of the contract, on bytes: user ids, reverse-domain names, opaque parts, keys, words. They are ASCII, so
// that a value that passed can be compared and hashed as an ordinary Swift string.

/// A local user's number.
package typealias UserID = UInt32

/// The lexical forms that names and ids are held to. No form accepts the empty text.
enum Form {
  /// The greatest uid there is: 4294967295 is -1, "no user".
  static let greatestUserID: UserID = .max - 1

  /// The uid that `digits` writes in decimal, without sign and without leading zeros.
  static func userID(_ digits: some Collection<UInt8>) -> UserID? {
    guard (1...10).contains(digits.count), digits.allSatisfy({ $0.isDigit }) else { return nil }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    guard let uid = UserID(String(decoding: digits, as: UTF8.self)), uid <= greatestUserID else { return nil }
    return uid
  }

  /// At least two labels of letters, digits and hyphens, joined with dots, at most 255 bytes.
  static func isReverseDomain(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= 255 else { return false }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") } }
  }

  /// 1 to 128 letters, digits and `.` `_` `~` `-`: the opaque part of an account or contact, the name of a change.
  static func isOpaque(_ bytes: some Collection<UInt8>) -> Bool {
    (1...128).contains(bytes.count) && bytes.allSatisfy { $0.isLetterOrDigit || "._~-".utf8.contains($0) }
  }

  /// 1 to 128 printable ASCII characters, the space included: an ask's `key`.
  static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
    (1...128).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Letters, then subtags of letters and digits behind hyphens, each of 1 to 8: a language tag (BCP 47).
  static func isLanguageTag(_ bytes: some Collection<UInt8>) -> Bool {
    let subtags = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return bytes.count <= 64 && subtags.first?.allSatisfy { $0.isLetter } == true
      && subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isLetterOrDigit } }
  }

  /// A camelCase word of 1 to 64 letters and digits: a member of an open enumeration.
  static func isWord(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, first.isLetter, first >= UInt8(ascii: "a") else { return false }
    return bytes.count <= 64 && bytes.allSatisfy { $0.isLetterOrDigit }
  }
}

extension UInt8 {
  /// Whether this is an ASCII digit.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether this is an ASCII letter.
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether this is an ASCII letter or digit.
  var isLetterOrDigit: Bool { isLetter || isDigit }
}
