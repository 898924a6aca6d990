// SPDX-License-Identifier: Apache-2.0
//
// The three kinds of names in an interface, as the grammar of UAPI.20 spells them. All are ASCII, so that names may be
// compared as strings once they are known to be names.

/// A kind of name.
enum DescriptionWord {
  /// `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`
  case interfaceName
  /// `[A-Z][A-Za-z0-9]*`: a type, a method, an error.
  case memberName
  /// `[A-Za-z](_?[A-Za-z0-9])*`: a field, a value of an enumeration, a keyword.
  case fieldName

  /// What an error message calls it.
  var name: String {
    switch self {
    case .interfaceName: "the name of an interface"
    case .memberName: "a name that begins with a capital"
    case .fieldName: "a name"
    }
  }

  /// Whether the byte may stand in such a name.
  func mayContain(_ byte: UInt8) -> Bool {
    switch self {
    case .interfaceName: byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    case .memberName, .fieldName: byte.isLetterOrDigit || byte == UInt8(ascii: "_")
    }
  }

  /// Whether `word`, made of bytes that may stand in such a name, is one.
  func matches(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, let last = word.last, first.isLetter, last.isLetterOrDigit else { return false }
    switch self {
    case .interfaceName:
      let labels = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return labels.count >= 2
        && labels.allSatisfy { $0.first?.isLetterOrDigit == true && $0.last?.isLetterOrDigit == true }
    case .memberName:
      return first < UInt8(ascii: "a") && !word.contains(UInt8(ascii: "_"))
    case .fieldName:
      return !zip(word, word.dropFirst()).contains { $0 == UInt8(ascii: "_") && $1 == UInt8(ascii: "_") }
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isLetterOrDigit: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
