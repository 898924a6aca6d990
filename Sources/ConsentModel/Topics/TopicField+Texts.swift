// SPDX-License-Identifier: Apache-2.0
//
// The canonical forms of fields that are one text: prose, names, an address, a language. No text is changed, trimmed
// or normalised: what the guardian reads and what is hashed are the bytes the app sent.

internal import StrictJSON

extension TopicField {
  /// Prose of several lines.
  static let text: Canonical = { value, field throws(ValueError) in
    let text = try TopicField.string(value, field)
    try TextRules.text(text, field: field)
    return value
  }

  /// A name or version on one line.
  static let line: Canonical = { value, field throws(ValueError) in
    let text = try TopicField.string(value, field)
    try TextRules.line(text, field: field)
    return value
  }

  /// The name of a change.
  static let change: Canonical = { value, field throws(ValueError) in
    guard Form.isOpaque(try TopicField.string(value, field).utf8) else {
      throw ValueError(field: field, rule: "1 to 128 letters, digits or . _ ~ -")
    }
    return value
  }

  /// A resource of the app's own. What a phone has beside (`camera`, `photos` and so on) has no dot and is refused.
  static let resource: Canonical = { value, field throws(ValueError) in
    guard Form.isReverseDomain(try TopicField.string(value, field).utf8) else {
      throw ValueError(field: field, rule: "\(AppID.rule), such as org.example.screenTime")
    }
    return value
  }

  /// The one level that resources of an app's own have.
  static let level: Canonical = { value, field throws(ValueError) in
    guard try TopicField.string(value, field).isExactly(TopicKind.fullLevel) else {
      throw ValueError(field: field, rule: "absent or \(TopicKind.fullLevel)")
    }
    return value
  }

  /// An address a guardian may open: `https`, a host by name, printable ASCII, at most 2,048 bytes. A user name before
  /// the host is refused, because it is read as the host.
  static let address: Canonical = { value, field throws(ValueError) in
    let text = try TopicField.string(value, field)
    guard text.utf8.count <= 2048, let rest = text.utf8.dropping(prefix: "https://"),
      rest.allSatisfy({ (0x21...0x7E).contains($0) }),
      TopicField.isHost(rest.prefix { !"/?#".utf8.contains($0) })
    else { throw ValueError(field: field, rule: "https:// and a host name, at most 2048 printable ASCII characters") }
    return value
  }

  /// The shape of a language tag (BCP 47), such as `en` or `pt-BR`.
  static let language: Canonical = { value, field throws(ValueError) in
    let text = try TopicField.string(value, field)
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = parts.first, first.count >= 2, first.allSatisfy({ $0.isLetter }),
      parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { $0.isLetterOrDigit } })
    else { throw ValueError(field: field, rule: "a language tag such as en or pt-BR, at most 35 characters") }
    return value
  }

  /// The text of `value`. Errors: `field`, where it is no text.
  static func string(_ value: JSON, _ field: String) throws(ValueError) -> String {
    guard let text = value.string else { throw ValueError(field: field, rule: "a text") }
    return text
  }

  /// Labels of letters, digits and hyphens, and a port of up to five digits if one is given.
  private static func isHost(_ bytes: Substring.UTF8View) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first else { return false }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") } }
      && parts.dropFirst().allSatisfy { (1...5).contains($0.count) && $0.allSatisfy { $0.isDigit } }
  }
}
