// SPDX-License-Identifier: Apache-2.0
//
// What topics may hold, field by field, and the canonical form of what they hold.

import StrictJSON
import Testing

@testable import ConsentModel

/// The least each kind needs to be asked.
enum Least {
  static let update: JSONObject = ["kind": "significantUpdate", "change": "2.0", "description": "Voice rooms"]
  static let people: JSONObject = [
    "kind": "communication", "people": [["handle": "ana", "kind": "custom"]], "actions": ["message"],
  ]
  static let resource: JSONObject = ["kind": "resource", "resource": "org.example.screenTime", "purpose": "Homework"]

  static let all = [update, people, resource]
}

@Suite struct TopicTests {
  @Test(arguments: Least.all)
  func `the least of a kind is a topic`(json: JSONObject) throws {
    #expect(try Topic(json: json).kind.rawValue == json["kind"]?.string)
  }

  @Test(arguments: ["", "Resource", "ageRange", "unknown", "significantupdate"])
  func `an unknown kind is refused`(kind: String) {
    #expect(refusedField(Least.update.with("kind", .string(kind))) == "kind")
  }

  @Test func `a kind is needed and is a text`() {
    for value in [nil, .null, 1, ["resource"]] as [JSON?] {
      #expect(refusedField(Least.resource.with("kind", value)) == "kind")
    }
  }

  @Test(
    arguments: [
      (
        0,
        [
          "kind", "change", "reasons", "description", "personDescription", "ifDenied", "sinceVersion", "disclosureURL",
          "language",
        ]
      ),
      (1, ["kind", "people", "actions"]), (2, ["kind", "resource", "level", "purpose", "ifDenied"]),
    ] as [(Int, [String])])
  func `a kind has its own fields and null is none`(index: Int, own: [String]) throws {
    let every = [
      "kind", "change", "reasons", "description", "personDescription", "ifDenied", "sinceVersion", "disclosureURL",
      "language", "people", "actions", "resource", "level", "purpose", "invented", "Kind",
    ]
    for name in every where !own.contains(name) {
      #expect(refusedField(Least.all[index].with(name, "full")) == name)
      #expect(try Topic(json: Least.all[index].with(name, .null)).json[name] == nil)
    }
  }

  @Test(arguments: [(0, "description"), (1, "people"), (1, "actions"), (2, "resource"), (2, "purpose")])
  func `what an ask needs is asked for`(index: Int, name: String) {
    #expect(refusedField(Least.all[index].with(name, nil)) == name)
    #expect(refusedField(Least.all[index].with(name, .null)) == name)
  }

  static let texts = [
    (0, "description"), (0, "personDescription"), (0, "ifDenied"), (0, "sinceVersion"), (2, "purpose"), (2, "ifDenied"),
  ]

