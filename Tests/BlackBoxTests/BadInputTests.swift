// SPDX-License-Identifier: Apache-2.0
//
// Values of the right type that are not acceptable: each is a typed error that names the field and says the rule, and
// afterwards everything is as it was.

import StrictJSON
import TestSupport
import Testing

@Suite struct BadInputTests {
  /// One spoilt call and the error it earns.
  struct Case: Sendable, CustomTestStringConvertible {
    let method: String
    let parameters: JSONObject
    let error: String
    let field: String
    var testDescription: String { "\(method) \(field) \(parameters.json.prefix(200))" }

    /// A spoilt topic in `Ask`.
    static func topic(_ topic: JSONObject, _ field: String) -> Case {
      Case(method: "Ask", parameters: ["topic": .object(topic)], error: "InvalidTopic", field: field)
    }

    /// A spoilt parameter beside a good topic in `Ask`.
    static func ask(_ field: String, _ value: JSON) -> Case {
      let parameters = (["topic": .object(.update("2.0"))] as JSONObject).with([field: value])
      return Case(method: "Ask", parameters: parameters, error: "InvalidValue", field: field)
    }
  }

  private static let spoilt: [JSONObject] =
    ([
      "", "bell\u{7}", "escape\u{1b}[31m", "delete\u{7f}", "return\r", "next\u{85}line",
      "turned\u{202e}round", "isolate\u{2066}x", .string(String(repeating: "é", count: 1_001)),
    ] as [JSON]).map { ["description": $0] }

  static let updates: [Case] =
    spoilt.map { .topic(JSONObject.update("2.0").with($0), "description") } + [
      .topic(["kind": "telepathy"], "kind"), .topic(["kind": ""], "kind"), .topic(["kind": "Resource"], "kind"),
      .topic(["kind": "ageRange"], "kind"), .topic(JSONObject.update("2.0").without("description"), "description"),
      .topic(.update(""), "change"), .topic(.update("a b"), "change"), .topic(.update("ä"), "change"),
      .topic(.update("a/b"), "change"), .topic(.update(String(repeating: "x", count: 129)), "change"),
      .topic(.update("K\u{212A}"), "change"),
      .topic(JSONObject.update("2.0").with(["reasons": ["boredom"]]), "reasons"),
      .topic(JSONObject.update("2.0").with(["personDescription": "bell\u{7}"]), "personDescription"),
      .topic(JSONObject.update("2.0").with(["ifDenied": "turned\u{202e}round"]), "ifDenied"),
    ]

  static let conversations: [Case] = [
    .topic(JSONObject.talk(with: ["Ann"]).without("people"), "people"),
    .topic(JSONObject.talk(with: []), "people"),
    .topic(JSONObject.talk(with: ["Ann"]).without("actions"), "actions"),
    .topic(JSONObject.talk(with: ["Ann"], by: []), "actions"),
    .topic(JSONObject.talk(with: ["Ann"], by: [""]), "actions"),
    .topic(JSONObject.talk(with: [""]), "people"),
    .topic(JSONObject.talk(with: ["Ann", "bell\u{7}"]), "people"),
    .topic(JSONObject.talk(with: ["Ann"]).with(["people": [["handle": "Ann"]]]), "people"),
    .topic(
      JSONObject.talk(with: []).with(["people": [["handle": "Ann", "kind": "custom", "name": "\u{202e}nnA"]]]), "people"
    ),
  ]

  static let resources: [Case] =
    ["camera", "photos", "audio", "microphone", "contacts", "location", "", "games", "org..x", "org.exa mple", "örg.x"]
    .map { .topic(.resource($0), "resource") } + [
      .topic(JSONObject.resource().without("resource"), "resource"),
      .topic(JSONObject.resource().without("purpose"), "purpose"),
      .topic(JSONObject.resource().with(["purpose": ""]), "purpose"),
      .topic(JSONObject.resource().with(["level": "limited"]), "level"),
      .topic(.resource("org." + String(repeating: "x", count: 252)), "resource"),
    ]

  private static let persons: [JSON] = [
    "5001", "uid:", "uid:05001", "uid:-1", "uid:+1", "uid:4294967295", "uid:99999999999999999999", "uid:5001 ", "",
    "UID:5001", "uid:５００１", "account:x/1", "account:org.example.Chat/", "account:org.example.Chat",
    "account:org.example.Chat/a b", "contact:org.example.Chat/1", "mia",
  ]

