// SPDX-License-Identifier: Apache-2.0
//
// What is written: compact, escaped, in the order asked for, and read back as the same.

import StrictJSON
import Testing

/// The compact text of `object`.
private func text(_ object: JSONObject, order: JSONObject.Order = .written) -> String {
  String(decoding: object.encoded(order: order), as: UTF8.self)
}

@Suite struct JSONWritingTests {
  @Test(
    arguments: [
      ([:], "{}"), (["a": .null], #"{"a":null}"#), (["a": true, "b": false], #"{"a":true,"b":false}"#),
      (["a": 0, "b": -1], #"{"a":0,"b":-1}"#), (["a": .integer(.max)], #"{"a":9223372036854775807}"#),
      (["a": .integer(.min)], #"{"a":-9223372036854775808}"#), (["a": .real(1)], #"{"a":1.0}"#),
      (["a": .real(0.1)], #"{"a":0.1}"#), (["a": ""], #"{"a":""}"#), (["": 1], #"{"":1}"#),
      (["a": []], #"{"a":[]}"#), (["a": [1, "b", [], [:]]], #"{"a":[1,"b",[],{}]}"#),
      (["a": ["b": ["c": 1]]], #"{"a":{"b":{"c":1}}}"#),
    ] as [(JSONObject, String)])
  func `each kind of value is written compactly`(object: JSONObject, expected: String) {
    #expect(text(object) == expected)
  }

  @Test(arguments: [
    ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#), ("\u{8}", #"\u0008"#),
    ("\u{1F}", #"\u001f"#), ("\u{7F}", "\u{7F}"), ("é😀", "é😀"), ("a\"b\\c\nd", #"a\"b\\c\nd"#),
    ("\u{2028}", "\u{2028}"),
  ])
  func `what must be escaped is, and nothing else`(string: String, expected: String) {
    #expect(text(["v": .string(string)]) == #"{"v":"\#(expected)"}"#)
    #expect(text([string: 1]) == #"{"\#(expected)":1}"#)
  }

  @Test func `a NUL is never written`() {
    let bytes = (["a\u{0}b": "\u{0}"] as JSONObject).encoded()
    #expect(!bytes.contains(0))
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"a\u{FFFD}b\":\"\u{FFFD}\"}")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that JSON cannot say becomes null`(number: Double) {
    #expect(text(["a": .real(number), "b": [.real(number), 1]]) == #"{"a":null,"b":[null,1]}"#)
  }

  @Test func `members keep the order they were put in`() {
    var object: JSONObject = ["z": 1, "a": 2]
    object["m"] = 3
    object["z"] = 4
    #expect(text(object) == #"{"z":4,"a":2,"m":3}"#)
  }

  @Test func `the canonical order is by bytes at every level`() {
    let object: JSONObject = [
      "b": ["z": 1, "é": 2, "y": 3], "a": [["d": 1, "c": 2]], "aa": 1, "B": 1, "": 1, "\u{FFFF}": 1, "😀": 1,
      "é": 1, "f": 1, "e\u{301}": 1,
    ]
    #expect(
      text(object, order: .sortedByName)
        == "{\"\":1,\"B\":1,\"a\":[{\"c\":2,\"d\":1}],\"aa\":1,\"b\":{\"y\":3,\"z\":1,\"é\":2},\"e\u{301}\":1,\"f\":1,\"é\":1,\"\u{FFFF}\":1,\"😀\":1}"
    )
  }

  @Test func `the canonical order does not depend on how an object was made`() {
    let one: JSONObject = ["a": 1, "b": ["c": 2, "d": 3]]
    let other: JSONObject = ["b": ["d": 3, "c": 2], "a": 1]
    #expect(one == other)
    #expect(one.encoded(order: .sortedByName) == other.encoded(order: .sortedByName))
    #expect(one.encoded() != other.encoded())
  }

  @Test(
    arguments: [
      ["a": .null, "b": [true, false], "c": ["d": "e"]], ["text": "\"\\/\u{8}\u{C}\n\r\t\u{1F}\u{7F}é😀\u{FFFF}"],
      ["n": [0, -1, .integer(.max), .integer(.min)]], ["r": [.real(0.1), .real(-2.5e-308), .real(1e308), .real(.pi)]],
      ["": ["": ["": ""]]], ["\u{212A}": 1, "K": 2],
    ] as [JSONObject])
  func `what is written is read back as the same`(object: JSONObject) throws {
    #expect(try JSONObject(parsing: object.encoded()) == object)
    #expect(try JSONObject(parsing: object.encoded(order: .sortedByName)) == object)
  }

  @Test func `encoding appends to what is there`() {
    var bytes: [UInt8] = [0x20]
    (["a": 1] as JSONObject).encode(into: &bytes)
    #expect(bytes == Array(#" {"a":1}"#.utf8))
  }
}
