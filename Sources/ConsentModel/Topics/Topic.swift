// SPDX-License-Identifier: Apache-2.0
//
// A topic as it is asked: checked once, and canonical from then on. Wire, hash and store all use its one JSON form, so
// that what a guardian reads, what is hashed and what is kept cannot differ.

package import StrictJSON

/// What is asked.
package struct Topic: Sendable {
  package let subject: Subject
  /// The canonical form: the fields the topic has, null ones dropped, lists without an order sorted by bytes, and the
  /// earlier changes it lists.
  package let json: JSONObject
  /// The changes a significant update took along, in the order in which they were asked.
  package let earlier: [EarlierChange]

  /// Reads a topic that is asked. It lists no earlier changes: what it takes along is not for the asker to say.
  package init(json: JSONObject) throws(ValueError) { try self.init(json: json, earlier: []) }

  /// Reads a topic that was stored.
  init(stored json: JSONObject) throws(ValueError) {
    var earlier: [EarlierChange] = []
    for change in json[EarlierChange.field]?.array ?? [] {
      earlier.append(try EarlierChange(json: change.object ?? [:]))
    }
    try self.init(json: json.without(EarlierChange.field), earlier: earlier)
  }

  private init(json: JSONObject, earlier: [EarlierChange]) throws(ValueError) {
    let fields = try TopicFields(json: json, asked: true)
    for person in fields.members["people"]?.array ?? [] where person.object?["kind"] == nil {
      throw ValueError(field: "people.kind", rule: TopicField.kindRule)
    }
    self.init(subject: try Subject(fields), fields: fields.members, earlier: earlier)
  }

  private init(subject: Subject, fields: JSONObject, earlier: [EarlierChange]) {
    var json = fields
    if !earlier.isEmpty { json[EarlierChange.field] = .array(earlier.map { .object($0.json) }) }
    self.subject = subject
    self.json = json
    self.earlier = earlier
  }

  package var kind: TopicKind { subject.kind }

  /// Everything an approval grants: what is asked, and what came before it.
  package var items: [Item] { parts.flatMap(\.subject.items) }

  /// What happens after a denial: `staysOnOldVersion`, `featureOff`, `appBlocked` or a sentence.
  package var ifDenied: String? { json["ifDenied"]?.string }

  /// A significant update's first version.
  package var sinceVersion: String? { json["sinceVersion"]?.string }

  /// 64 hex digits of SHA-256 over the canonical form: whether an ask's `key` came with the same topic.
  package var hash: String { Sodium.sha256(json.encoded(order: .sortedByName)).hexDigits }

  /// The answers a guardian is offered.
  package var choices: [OfferedChoice] {
    switch kind {
    case .significantUpdate: [.approve, .deny]
    case .communication: [.approve, .approveUntil, .deny]
    case .resource: [.approveOnce, .approve, .deny]
    }
  }
}

extension Topic {
  /// The topic without the earlier changes: as it was asked.
  package var alone: Topic { listing([]) }

  /// The earlier changes and the topic itself, each as it was asked.
  package var parts: [Topic] { earlier.map(\.topic) + [alone] }

  /// The topic with these earlier changes.
  func listing(_ earlier: [EarlierChange]) -> Topic {
    Topic(subject: subject, fields: json.without(EarlierChange.field), earlier: earlier)
  }
}

/// A change that a later one took along.
package struct EarlierChange: Sendable {
  static let field = "earlier"
  private static let denied = "denied"

  /// The change as it was asked.
  package let topic: Topic
  /// Whether a guardian said no to it before.
  package let wasDenied: Bool

  init(topic: Topic, wasDenied: Bool) {
    self.topic = topic
    self.wasDenied = wasDenied
  }

  /// The change's fields, and `denied` where it was.
  package var json: JSONObject {
    var json = topic.json.without("kind")
    if wasDenied { json[EarlierChange.denied] = true }
    return json
  }

  /// Reads a stored one.
  init(json: JSONObject) throws(ValueError) {
    var fields = json.without(EarlierChange.denied)
    fields["kind"] = .string(TopicKind.significantUpdate.rawValue)
    topic = try Topic(json: fields)
    wasDenied = json[EarlierChange.denied] == true
  }
}

extension JSONObject {
  fileprivate func without(_ name: String) -> JSONObject {
    var copy = self
    copy[name] = nil
    return copy
  }
}
