// SPDX-License-Identifier: Apache-2.0
//
// What a text that people read may hold. A character is a Unicode scalar: 1,000 of them are at most 4,000 bytes,
// while a thousand grapheme clusters have no bound. Control characters and characters that reorder their neighbours
// are refused, because a guardian must see what the app wrote; marks of direction, which right-to-left texts need,
// and zero-width joiners, which scripts and emoji need, are let pass. Escaping for a terminal is the terminal's part.

/// The rules for texts that people read.
package enum TextRules {
  package static let textLimit = 1000
  package static let lineLimit = 256

  /// A text of several lines: newline and tab are allowed, `limit` is in Unicode scalars.
  package static func text(_ text: String, field: String, limit: Int = textLimit) throws(ValueError) {
    try check(text, field: field, limit: limit, allowed: ["\n", "\t"])
  }

  /// A text of one line, such as a name.
  package static func line(_ text: String, field: String, limit: Int = lineLimit) throws(ValueError) {
    try check(text, field: field, limit: limit, allowed: [])
  }

  private static func check(
    _ text: String, field: String, limit: Int, allowed: [Unicode.Scalar]
  ) throws(ValueError) {
    guard text.unicodeScalars.prefix(limit + 1).count <= limit else {
      throw ValueError(field: field, rule: "at most \(limit) characters")
    }
    guard text.unicodeScalars.allSatisfy({ !$0.isRefusedInTexts || allowed.contains($0) }) else {
      let kept = allowed.isEmpty ? "" : " (newline and tab aside)"
      throw ValueError(
        field: field, rule: "without control characters\(kept) and bidirectional embeddings, overrides and isolates")
    }
    guard text.unicodeScalars.contains(where: \.isVisible) else {
      throw ValueError(field: field, rule: "not empty: something to read")
    }
  }
}

extension Unicode.Scalar {
  /// Controls, separators of lines and paragraphs, and the bidirectional embeddings, overrides and isolates.
  fileprivate var isRefusedInTexts: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }

  fileprivate var isVisible: Bool { !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint }
}
