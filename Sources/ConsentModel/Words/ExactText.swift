// SPDX-License-Identifier: Apache-2.0
//
// Texts that name something are compared as UTF-8 bytes. Swift's own `==` on strings is canonical equivalence, under
// which the Kelvin sign is the letter K and two handles that an app tells apart are one. Nothing in this module
// compares, orders or hashes a text from outside in any other way than these.

extension String {
  /// Whether both texts are the same bytes.
  package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether this text stands before `other` in the order of their bytes.
  func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Sequence where Element == String {
  /// The texts in the order of their bytes.
  func sortedByBytes() -> [String] { sorted { $0.precedesInBytes($1) } }

  /// Whether two of the texts are the same bytes.
  var hasDuplicateBytes: Bool {
    let ordered = sortedByBytes()
    return zip(ordered, ordered.dropFirst()).contains { $0.isExactly($1) }
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// The case whose word is `text`, byte for byte.
  package init?(exactly text: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
    self = found
  }

  /// All words in the order of their declaration, for a rule's sentence.
  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
