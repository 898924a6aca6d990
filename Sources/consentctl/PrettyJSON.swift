// SPDX-License-Identifier: Apache-2.0
//
// Compact JSON laid out for people: the same text with line ends and spaces between its tokens, nothing else changed.
// It works on the bytes that were written, so that there is one writer of JSON and not two that could differ.

import StrictJSON

/// Lays compact JSON out over several lines.
enum PrettyJSON {
  /// The text of an object, two spaces a level.
  static func text(_ object: JSONObject) -> String {
    var layout = Layout()
    for byte in object.encoded() { layout.take(byte) }
    return String(decoding: layout.output, as: UTF8.self)
  }

  private struct Layout {
    var output: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasJustOpened = false

    mutating func take(_ byte: UInt8) {
      if isInString { return takeInString(byte) }
      let opened = hasJustOpened
      hasJustOpened = false
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if !opened { breakLine() }
      case _ where opened: breakLine()
      default: break
      }
      output.append(byte)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        hasJustOpened = true
      case UInt8(ascii: ","): breakLine()
      case UInt8(ascii: ":"): output.append(UInt8(ascii: " "))
      case UInt8(ascii: "\""): isInString = true
      default: break
      }
    }

    private mutating func takeInString(_ byte: UInt8) {
      output.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }

    private mutating func breakLine() {
      output.append(UInt8(ascii: "\n"))
      output += [UInt8](repeating: UInt8(ascii: " "), count: max(0, depth) * 2)
    }
  }
}
