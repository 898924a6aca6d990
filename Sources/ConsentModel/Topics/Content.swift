// SPDX-License-Identifier: Apache-2.0
//
// What a question asks, whole and immutable (design, rule 6): who is asked about, who asks and how sure that is, the
// topic with all its texts, the choices. Its hash is what a guardian's answer is bound to; anybody can recompute it
// from a card: SHA-256 over compact JSON whose names are sorted by bytes at every level.

package import StrictJSON

/// The content of a question.
package struct Content: Sendable {
  package let person: Person
  package let asker: Asker
  package let provenance: Provenance
  package let topic: Topic
  package let choices: [OfferedChoice]

  /// The content of a new question about `topic`.
  package init(person: Person, asker: Asker, provenance: Provenance, topic: Topic) {
    self.init(person: person, asker: asker, provenance: provenance, topic: topic, choices: topic.choices)
  }

  private init(person: Person, asker: Asker, provenance: Provenance, topic: Topic, choices: [OfferedChoice]) {
    self.person = person
    self.asker = asker
    self.provenance = provenance
    self.topic = topic
    self.choices = choices
  }

  /// The content of the same question about another topic, with the choices it was asked with.
  package func about(_ topic: Topic) -> Content {
    Content(person: person, asker: asker, provenance: provenance, topic: topic, choices: choices)
  }

  /// The hashes of what the question asks, each of its changes as if it were asked alone: who asks the content of one of
  /// them asks nothing that is not asked already.
  package var hashesOfParts: [String] { topic.parts.map { about($0).hash } }

  /// Compact JSON, names sorted by bytes: what is hashed and what is stored. Made anew at each call.
  package var bytes: [UInt8] {
    let json: JSONObject = [
      "person": .string(person.description),
      "asker": .object(asker.json),
      "provenance": .string(provenance.rawValue),
      "topic": .object(topic.json),
      "choices": .array(choices.map { .object($0.json) }),
    ]
    return json.encoded(order: .sortedByName)
  }

  /// 64 lower-case hex digits of the SHA-256 of `bytes`. Made anew at each call.
  package var hash: String { Sodium.sha256(bytes).hexDigits }
}

extension Content {
  /// Reads a stored content, with the choices it was asked with. An error here is a damaged store.
  package init(json: JSONObject) throws(ValueError) {
    guard let person = json["person"]?.string else { throw ValueError(field: "person", rule: Person.rule) }
    guard let provenance = json["provenance"]?.string.flatMap(Provenance.init(exactly:)) else {
      throw ValueError(field: "provenance", rule: "one of \(Provenance.words)")
    }
    guard let topic = json["topic"]?.object else { throw ValueError(field: "topic", rule: "an object") }
    var choices: [OfferedChoice] = []
    for choice in json["choices"]?.array ?? [] { choices.append(try OfferedChoice(json: choice.object ?? [:])) }
    self.init(
      person: try Person(parsing: person), asker: try Asker(json: json["asker"]?.object ?? [:]),
      provenance: provenance, topic: try Topic(stored: topic), choices: choices)
  }
}

extension Asker {
  fileprivate var json: JSONObject {
    var json: JSONObject = ["uid": .integer(Int64(uid))]
    if let app { json["app"] = .string(app.text) }
    return json
  }

  fileprivate init(json: JSONObject) throws(ValueError) {
    guard let uid = json["uid"]?.integer.flatMap(UserID.init(exactly:)), uid <= Form.greatestUserID else {
      throw ValueError(field: "asker.uid", rule: "a number from 0 to \(Form.greatestUserID)")
    }
    var app: AppID?
    if let text = json["app"]?.string { app = try AppID(parsing: text, field: "asker.app") }
    self.init(uid: uid, app: app)
  }
}
