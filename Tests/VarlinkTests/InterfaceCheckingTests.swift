// SPDX-License-Identifier: Apache-2.0
//
// Values against an interface: what passes, and which name the first offender is given.

import StrictJSON
import Testing
import Varlink

@Suite struct InterfaceCheckingTests {
  private let description: InterfaceDescription

  init() throws {
    description = try InterfaceDescription(
      parsing: """
        interface a.b
        type Topic (kind: string, people: ?[]Person, extra: ?Topic)
        type Person (handle: string, name: ?string)
        type Colour (red, green)
        method Ask(topic: Topic, key: ?string, seconds: ?int) -> (state: string, items: []string, topic: ?Topic)
        method All(
          b: ?bool, i: ?int, f: ?float, s: ?string, o: ?object, any: ?any, e: ?Colour, arr: ?[]int, map: ?[string]int,
          set: ?[string](), st: ?(x: int), deep: ?[]?[string]Person
        ) -> ()
        method None() -> ()
        error Wrong (field: string)
        """)
  }

  private func check(_ parameters: JSONObject, _ method: String) -> String? {
    description.firstInvalidParameter(of: parameters, method: method)
  }

  @Test(
    arguments: [
      ([:], nil), (["b": true], nil), (["b": .null], nil), (["i": 1, "f": .real(1), "s": "", "o": [:]], nil),
      (["f": 1], nil), (["any": false], nil), (["any": [.null]], nil), (["e": "green"], nil), (["arr": []], nil),
      (["arr": [1, 2]], nil), (["map": ["": 1, "x": 2]], nil), (["set": ["one": [:]]], nil), (["st": ["x": 1]], nil),
      (["o": ["anything": [["goes": .null]]]], nil), (["deep": [.null, ["a": ["handle": "h"]]]], nil),
      (["b": 1], "b"), (["b": "true"], "b"), (["i": true], "i"), (["i": .real(1)], "i"), (["i": "1"], "i"),
      (["f": "1"], "f"), (["f": true], "f"), (["s": 1], "s"), (["s": ["a"]], "s"), (["o": []], "o"), (["o": "{}"], "o"),
      (["e": "blue"], "e"), (["e": 0], "e"), (["e": "Green"], "e"), (["arr": [1, "2"]], "arr"),
      (["arr": [1, .null]], "arr"),
      (["arr": ["x": 1]], "arr"), (["map": ["x": "1"]], "map"), (["map": ["x": .null]], "map"), (["map": [1]], "map"),
      (["set": ["one": ["x": 1]]], "set.x"), (["set": ["one": true]], "set"), (["set": ["one"]], "set"),
      (["st": [:]], "st.x"), (["st": ["x": .null]], "st.x"), (["st": ["x": 1, "y": 2]], "st.y"), (["st": 1], "st"),
      (["deep": [["a": ["handle": 1]]]], "deep.handle"), (["deep": [["a": .null]]], "deep"), (["deep": [1]], "deep"),
      (["unknown": 1], "unknown"), (["b": true, "unknown": .null], "unknown"), (["B": true], "B"),
    ] as [(JSONObject, String?)])
  func `a value of the wrong type is named`(parameters: JSONObject, offender: String?) {
    #expect(check(parameters, "All") == offender)
  }

  @Test(
    arguments: [
      ([:], "topic"), (["topic": .null], "topic"), (["topic": [:]], "topic.kind"),
      (["topic": ["kind": .null]], "topic.kind"),
      (["topic": ["kind": "x"]], nil),
      (["topic": ["kind": "x", "people": [["handle": "a"], [:]]]], "topic.people.handle"),
      (["topic": ["kind": "x", "people": [["handle": "a"], 1]]], "topic.people"),
      (["topic": ["kind": "x", "people": ["handle": "a"]]], "topic.people"),
      (["topic": ["kind": "x", "people": [["handle": "a", "age": 7]]]], "topic.people.age"),
      (["topic": ["kind": "x", "extra": ["kind": "y", "extra": ["kind": 1]]]], "topic.extra.extra.kind"),
      (["topic": ["kind": "x", "colour": 1]], "topic.colour"), (["topic": "x"], "topic"),
    ] as [(JSONObject, String?)])
  func `a field within a field is named with a dot, elements under their array's name`(
    parameters: JSONObject, offender: String?
  ) {
    #expect(check(parameters, "Ask") == offender)
  }

  @Test func `the first offender counts: declared fields in their order, then what is not declared`() {
    #expect(check(["bogus": 1, "seconds": "x", "key": 1], "Ask") == "topic")
    #expect(check(["bogus": 1, "seconds": "x", "key": 1, "topic": ["kind": "x"]], "Ask") == "key")
    #expect(check(["bogus": 1, "seconds": "x", "topic": ["kind": "x"]], "Ask") == "seconds")
    #expect(check(["bogus": 1, "also": 1, "topic": ["kind": "x"]], "Ask") == "bogus")
  }

  @Test func `a method without parameters takes none`() {
    #expect(check([:], "None") == nil)
    #expect(check(["": .null], "None") == "")
    #expect(check(["x": 1], "None") == "x")
    #expect(check(["x": 1], "Missing") == "x")
  }

  @Test func `a name that only looks the same is unknown`() throws {
    let kelvin = try InterfaceDescription(parsing: "interface a.b\nmethod M(K: ?int, e: ?(K, L)) -> ()")
    #expect(kelvin.firstInvalidParameter(of: ["K": 1, "e": "K"], method: "M") == nil)
    #expect(kelvin.firstInvalidParameter(of: ["\u{212A}": 1], method: "M") == "\u{212A}")
    #expect(kelvin.firstInvalidParameter(of: ["e": "\u{212A}"], method: "M") == "e")
    #expect(kelvin.method("\u{4D}") != nil)
  }

  @Test func `replies and errors are checked the same way`() {
    #expect(description.firstInvalidField(ofReply: ["state": "x", "items": []], method: "Ask") == nil)
    #expect(description.firstInvalidField(ofReply: ["state": "x", "items": .null], method: "Ask") == "items")
    #expect(description.firstInvalidField(ofReply: ["state": "x", "items": [], "y": 1], method: "Ask") == "y")
    #expect(description.firstInvalidField(ofError: ["field": "x"], error: "Wrong") == nil)
    #expect(description.firstInvalidField(ofError: [:], error: "Wrong") == "field")
    #expect(description.firstInvalidField(ofError: ["field": "x"], error: "Missing") == "field")
  }

  @Test func `a type that contains itself ends with the value`() throws {
    let endless = try InterfaceDescription(parsing: "interface a.b\ntype T (t: T)\nmethod M(t: T) -> ()")
    #expect(endless.firstInvalidParameter(of: [:], method: "M") == "t")
    #expect(endless.firstInvalidParameter(of: ["t": ["t": [:]]], method: "M") == "t.t.t")
  }
}
