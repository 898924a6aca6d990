// SPDX-License-Identifier: Apache-2.0
//
// Objects as values: setting, removing, comparing.

import StrictJSON
import Testing

@Suite struct JSONObjectTests {
  @Test func `an absent member and a null one are different`() {
    let object: JSONObject = ["a": .null]
    #expect(object["a"] == .null)
    #expect(object["b"] == nil)
    #expect(object != [:])
  }

  @Test func `setting nil removes a member`() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = nil
    object["c"] = nil
    #expect(object == ["b": 2])
  }

  @Test func `a name that stands twice in a literal keeps its last value`() {
    #expect((["a": 1, "a": 2] as JSONObject).members.count == 1)
    #expect((["a": 1, "a": 2] as JSONObject)["a"] == 2)
  }

  @Test func `objects are equal in any order, and only with the same members`() {
    #expect((["a": 1, "b": 2] as JSONObject) == ["b": 2, "a": 1])
    #expect((["a": 1] as JSONObject) != ["a": 1, "b": 2])
    #expect((["a": 1, "b": 2] as JSONObject) != ["a": 1, "c": 2])
    #expect((["a": 1] as JSONObject) != ["a": .real(1)])
  }

  @Test func `names are bytes, not characters`() {
    var object: JSONObject = ["K": 1]
    object["\u{212A}"] = 2
    #expect(object.members.count == 2)
    #expect("a\u{323}\u{307}" == "a\u{307}\u{323}")
    #expect(!"a\u{323}\u{307}".hasSameBytes(as: "a\u{307}\u{323}"))
    #expect("".hasSameBytes(as: ""))
    #expect("a longer text than fits in place".hasSameBytes(as: "a longer text than " + "fits in place"))
  }

  @Test func `a value is only what it is`() {
    let values: [JSON] = [.null, true, 1, .real(1), "1", [1], ["a": 1]]
    #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false, false])
    #expect(values.map { $0.integer != nil } == [false, false, true, false, false, false, false])
    #expect(values.map { $0.string != nil } == [false, false, false, false, true, false, false])
    #expect(values.map { $0.array != nil } == [false, false, false, false, false, true, false])
    #expect(values.map { $0.object != nil } == [false, false, false, false, false, false, true])
  }
}
