// SPDX-License-Identifier: Apache-2.0
//
// A topic the way a person types it: as its key, or as its kind alone where the rest comes from options. A key of
// people or of a text is a hash and cannot be turned back, so it is refused with the way that works.

package import StrictJSON

/// The part of a topic that a typed key gives.
package struct TypedTopic: Sendable {
  package let kind: TopicKind
  /// A topic's fields, to be completed with texts, people and actions.
  package let json: JSONObject

  /// Reads `significantUpdate/2.0`, `resource/org.example.screenTime`, or a kind alone: `communication`, and
  /// `significantUpdate` for an update that its description names. The field of an error is `topic`.
  package init(parsing text: String) throws(ValueError) {
    let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    let word = String(text[..<(slash ?? text.endIndex)])
    guard let kind = TopicKind(exactly: word) else {
      throw ValueError(field: "topic", rule: "a key that starts with one of \(TopicKind.words)")
    }
    let name = slash.map { String(decoding: text.utf8[text.utf8.index(after: $0)...], as: UTF8.self) }
    self.kind = kind
    json = try TypedTopic.json(kind, name: name)
  }

  private static func json(_ kind: TopicKind, name: String?) throws(ValueError) -> JSONObject {
    var json: JSONObject = ["kind": .string(kind.rawValue)]
    switch (kind, name) {
    case (.significantUpdate, let name?):
      guard Form.isOpaque(name.utf8) else {
        throw ValueError(field: "topic", rule: "significantUpdate/ and a change: 1 to 128 letters, digits or . _ ~ -")
      }
      json["change"] = .string(name)
    case (.resource, let name?) where Form.isReverseDomain(name.utf8):
      json["resource"] = .string(name)
    case (.resource, _):
      throw ValueError(field: "topic", rule: "resource/ and \(AppID.rule), such as resource/org.example.screenTime")
    case (.communication, .some):
      throw ValueError(field: "topic", rule: "communication alone, with people and actions: a hash names nobody")
    case (.significantUpdate, nil), (.communication, nil):
      break
    }
    return json
  }
}
