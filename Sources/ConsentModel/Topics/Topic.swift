// SPDX-License-Identifier: Apache-2.0
//
// A topic as it is asked: checked once, and canonical from then on. Wire, hash and store all use its one JSON form, so
// that what a guardian reads, what is hashed and what is kept cannot differ.

package import StrictJSON

/// What is asked.
package struct Topic: Sendable {
  package let subject: Subject
  /// The canonical form: the fields the topic has, null ones dropped, lists without an order sorted by bytes.
  package let json: JSONObject

  /// Reads a topic that is asked.
  package init(json: JSONObject) throws(ValueError) {
    let fields = try TopicFields(json: json, asked: true)
    for person in fields.members["people"]?.array ?? [] where person.object?["kind"] == nil {
      throw ValueError(field: "people.kind", rule: TopicField.kindRule)
    }
    subject = try Subject(fields)
    self.json = fields.members
  }

  package var kind: TopicKind { subject.kind }

  /// What happens after a denial: `staysOnOldVersion`, `featureOff`, `appBlocked` or a sentence.
  package var ifDenied: String? { json["ifDenied"]?.string }

  /// 64 hex digits of SHA-256 over the canonical form: whether an ask's `key` came with the same topic.
  package var hash: String { Sodium.sha256(json.encoded(order: .sortedByName)).hexDigits }

  /// The answers a guardian is offered.
  package var choices: [OfferedChoice] {
    switch kind {
    case .significantUpdate, .communication: [.approve, .deny]
    case .resource: [.approveOnce, .approve, .deny]
    }
  }
}
