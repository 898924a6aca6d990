// SPDX-License-Identifier: Apache-2.0
//
// The content of a question and its hash, which others recompute: the bytes and the value below were made with another
// program (Python's json and hashlib).

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct ContentTests {
  private let topic: JSONObject = [
    "reasons": ["functionality", "dataCategories"], "kind": "significantUpdate",
    "description": "Voice rooms \u{201C}for\teveryone\u{201D}\n</b> \u{1F399} \\ \u{E9} e\u{301}", "change": "2.0",
    "ifDenied": "staysOnOldVersion", "language": .null,
  ]

  @Test func `the hash is the one that others compute`() throws {
    let content = try content(person: "uid:1001", app: "org.example.Chat")
    let text =
      #"{"asker":{"app":"org.example.Chat","uid":1001},"choices":[{"answer":"approval","choice":"a"#
      + #"pprove","title":"Allow"},{"answer":"denial","choice":"deny","title":"Do not allow"}],"pers"#
      + #"on":"uid:1001","provenance":"claimed","topic":{"change":"2.0","description":"Voice rooms \#u{201C}"#
      + #"for\teveryone\#u{201D}\n</b> \#u{1F399} \\ \#u{E9} e\#u{301}","ifDenied":"staysOnOldVersion","kind":"significantUpdate","#
      + #""reasons":["dataCategories","functionality"]}}"#
    #expect(content.bytes == Array(text.utf8))
    #expect(content.hash == "d7d5e6571dc11e773e637f344352cf95c0165baafd54116cba520739fea008e0")
  }

  @Test func `the order in which a topic is written changes nothing`() throws {
    var reversed = JSONObject()
    for member in topic.members.reversed() { reversed[member.name] = member.value }
    reversed["reasons"] = ["dataCategories", "functionality"]
    #expect(try content(topic: reversed).hash == content().hash)
  }

  @Test func `everything in the content changes the hash`() throws {
    let contents = try [
      content(), content(person: "uid:1002"), content(person: "account:org.example/1001"), content(uid: 1002),
      content(app: nil), content(app: "org.example.Chat2"), content(provenance: .registered),
      content(topic: topic.with("change", "2.1")), content(topic: topic.with("ifDenied", "featureOff")),
      content(topic: topic.with("description", "K")), content(topic: topic.with("description", "\u{212A}")),
      content(topic: Least.resource),
    ]
    #expect(Set(contents.map(\.hash)).count == contents.count)
  }

  @Test func `a stored content is read as it was asked`() throws {
    for app in ["org.example.Chat", nil] {
      let content = try content(app: app)
      let read = try Content(json: JSONObject(parsing: content.bytes))
      #expect(read.bytes == content.bytes)
      #expect(read.hash == content.hash)
      #expect(read.person == content.person)
      #expect(read.asker == content.asker)
      #expect(read.choices.map(\.choice) == ["approve", "deny"])
    }
  }

  @Test func `a stored question keeps the choices it was asked with`() throws {
    var json = try JSONObject(parsing: content().bytes)
    json["choices"] = [["choice": "approveForever", "title": "Always", "answer": "approval"]]
    let read = try Content(json: json)
    #expect(read.choices.map(\.title) == ["Always"])
    #expect(read.bytes == json.encoded(order: .sortedByName))
  }

  @Test(
    arguments: [
      ("person", nil, "person"), ("person", "1001", "person"), ("asker", nil, "asker.uid"),
      ("asker", ["uid": 4_294_967_295], "asker.uid"), ("asker", ["uid": -1], "asker.uid"),
      ("asker", ["uid": 1, "app": "x"], "asker.app"), ("provenance", "trusted", "provenance"), ("topic", nil, "topic"),
      ("topic", ["kind": "other"], "kind"), ("choices", [["choice": "approve"]], "choices"),
      ("choices", [["choice": "a", "title": "b", "answer": "maybe"]], "choices"),
    ] as [(String, JSON?, String)])
  func `a damaged content is an error and no content`(name: String, value: JSON?, field: String) throws {
    let json = try JSONObject(parsing: content().bytes).with(name, value)
    #expect(#expect(throws: ValueError.self) { try Content(json: json) }?.field == field)
  }

  private func content(
    person: String = "uid:1001", uid: UserID = 1001, app: String? = "org.example.Chat",
    provenance: Provenance = .claimed, topic: JSONObject? = nil
  ) throws -> Content {
    Content(
      person: try Person(parsing: person), asker: Asker(uid: uid, app: try app.map { try AppID(parsing: $0) }),
      provenance: provenance, topic: try Topic(json: topic ?? self.topic))
  }
}
