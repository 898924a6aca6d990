// SPDX-License-Identifier: Apache-2.0
//
// Cuts the text of an interface into words and signs. White space and comments are skipped between them; comments that
// stand on lines of their own directly before a word are kept for whoever takes that word as documentation.

/// A place in the text of an interface.
struct DescriptionScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// The comment lines directly before `position`.
  private var comments: [String] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  // MARK: Looking

  /// Where the word or sign begins that comes next.
  mutating func place() throws(DescriptionError) -> Int {
    try skipSpace()
    return position
  }

  /// The byte that comes next, white space and comments skipped; `nil` at the end.
  mutating func peek() throws(DescriptionError) -> UInt8? {
    try skipSpace()
    return position < bytes.count ? bytes[position] : nil
  }

  /// The documentation of what comes next: its lines without `#` and one space.
  mutating func documentation() throws(DescriptionError) -> String {
    try skipSpace()
    return comments.joined(separator: "\n")
  }

  /// An error at `place`, or where the scanner stands.
  func error(_ reason: String, at place: Int? = nil) -> DescriptionError {
    let before = bytes[..<(place ?? position)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return DescriptionError(line: line, column: before.count - lineStart + 1, reason: reason)
  }

  // MARK: Taking

  /// Takes `sign` where it comes next.
  mutating func take(_ sign: StaticString) throws(DescriptionError) -> Bool {
    try skipSpace()
    let length = sign.utf8CodeUnitCount
    let matches = sign.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if matches { advance(by: length) }
    return matches
  }

  /// Takes `sign`, which must come next.
  mutating func expect(_ sign: StaticString) throws(DescriptionError) {
    guard try take(sign) else { throw error("expected '\(sign)'") }
  }

  /// Takes the bytes that come next as long as they may belong to `kind`, and refuses what does not match it as a whole;
  /// the error then says that it expected `expected`.
  mutating func take(_ kind: DescriptionWord, expected: String? = nil) throws(DescriptionError) -> String {
    try skipSpace()
    let word = bytes[position...].prefix(while: kind.mayContain)
    guard kind.matches(word) else { throw error("expected \(expected ?? kind.name)") }
    advance(by: word.count)
    return String(decoding: word, as: UTF8.self)
  }

  private mutating func advance(by count: Int) {
    position += count
    comments = []
  }

  // MARK: Skipping

  private mutating func skipSpace() throws(DescriptionError) {
    var lineBreaks = position == 0 ? 1 : 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"):
        lineBreaks += 1
        if lineBreaks > 1 { comments = [] }
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
      case UInt8(ascii: "#"):
        let comment = try takeComment()
        if lineBreaks > 0 { comments.append(comment) }
        lineBreaks = 0
      default:
        return
      }
    }
  }

  /// Takes a comment up to the end of its line.
  private mutating func takeComment() throws(DescriptionError) -> String {
    var line = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    if let control = line.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) {
      throw error("control character in a comment", at: control)
    }
    position = line.endIndex
    if line.last == 0x0D { line.removeLast() }
    if line.first == UInt8(ascii: " ") { line.removeFirst() }
    return String(decoding: line, as: UTF8.self)
  }
}
