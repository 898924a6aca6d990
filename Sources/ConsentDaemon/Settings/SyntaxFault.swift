// SPDX-License-Identifier: Apache-2.0
//
// Where a text stops being JSON5. Foundation's decoder says that it does, and neither line nor reason; a person who
// forgot a comma wants both. This decides nothing: only a text that the decoder refused comes here, and where nothing
// is found here the decoder's own word is all there is to say.

/// The first place at which a text breaks the grammar of JSON5.
struct SyntaxFault: Equatable {
  /// Counted from 1.
  let line: Int
  /// Counted from 1, in characters.
  let column: Int
  let reason: String

  var place: String { "line \(line), column \(column)" }

  /// Finds the place; `nil` where the text keeps the grammar as far as it is known here.
  init?(in text: [UInt8]) {
    guard String(validating: text, as: UTF8.self) != nil else { return nil }
    var scanner = Scanner(text: text)
    do throws(Scanner.Objection) {
      try scanner.scan()
      return nil
    } catch {
      let before = text[..<error.position].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      line = before.count
      column = (before.last?.count { $0 & 0xc0 != 0x80 } ?? 0) + 1
      reason = error.reason
    }
  }
}

/// Walks over a text once.
private struct Scanner {
  /// What is wrong, and at which byte.
  struct Objection: Error {
    let position: Int
    let reason: String
  }

  /// What may come next.
  private enum Next {
    case value
    case valueOrEnd
    case keyOrEnd
    case colon
    case commaOrEnd
    case nothing
  }

  let text: [UInt8]
  private var position = 0
  /// The brackets that are open, innermost last.
  private var open: [UInt8] = []

  init(text: [UInt8]) { self.text = text }

  private var byte: UInt8? { position < text.count ? text[position] : nil }

  private var closing: String { open.last == UInt8(ascii: "{") ? "}" : "]" }

  mutating func scan() throws(Objection) {
    var next = Next.value
    while true {
      try skipSpace()
      guard let byte else {
        guard next != .nothing else { return }
        throw objection(open.isEmpty ? "the file is empty" : "the file ends before its last \(closing)")
      }
      next = try step(byte, next)
    }
  }

  private mutating func step(_ byte: UInt8, _ next: Next) throws(Objection) -> Next {
    switch next {
    case .nothing: throw objection("nothing may follow here")
    case .colon:
      guard byte == UInt8(ascii: ":") else { throw objection("a : is missing before this") }
      position += 1
      return .value
    case .commaOrEnd:
      if isClosing(byte) { return close() }
      guard byte == UInt8(ascii: ",") else { throw objection("a , or \(closing) is missing before this") }
      position += 1
      return open.last == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
    case .keyOrEnd:
      if isClosing(byte) { return close() }
      try scanKey(byte)
      return .colon
    case .valueOrEnd: return isClosing(byte) ? close() : try scanValue(byte)
    case .value: return try scanValue(byte)
    }
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == (open.last == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func close() -> Next {
    position += 1
    open.removeLast()
    return open.isEmpty ? .nothing : .commaOrEnd
  }

  private mutating func scanValue(_ byte: UInt8) throws(Objection) -> Next {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      position += 1
      open.append(byte)
      return byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try scanText(byte)
    default:
      let start = position
      let word = takeWord()
      let number = word.drop { "+-".contains($0) }
      let isKnown = ["true", "false", "null"].contains(word) || ["Infinity", "NaN"].contains(number)
      guard isKnown || number.first?.isNumber == true || number.first == "." else {
        throw Objection(position: start, reason: word.isEmpty ? "a value is missing before this" : "this is no value")
      }
    }
    return open.isEmpty ? .nothing : .commaOrEnd
  }

  private mutating func scanKey(_ byte: UInt8) throws(Objection) {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try scanText(byte) }
    let start = position
    let word = takeWord()
    guard let first = word.first, first.isLetter || "_$\\".contains(first) else {
      throw Objection(position: start, reason: "a key or \(closing) is missing before this")
    }
  }

  /// The bytes up to the next that has a meaning of its own.
  private mutating func takeWord() -> String {
    let start = position
    while let byte, byte > 0x20, !",:[]{}\"'/".utf8.contains(byte) { position += 1 }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func scanText(_ quote: UInt8) throws(Objection) {
    let start = position
    position += 1
    while let byte, byte != quote { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard byte == quote else { throw Objection(position: start, reason: "the text that begins here has no end") }
    position += 1
  }

  private mutating func skipSpace() throws(Objection) {
    while let byte {
      if byte <= 0x20 {
        position += 1
      } else if text[position...].starts(with: "//".utf8) {
        while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
      } else if text[position...].starts(with: "/*".utf8) {
        try skipBlock()
      } else if position == 0, text.starts(with: [0xef, 0xbb, 0xbf]) {
        position = 3
      } else {
        return
      }
    }
  }

  private mutating func skipBlock() throws(Objection) {
    let start = position
    position += 2
    while byte != nil, !text[position...].starts(with: "*/".utf8) { position += 1 }
    guard byte != nil else { throw Objection(position: start, reason: "the comment that begins here has no end") }
    position += 2
  }

  private func objection(_ reason: String) -> Objection {
    Objection(position: min(position, text.count), reason: reason)
  }
}