  private static let apps: [JSON] = [
    "chat", "", "org.", ".org", "org..x", "org.exa_mple", "org.ä", .string("org." + String(repeating: "x", count: 252)),
  ]

  private static let keys: [JSON] = [
    "", .string(String(repeating: "k", count: 129)), "ä", "line\n", "tab\t", "del\u{7f}",
  ]

  private static let spans: [JSON] = [0, -1, 3_599_999_999, 7_776_000_000_001, .integer(.max), .integer(.min)]

  private static let waits: [Case] = ([-1, 3_600_000_001, .integer(.max), .integer(.min)] as [JSON]).map {
    let parameters: JSONObject = ["topic": .object(.update("2.0")), "timeoutUSec": $0]
    return Case(method: "Request", parameters: parameters, error: "InvalidValue", field: "timeoutUSec")
  }

  static let values: [Case] =
    persons.map { .ask("person", $0) } + apps.map { .ask("app", $0) } + keys.map { .ask("key", $0) }
    + spans.map { .ask("expiresInUSec", $0) } + waits

  @Test(arguments: updates + conversations + resources + values)
  func `an ask that breaks a rule is refused and nothing changes`(example: Case) throws {
    let family = try Family()
    let before = try family.everything()
    let parameters = (["person": .string(Family.person)] as JSONObject).with(example.parameters)
    let refusal = #expect(throws: CallError.self) { try family.app.permission(example.method, parameters) }
    #expect(refusal?.name == "\(Interface.permission).\(example.error)")
    let field = try #require(refusal).parameters.text("field")
    #expect(field == example.field || field.hasPrefix(example.field + "."))
    #expect(try #require(refusal).parameters.text("rule").isEmpty == false)
    #expect(try family.everything() == before)
  }

  @Test func `a wait of an impossible time is refused and the question stays`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let before = try family.everything()
    for time: Int64 in [-1, 3_600_000_001, .max, .min] {
      let refusal = #expect(throws: CallError.self) {
        try family.app.permission("Await", ["question": .string(question), "timeoutUSec": .integer(time)])
      }
      #expect(refusal?.name == "\(Interface.permission).InvalidValue")
      #expect(refusal?.parameters["field"] == "timeoutUSec")
    }
    #expect(try family.everything() == before)
  }

  @Test(arguments: ["Await", "Withdraw", "DescribeQuestion", "Answer"])
  func `an id that is not there is unknown`(method: String) throws {
    let family = try Family()
    try family.ask(.update("2.0"))
    let before = try family.everything()
    let absent: JSONObject = ["question": "00000000000000000000000000000000"]
    let refusal = #expect(throws: CallError.self) {
      switch method {
      case "Answer": try family.desk.guardian(method, absent.with(["choice": "approve"]))
      case "DescribeQuestion": try family.desk.guardian(method, absent)
      default: try family.app.permission(method, absent)
      }
    }
    let interface = ["Await", "Withdraw"].contains(method) ? Interface.permission : Interface.guardian
    #expect(refusal == CallError("\(interface).UnknownQuestion", absent))
    #expect(try family.everything() == before)
  }

  @Test(
    arguments: [
      [], [1], [121], [0], [-5], [.integer(.max)], [.integer(.min)], [16, 13], [13, 13], [13, 14], [10, 12, 14, 16],
      [13, 16, 17],
    ] as [[JSON]])
  func `gates out of order, out of range, too narrow or too many are refused`(gates: [JSON]) throws {
    let family = try Family(born: "2014-03-05")
    let refusal = #expect(throws: CallError.self) {
      try family.app.ageRange("GetAgeRange", ["person": .string(Family.person), "gates": .array(gates)])
    }
    #expect(refusal?.name == "\(Interface.ageRange).InvalidGates")
    #expect(try #require(refusal).parameters.text("rule").isEmpty == false)
  }

  @Test(arguments: [[2], [120], [13, 15, 17], [2, 120]] as [[JSON]])
  func `gates at the limits are accepted`(gates: [JSON]) throws {
    let family = try Family(born: "2014-03-05")
    let reply = try family.app.ageRange("GetAgeRange", ["person": .string(Family.person), "gates": .array(gates)])
    #expect(reply["sharing"] == "shared")
  }

  @Test func `limits of what is allowed are allowed`() throws {
    let family = try Family()
    let longest = JSONObject.update(String(repeating: "x", count: 128), String(repeating: "é", count: 1_000))
    let key = JSON.string(String(repeating: "~", count: 128))
    for time in [Family.hour, 90 * Family.day] {
      #expect(try family.ask(longest, ["expiresInUSec": .integer(time), "key": key])["state"] == "pending")
    }
    let app = JSON.string("org." + String(repeating: "x", count: 251))
    #expect(try family.ask(.update("2.0", "two\nlines\tand a tab"), ["app": app])["state"] == "pending")
    let person = try family.app.permission(
      "GetStatus", ["topic": .object(.update("2.0")), "person": "uid:4294967294"])
    #expect(person["reason"] == "noGuardian")
  }
}

