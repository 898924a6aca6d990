// SPDX-License-Identifier: Apache-2.0
//
// The one rule for everything that is printed and came over the wire, from a file or from a command line:
//
//   A scalar is printed as it is when it shows: letters, marks, digits, punctuation, symbols, spaces, and the joiners
//   and variation selectors that scripts and emoji are made of. Every other one (controls, ESC among them,
//   bidirectional overrides, zero-width and tag characters, line and paragraph separators, private use, unassigned)
//   is printed as `\u{HEX}`; newline and tab as `\n` and `\t`.
//
// So no text can move the cursor, recolour or rename the terminal, run backwards, or pretend to be a line of ours.
// Texts of several lines stand behind a bar on every line, wrapped, for the same reason. In JSON the same scalars are
// written as `\uXXXX`, which changes nothing for a program.

/// Makes text harmless to a terminal.
enum TerminalText {
  /// Whether a scalar is printed as it is.
  static func shows(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
    if isJoiner(scalar) { return true }
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }

  /// `text` in one line.
  static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    return result
  }

  /// `text` as lines of at most `columns` columns, each behind a bar.
  static func block(_ text: String, columns: Int = 74) -> [String] {
    var lines: [String] = []
    for paragraph in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += wrapped(line(String(Substring(paragraph))), columns: columns)
    }
    return lines.map { $0.isEmpty ? "│" : "│ \($0)" }
  }

  /// JSON text with what does not show written as `\uXXXX`. Line ends of pretty-printed JSON stay.
  static func json(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 == 0x0A || (0x20...0x7E).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" || shows(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in scalar.utf16 { result += "\\u" + hex(UInt32(unit), digits: 4) }
      }
    }
    return result
  }

  /// How many columns `text` takes on a terminal, to the precision a table needs.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    switch scalar {
    case _ where shows(scalar): result.unicodeScalars.append(scalar)
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    default: result += "\\u{" + hex(scalar.value, digits: 1) + "}"
    }
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    (0x200C...0x200D).contains(scalar.value) || (0xFE00...0xFE0F).contains(scalar.value)
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  /// East Asian wide and full-width blocks.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Breaks at spaces where it can and anywhere else where it must.
  private static func wrapped(_ text: String, columns limit: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var rest = String(word)
      if !current.isEmpty, columns(current) + 1 + columns(rest) <= limit {
        current += " " + rest
        continue
      }
      if !current.isEmpty { lines.append(current) }
      while columns(rest) > limit {
        let head = prefix(of: rest, columns: limit)
        lines.append(String(head))
        rest = String(rest[head.endIndex...])
      }
      current = rest
    }
    return (lines + [current]).map(withoutTrailingSpaces)
  }

  private static func withoutTrailingSpaces(_ text: String) -> String {
    String(text.prefix(upTo: text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex))
  }

  private static func prefix(of text: String, columns limit: Int) -> Substring {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      used += columns(String(text[end]))
      if used > limit, end > text.startIndex { break }
      end = text.index(after: end)
    }
    return text[..<end]
  }
}
