// SPDX-License-Identifier: Apache-2.0
//
// The apps' calls: what they say is read as it stands, and a bad value is refused with the field it stands in.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing

@Suite struct PermissionCallsTests {
  @Test func `an ask is read whole`() throws {
    let call = try AskCall([
      "topic": .object(Topic.all[0]), "key": "k 1", "expiresInUSec": -5, "appVersion": "1.9 beta",
      "person": "account:org.example.Chat/kim", "app": "org.example.Chat",
    ])
    #expect(call.topic.json == Topic.all[0])
    #expect(call.key?.text == "k 1")
    #expect(call.expiresInUSec == -5)
    #expect(call.appVersion == "1.9 beta")
    #expect(call.speaking.person == .account(app: .chat, opaque: "kim"))
    #expect(call.speaking.app == .chat)
  }

  @Test func `an ask needs no more than its topic`() throws {
    let call = try AskCall(["topic": .object(Topic.all[2])])
    #expect(call.key == nil)
    #expect(call.expiresInUSec == nil)
    #expect(call.appVersion == nil)
    #expect(call.speaking.person == nil)
    #expect(call.speaking.app == nil)
  }

  @Test(
    arguments: BadValue.speaking + [
      BadValue("key", ""), BadValue("key", .string(String(repeating: "k", count: 129))), BadValue("key", "k\u{7}"),
      BadValue("key", "\u{212A}"), BadValue("appVersion", ""), BadValue("appVersion", "1\n2"),
      BadValue("appVersion", .string(String(repeating: "1", count: 257))),
    ])
  func `a bad value in an ask is refused with its field`(bad: BadValue) throws {
    try bad.isRefused(in: ["topic": .object(Topic.all[0])]) { _ = try AskCall($0) }
  }

  @Test(arguments: BadValue.speaking)
  func `a bad person or app is refused with its field, wherever it stands`(bad: BadValue) throws {
    try bad.isRefused(in: ["topic": .object(Topic.all[0])]) { _ = try GetStatusCall($0) }
    try bad.isRefused { _ = try ResponsesCall($0) }
    try bad.isRefused(in: ["sequence": 1]) { _ = try AcknowledgeCall($0) }
    try bad.isRefused { _ = try GetAgeRangeCall($0) }
  }

  @Test(
    arguments: [
      ("kind", ["kind": "ageRange"]), ("kind", [:]), ("resource", ["kind": "resource", "purpose": "p"]),
      ("resource", ["kind": "resource", "resource": "camera", "purpose": "p"]),
      ("purpose", ["kind": "resource", "resource": "a.b"]),
      ("purpose", ["kind": "resource", "resource": "a.b", "purpose": "\u{202E}"]),
      ("change", ["kind": "resource", "resource": "a.b", "purpose": "p", "change": "2.0"]),
      ("people.handle", ["kind": "communication", "people": [["kind": "custom"]], "actions": ["chat"]]),
    ] as [(String, JSONObject)])
  func `a bad topic is refused with its field, below no topic's name`(field: String, topic: JSONObject) {
    expectTopicRefusal(field) { _ = try AskCall(["topic": .object(topic)]) }
  }

  @Test func `a status needs of a topic what makes its key, and judges the rest`() throws {
    let call = try GetStatusCall(["topic": ["kind": "resource", "resource": "a.b"]])
    #expect(call.subject.items == [Item(subject: "a.b", action: "full")])
    expectTopicRefusal("purpose") {
      _ = try GetStatusCall(["topic": ["kind": "resource", "resource": "a.b", "purpose": ""]])
    }
    expectTopicRefusal("change") { _ = try GetStatusCall(["topic": ["kind": "significantUpdate"]]) }
  }

