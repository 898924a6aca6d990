// SPDX-License-Identifier: Apache-2.0
//
// Keys and items, the items' wire form, and topics typed as keys.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct SubjectTests {
  private let salt: KeySalt

  init() throws { salt = try #require(KeySalt(Array(0..<32))) }

  @Test func `an update's key is its change, or its description's hash`() throws {
    #expect(try key(["kind": "significantUpdate", "change": "2.0"]) == "significantUpdate/2.0")
    #expect(
      try key(["kind": "significantUpdate", "description": "abc"])
        == "significantUpdate/text:ba7816bf8f01cfea414140de5dae2223")
    #expect(try key(Least.update.with("description", "Something else")) == "significantUpdate/2.0")
  }

  @Test func `a resource's key is its name`() throws {
    #expect(try key(["kind": "resource", "resource": "org.example.x"]) == "resource/org.example.x")
  }

  @Test func `people's key is a salted hash of their handles in the order of bytes`() throws {
    let ana: JSON = ["handle": "ana", "kind": "custom"]
    let ben: JSON = ["handle": "ben", "kind": "emailAddress", "name": "Ben"]
    let both = Least.people.with("people", [ben, ana])
    #expect(try key(both) == "communication/370ee13581317eb27ed1ea74e03839a1")
    #expect(try key(Least.people.with("people", [ana, ben]).with("actions", ["videoCall"])) == key(both))
    #expect(try key(Least.people.with("people", [ana])) != key(both))
    let other = try #require(KeySalt(Array(1..<33)))
    #expect(try Subject(json: both).key(salt: other) != key(both))
  }

  @Test func `handles cannot be shifted into one another`() throws {
    let sets = [["ab", "c"], ["a", "bc"], ["abc"], ["a", "b", "c"], ["a,b", "c"], ["K"], ["\u{212A}"]]
    let keys = try sets.map { handles in
      try key(Least.people.with("people", .array(handles.map { ["handle": .string($0), "kind": "custom"] })))
    }
    #expect(Set(keys).count == sets.count)
  }

  @Test func `items are the change, handle by action, or the level`() throws {
    #expect(try Subject(json: Least.update).items == [Item(subject: "2.0", action: "")])
    #expect(try Subject(json: Least.resource).items == [Item(subject: "org.example.screenTime", action: "full")])
    let people: JSON = [["handle": "ben", "kind": "custom"], ["handle": "ana", "kind": "custom"]]
    let items = try Subject(json: Least.people.with("people", people).with("actions", ["message", "call"])).items
    #expect(
      items == [
        Item(subject: "ana", action: "call"), Item(subject: "ana", action: "message"),
        Item(subject: "ben", action: "call"), Item(subject: "ben", action: "message"),
      ])
  }

  @Test(
    arguments: [
      (["kind": "significantUpdate"], "change"), (["kind": "communication", "actions": ["message"]], "people"),
      (["kind": "communication", "people": [["handle": "a", "kind": "custom"]]], "actions"),
      (["kind": "resource"], "resource"), (["kind": "resource", "resource": "camera"], "resource"), ([:], "kind"),
      (["kind": "resource", "resource": "org.example", "purpose": ""], "purpose"),
      (["kind": "resource", "resource": "org.example", "change": "2.0"], "change"),
    ] as [(JSONObject, String)])
  func `a subject lacks nothing that makes it and holds nothing wrong`(json: JSONObject, field: String) {
    #expect(#expect(throws: ValueError.self) { try Subject(json: json) }?.field == field)
  }

  @Test func `a whole topic has the subject of its key`() throws {
    for json in Least.all {
      #expect(try Topic(json: json).subject.key(salt: salt) == key(json))
    }
  }

  private func key(_ json: JSONObject) throws -> String { try Subject(json: json).key(salt: salt) }
}

@Suite struct ItemTests {
  @Test func `an item is written in the form of its kind`() {
    let item = Item(subject: "s", action: "a")
    #expect(item.json(kind: .significantUpdate) == ["change": "s"])
    #expect(item.json(kind: .communication) == ["handle": "s", "action": "a"])
    #expect(item.json(kind: .resource) == ["level": "a"])
  }

  @Test func `items are compared by bytes`() {
    #expect(Item(subject: "K", action: "") != Item(subject: "\u{212A}", action: ""))
    #expect(Item(subject: "a", action: "\u{E9}") != Item(subject: "a", action: "e\u{301}"))
    #expect(Item(subject: "ab", action: "c") != Item(subject: "a", action: "bc"))
    let items = ["K", "\u{212A}", "\u{E9}", "e\u{301}"].map { Item(subject: $0, action: "message") }
    #expect(Set(items).count == 4)
    #expect(Set(items + items).count == 4)
  }
}

@Suite struct TypedTopicTests {
  @Test(
    arguments: [
      ("significantUpdate/2.0", ["kind": "significantUpdate", "change": "2.0"]),
      ("significantUpdate", ["kind": "significantUpdate"]), ("communication", ["kind": "communication"]),
      ("resource/org.example.screenTime", ["kind": "resource", "resource": "org.example.screenTime"]),
    ] as [(String, JSONObject)])
  func `a typed key gives the fields it holds`(text: String, json: JSONObject) throws {
    #expect(try TypedTopic(parsing: text).json == json)
  }

  @Test(arguments: [
    "", "/", "update/2.0", "significantUpdate/", "significantUpdate/a/b", "significantUpdate/text:0011", "resource",
    "resource/", "resource/camera", "communication/", "communication/0011", "Resource/org.example",
    " resource/org.example",
    "resource/\u{301}org.example",
  ])
  func `what is no key, or cannot be turned back, is refused`(text: String) {
    #expect(#expect(throws: ValueError.self) { try TypedTopic(parsing: text) }?.field == "topic")
  }
}
