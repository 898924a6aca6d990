// SPDX-License-Identifier: Apache-2.0
//
// What a topic is about, without what is said about it: enough to name it, to find its question and to look for
// grants. `GetStatus` needs no more. The key names the subject and not the scope: other actions with the same people
// have the same key, and the items tell them apart.

package import StrictJSON

/// The part of a topic that makes its key and its items.
package enum Subject: Sendable {
  /// A change by its name, or `text:` and 32 hex digits of its description's SHA-256.
  case significantUpdate(change: String)
  /// People by their handles, and what is to be done with them; both in the order of their bytes.
  case communication(handles: [String], actions: [String])
  /// A resource by its name.
  case resource(name: String, level: String)

  /// Reads a topic of which nothing has to be there but what makes key and items; everything that is there is checked
  /// as in an ask.
  package init(json: JSONObject) throws(ValueError) {
    try self.init(TopicFields(json: json, asked: false))
  }

  init(_ fields: TopicFields) throws(ValueError) {
    switch fields.kind {
    case .significantUpdate: self = .significantUpdate(change: try Subject.change(fields))
    case .communication:
      guard let people = fields.members["people"]?.array else { throw fields.missing("people") }
      guard let actions = fields.members["actions"]?.array else { throw fields.missing("actions") }
      self = .communication(
        handles: people.compactMap { $0.object?["handle"]?.string }, actions: actions.compactMap(\.string))
    case .resource:
      guard let name = fields.text("resource") else { throw fields.missing("resource") }
      guard let level = fields.text("level") else { throw fields.missing("level") }
      self = .resource(name: name, level: level)
    }
  }

  package var kind: TopicKind {
    switch self {
    case .significantUpdate: .significantUpdate
    case .communication: .communication
    case .resource: .resource
    }
  }

  /// Everything that must be granted for the topic to be approved.
  package var items: [Item] {
    switch self {
    case .significantUpdate(let change): [Item(subject: change, action: "")]
    case .communication(let handles, let actions):
      handles.flatMap { handle in actions.map { Item(subject: handle, action: $0) } }
    case .resource(let name, let level): [Item(subject: name, action: level)]
    }
  }

  /// The topic's key. Handles enter it only as a hash under `salt`, each ended by a zero byte, which no handle holds.
  package func key(salt: KeySalt) -> String {
    switch self {
    case .significantUpdate(let change): "\(kind.rawValue)/\(change)"
    case .communication(let handles, _):
      "\(kind.rawValue)/\(Sodium.keyedHash(handles.flatMap { Array($0.utf8) + [0] }, salt: salt).hexDigits)"
    case .resource(let name, _): "\(kind.rawValue)/\(name)"
    }
  }

  /// Whether both are about the very same items.
  package func isSame(as other: Subject) -> Bool { kind == other.kind && items == other.items }

  /// The item that `json` names in the wire form of this subject's kind.
  func item(_ json: JSONObject) -> Item? {
    let count = json.members.count { $0.value != .null }
    switch self {
    case .significantUpdate:
      return count == 1 ? json["change"]?.string.map { Item(subject: $0, action: "") } : nil
    case .communication:
      guard count == 2, let handle = json["handle"]?.string, let action = json["action"]?.string else { return nil }
      return Item(subject: handle, action: action)
    case .resource(let name, _):
      return count == 1 ? json["level"]?.string.map { Item(subject: name, action: $0) } : nil
    }
  }

  private static func change(_ fields: TopicFields) throws(ValueError) -> String {
    if let name = fields.text("change") { return name }
    guard let description = fields.text("description") else {
      throw ValueError(field: "change", rule: "given, or a description that stands for it")
    }
    return "text:\(Sodium.sha256(description.utf8).prefix(16).hexDigits)"
  }
}