  private func expectTopicRefusal(_ field: String, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("not refused")
    } catch Refusal.invalidTopic(let found, let rule) {
      #expect(found == field)
      #expect(!rule.isEmpty)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    arguments: [
      (nil, 30 * Span.second), (0, 0), (1, 1), (Span.hour, Span.hour),
    ] as [(Int64?, Int64)])
  func `a wait is as long as the caller says, or thirty seconds`(timeout: Int64?, expected: Int64) throws {
    var parameters: JSONObject = ["question": "3f9c"]
    parameters["timeoutUSec"] = timeout.map(JSON.integer)
    let call = try AwaitCall(parameters)
    #expect(call.question == "3f9c")
    #expect(call.timeoutUSec == expected)
    #expect(try AwaitCall.timeout(parameters) == expected)
  }

  @Test(arguments: [-1, Span.hour + 1, .min, .max])
  func `a wait out of range is refused`(timeout: Int64) throws {
    try BadValue("timeoutUSec", .integer(timeout)).isRefused(in: ["question": "3f9c"]) { _ = try AwaitCall($0) }
  }

  @Test func `responses are filtered by kind, and all come where none is named`() throws {
    let all = try ResponsesCall([:])
    #expect(all.after == nil)
    #expect(all.wants(.asked) && all.wants(.grantEnded))
    let some = try ResponsesCall(["after": 7, "kinds": ["decided", "somethingNew"]])
    #expect(some.after == 7)
    #expect(some.wants(.decided) && !some.wants(.asked))
    #expect(try !ResponsesCall(["kinds": []]).wants(.asked))
  }

  @Test func `an acknowledgement names its sequence`() throws {
    #expect(try AcknowledgeCall(["sequence": -3]).sequence == -3)
  }

  @Test(
    arguments: [
      ([], 0), ([13, 14], 14), ([1], 1), ([121], 121), ([16, 13], 13), ([13, 13], 13), ([4, 8, 12, 16], 16),
      ([.min], .min), ([.max - 1, .max], .max - 1),
    ] as [([Int64], Int64)])
  func `gates are refused with the first that is wrong`(gates: [Int64], wrong: Int64) {
    do {
      _ = try GetAgeRangeCall(["gates": .array(gates.map(JSON.integer))])
      Issue.record("not refused")
    } catch Refusal.invalidGates(let gate, let rule) {
      #expect(gate == wrong)
      #expect(!rule.isEmpty)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `gates are read as they stand, and are the policy's where none is named`() throws {
    #expect(try GetAgeRangeCall(["gates": [13, 16, 18]]).gates == .baseline)
    #expect(try GetAgeRangeCall([:]).gates == nil)
  }
}

/// A value of the right type that its field does not take.
struct BadValue: Sendable, CustomTestStringConvertible {
  let field: String
  let value: JSON

  init(_ field: String, _ value: JSON) {
    self.field = field
    self.value = value
  }

  var testDescription: String { "\(field): \(value)" }

  /// What is wrong for whom and for which app a call speaks.
  static let speaking = people + apps
  static let people = [
    "", "1001", "uid:", "uid:-1", "uid:01", "uid:4294967295", "uid:1001 ", "UID:1001", "account:org.example.Chat",
    "account:Chat/kim", "account:org.example.Chat/", "contact:org.example.Chat/nan", "uid:\u{661}",
  ].map { BadValue("person", .string($0)) }
  static let apps = ["", "Chat", "org.", ".org", "org..Chat", "org.example/Chat", "org.\u{212A}"]
    .map { BadValue("app", .string($0)) }
  static let guardians = ["", "1000", "account:org.example.Chat/kim", "contact:Chat/nan", "uid:4294967295"]
    .map { BadValue("guardian", .string($0)) }

  /// Puts the value into `parameters` and expects that they are refused for it.
  func isRefused(in parameters: JSONObject = [:], _ body: (JSONObject) throws -> Void) throws {
    var parameters = parameters
    parameters[field] = value
    do {
      try body(parameters)
      Issue.record("\(testDescription) is not refused")
    } catch Refusal.invalidValue(let found, let rule) {
      #expect(found == field)
      #expect(!rule.isEmpty)
    }
  }
}