@Suite struct BadDeskInputTests {
  @Test(
    arguments: [
      ["birthDate": "2014-02-29"], ["birthDate": "2014-3-5"], ["birthDate": "1899-12-31"], ["birthDate": "2999-01-01"],
      ["birthDate": "2014-03-05T00:00"], ["birthDate": ""], ["birthDate": "２０１４-03-05"], [:],
      ["birthDate": "2014-03-05", "lowerBound": 3], ["lowerBound": 15, "upperBound": 13], ["lowerBound": -1],
      ["lowerBound": .integer(.max)], ["upperBound": .integer(.min)], ["lowerBound": 13, "asOfDate": "2999-01-01"],
      ["birthDate": "2014-03-05", "assurance": "pinky"], ["asOfDate": "2020-01-01"],
    ] as [JSONObject])
  func `an age that cannot be is refused and nothing changes`(age: JSONObject) throws {
    let family = try Family()
    let before = try family.everything()
    let refusal = #expect(throws: CallError.self) {
      try family.desk.guardian("DeclareAge", age.with(["person": .string(Family.person)]))
    }
    #expect(refusal?.name == "\(Interface.guardian).InvalidValue")
    #expect(try #require(refusal).parameters.text("rule").isEmpty == false)
    #expect(try family.everything() == before)
    #expect(try family.app.ageRange("GetAgeRange", ["person": .string(Family.person)])["sharing"] == "notDetermined")
  }

  @Test(arguments: [0, -1, 1_001, .integer(.max), .integer(.min)] as [JSON])
  func `a limit out of range is refused`(limit: JSON) throws {
    let family = try Family()
    let refusals = [
      #expect(throws: CallError.self) { try family.desk.guardian("ListQuestions", ["limit": limit]) },
      #expect(throws: CallError.self) { try family.desk.guardian("ListPeople", ["limit": limit]) },
      #expect(throws: CallError.self) { try family.desk.administration("ListPeople", ["limit": limit]) },
    ]
    for refusal in refusals {
      #expect(refusal?.name.hasSuffix(".InvalidValue") == true)
      #expect(refusal?.parameters["field"] == "limit")
    }
  }

  @Test(arguments: ["5001", "uid:", "uid:4294967295", "contact:org.example.Chat/1", ""])
  func `a person of the wrong form is not enrolled`(person: String) throws {
    let family = try Family()
    let before = try family.everything()
    let refusal = #expect(throws: CallError.self) {
      try family.desk.administration("AddPerson", ["person": .string(person)])
    }
    #expect(refusal?.name == "\(Interface.administration).InvalidValue")
    #expect(refusal?.parameters["field"] == "person")
    #expect(try family.everything() == before)
  }

  @Test(arguments: [-1, 3_200_000_000_000_000, .integer(.max), .integer(.min)] as [JSON])
  func `a clock is not turned back or beyond a hundred years`(time: JSON) throws {
    let family = try Family()
    let now = try family.advance(0)
    let refusal = #expect(throws: CallError.self) {
      try family.desk.call("\(Interface.sandbox).AdvanceClock", ["byUSec": time])
    }
    #expect(refusal?.name == "\(Interface.sandbox).InvalidValue")
    #expect(refusal?.parameters["field"] == "byUSec")
    #expect(try family.advance(0) - now < Family.hour)
  }
}

extension Family {
  /// Everything an outsider can see of what is stored. A list may be recorded as delivered: the write after it makes
  /// sure that this has happened before the events are read.
  fileprivate func everything() throws -> JSONObject {
    let questions = try desk.guardian("ListQuestions")
    try desk.administration("AddPerson", ["person": .string(Family.person)])
    return [
      "statistics": .object(try statistics().without("connections").without("eventsEncoded")),
      "people": .object(try desk.administration("ListPeople")),
      "questions": .object(questions),
      "events": .array(try responses(["after": 0]).backlog().map { .object($0) }),
    ]
  }
}