  @Test(arguments: texts)
  func `texts are held to the rules of texts`(index: Int, name: String) {
    let wrong: [JSON] = [
      "", " \n", "a\u{202E}b", "a\u{1B}b", .string(String(repeating: "x", count: 1001)), 1, true, [],
    ]
    for value in wrong { #expect(refusedField(Least.all[index].with(name, value)) == name) }
  }

  @Test(arguments: texts)
  func `texts are kept as they came`(index: Int, name: String) throws {
    for text in ["K", "\u{212A}", " e\u{301} ", "staysOnOldVersion"] {
      let kept = try Topic(json: Least.all[index].with(name, .string(text))).json[name]?.string
      #expect(kept?.isExactly(text) == true)
    }
  }

  static let forms: [(Int, String, [JSON], [JSON])] = [
    (0, "change", ["2.0", "~", "a-b_c.d"], ["", "2 0", "a/b", "text:00", "é", "\u{212A}", 2, .string(long(129))]),
    (
      0, "language", ["en", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske-1994"],
      ["", "e", "en_GB", "en-", "-en", "en--GB", "1n", "en-toolongsub", "ën", .string("en" + long(4, of: "-abcdefgh"))]
    ),
    (
      0, "disclosureURL", ["https://example.org", "https://example.org:8443/a?b#c", "https://example.org/a@b"],
      [
        "", "http://example.org", "https://", "https:///a", "https://a b", "https://example..org", "https://.",
        "https://org.example@evil.example", "https://example.org:", "https://example.org:port", "https://exämple.org",
        "javascript:alert(1)", "HTTPS://example.org", .string("https://example.org/" + long(2048)), 1,
      ]
    ),
    (
      0, "reasons", [["ageRating"], ["functionality", "dataCategories", "monetization", "ageRating"]],
      [["other"], ["ageRating", "ageRating"], [1], "ageRating", ["AgeRating"], [[]]]
    ),
    (
      2, "resource", ["org.example", "org.example.screenTime"],
      ["camera", "photos", "audio", "microphone", "contacts", "location", "", "org", "org.", "org.é", 1]
    ),
    (2, "level", ["full"], ["", "limited", "whenInUse", "always", "Full", 1, ["full"]]),
    (
      1, "actions", [["message"], ["videoCall", "message", "x1"]],
      [
        [], ["Message"], ["1x"], ["audio call"], ["audio-call"], ["message", "message"], [1], "message", [""],
        .array((0..<17).map { .string("a\($0)") }), [.string(long(65))], ["e\u{301}"],
      ]
    ),
  ]

  @Test(arguments: forms.indices)
  func `a field takes what has its form and refuses the rest by name`(index: Int) throws {
    let (kind, name, right, wrong) = TopicTests.forms[index]
    for value in right { _ = try Topic(json: Least.all[kind].with(name, value)) }
    for value in wrong { #expect(refusedField(Least.all[kind].with(name, value)) == name, "\(value)") }
  }

  @Test(
    arguments: [
      ([], "people"), ("ana", "people"), (["ana"], "people"), ([["kind": "custom"]], "people.handle"),
      ([["handle": .null, "kind": "custom"]], "people.handle"), ([["handle": "", "kind": "custom"]], "people.handle"),
      ([["handle": "a\nb", "kind": "custom"]], "people.handle"),
      ([["handle": "a\tb", "kind": "custom"]], "people.handle"),
      ([["handle": "a\u{2067}b", "kind": "custom"]], "people.handle"),
      ([["handle": 1, "kind": "custom"]], "people.handle"),
      ([["handle": .string(long(257)), "kind": "custom"]], "people.handle"), ([["handle": "ana"]], "people.kind"),
      ([["handle": "ana", "kind": "Phone Number"]], "people.kind"), ([["handle": "ana", "kind": ""]], "people.kind"),
      ([["handle": "ana", "kind": "custom", "name": "A\nna"]], "people.name"),
      ([["handle": "ana", "kind": "custom", "name": ""]], "people.name"),
      ([["handle": "ana", "kind": "custom", "age": 12]], "people.age"),
      ([["handle": "ana", "kind": "custom"], ["handle": "ana", "kind": "emailAddress"]], "people.handle"),
      (.array((0..<65).map { ["handle": .string("h\($0)"), "kind": "custom"] }), "people"),
    ] as [(JSON, String)])
  func `people that are wrong are refused by the nested name`(people: JSON, field: String) {
    #expect(refusedField(Least.people.with("people", people)) == field)
  }

  @Test func `handles that are canonically equivalent are two people`() throws {
    let people: JSON = [["handle": "K", "kind": "custom"], ["handle": "\u{212A}", "kind": "custom"]]
    #expect(try Topic(json: Least.people.with("people", people)).subject.items.count == 2)
  }

  @Test func `64 people and 16 actions are 1024 items`() throws {
    let people = (0..<64).map { JSON.object(["handle": .string("h\($0)" + long(250)), "kind": "custom"]) }
    let actions = (0..<16).map { JSON.string("a\($0)") }
    let topic = try Topic(json: Least.people.with("people", .array(people)).with("actions", .array(actions)))
    #expect(Set(topic.subject.items).count == 1024)
  }

  @Test func `what says the same is the same topic`() throws {
    let ana: JSON = ["handle": "ana", "kind": "custom", "name": .null]
    let other: JSON = ["kind": "emailAddress", "handle": "ben@example.org"]
    let first = Least.people.with("people", [ana, other]).with("actions", ["message", "audioCall"])
    let second: JSONObject = [
      "actions": ["audioCall", "message"], "people": [other, ana], "kind": "communication", "purpose": .null,
    ]
    #expect(try Topic(json: first).hash == Topic(json: second).hash)

    let reasons = Least.update.with("reasons", ["monetization", "ageRating"])
    #expect(
      try Topic(json: reasons).hash == Topic(json: reasons.with("reasons", ["ageRating", "monetization"])).hash)
    #expect(try Topic(json: Least.update.with("reasons", [])).hash == Topic(json: Least.update).hash)
    #expect(try Topic(json: Least.resource.with("level", "full")).hash == Topic(json: Least.resource).hash)
  }

  @Test func `what says something else is another topic`() throws {
    let topics = try [
      Least.update, Least.update.with("description", "Voice rooms "), Least.update.with("language", "en"),
      Least.update.with("description", "Kelvin"), Least.update.with("description", "\u{212A}elvin"), Least.resource,
      Least.people, Least.people.with("actions", ["audioCall"]),
    ].map { try Topic(json: $0) }
    #expect(Set(topics.map(\.hash)).count == topics.count)
  }

  @Test(arguments: Least.all)
  func `the canonical form is a topic of the same form`(json: JSONObject) throws {
    let topic = try Topic(json: json)
    #expect(try Topic(json: topic.json).json == topic.json)
  }

  @Test func `only a resource can be approved for once`() throws {
    let offered = try Least.all.map { try Topic(json: $0).choices.map(\.choice) }
    #expect(
      offered == [
        ["approve", "deny"], ["approve", "approveUntil", "deny"], ["approveOnce", "approve", "deny"],
      ])
    let granting = try Topic(json: Least.resource).choices.filter(\.givesGrant).map(\.choice)
    #expect(granting == ["approve"])
  }

  private func refusedField(_ json: JSONObject) -> String? {
    #expect(throws: ValueError.self) { try Topic(json: json) }?.field
  }
}

extension JSONObject {
  /// This object with one member set, or without it.
  func with(_ name: String, _ value: JSON?) -> JSONObject {
    var copy = self
    copy[name] = value
    return copy
  }
}

/// A long text of one repeated part.
func long(_ count: Int, of part: String = "x") -> String { String(repeating: part, count: count) }
