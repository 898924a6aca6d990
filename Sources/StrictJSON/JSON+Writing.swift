// SPDX-License-Identifier: Apache-2.0
//
// Values to bytes: compact, on one line, no white space outside strings, straight into the buffer they are sent from.
// It never writes what peers refuse: a NUL becomes U+FFFD, and a number that JSON cannot say becomes null.

extension JSONObject {
  /// How members are ordered when an object is written.
  package enum Order: Sendable {
    /// As they were put in.
    case written
    /// By the bytes of their names, at every level: the canonical form that is hashed.
    case sortedByName
  }

  /// The compact JSON text of this object.
  package func encoded(order: Order = .written) -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes, order: order)
    return bytes
  }

  /// Appends the compact JSON text of this object to `bytes`.
  package func encode(into bytes: inout [UInt8], order: Order = .written) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members(in: order) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      member.name.encode(into: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.encode(into: &bytes, order: order)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func members(in order: Order) -> [Member] {
    switch order {
    case .written: members
    case .sortedByName: members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
  }
}

extension JSON {
  fileprivate func encode(into bytes: inout [UInt8], order: JSONObject.Order) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: value.description.utf8)
    case .real(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    case .string(let text): text.encode(into: &bytes)
    case .array(let elements): elements.encode(into: &bytes, order: order)
    case .object(let object): object.encode(into: &bytes, order: order)
    }
  }
}

extension [JSON] {
  fileprivate func encode(into bytes: inout [UInt8], order: JSONObject.Order) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in self {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      element.encode(into: &bytes, order: order)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension String {
  /// Appends the string in quotation marks; what needs no escape is copied as it is.
  fileprivate func encode(into bytes: inout [UInt8]) {
    var text = self
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated() where byte.needsEscape {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        bytes.append(contentsOf: byte.escape.utf8)
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension UInt8 {
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }

  /// The escape of a byte that needs one.
  fileprivate var escape: String {
    switch self {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "\n"): "\\n"
    case UInt8(ascii: "\r"): "\\r"
    case UInt8(ascii: "\t"): "\\t"
    case 0: "\u{FFFD}"
    default: (self < 0x10 ? "\\u000" : "\\u00") + String(self, radix: 16)
    }
  }
}
