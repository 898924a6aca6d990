// SPDX-License-Identifier: Apache-2.0
//
// What the parser accepts and refuses. Every refused text here is accepted by some other parser that a peer may use;
// that is why it stands here by name.

import StrictJSON
import Testing

/// The object that `text` is, or the error it throws.
private func parse(_ text: String) throws(JSONError) -> JSONObject {
  try JSONObject(parsing: Array(text.utf8))
}

/// The value of `text`, put into an object as the member `v`.
private func value(_ text: String) throws(JSONError) -> JSON? {
  try parse(#"{"v":\#(text)}"#)["v"]
}

@Suite struct JSONParsingTests {
  @Test(
    arguments: [
      ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("42", 42), ("-17", -17),
      (#""text""#, "text"), (#""""#, ""), ("[]", []), ("{}", [:]), (#"[1,"a",null]"#, [1, "a", .null]),
      (#"{"a":{"b":[true]}}"#, ["a": ["b": [true]]]),
    ] as [(String, JSON)])
  func `each kind of value is read as what it is`(text: String, expected: JSON) throws {
    #expect(try value(text) == expected)
  }

  @Test(arguments: ["1.0", "1e2", "1E2", "0.5", "-2.5e-3"])
  func `a number with a fraction or an exponent is a real`(text: String) throws {
    let parsed = try value(text)
    #expect(parsed == .real(try #require(Double(text))))
    #expect(parsed?.integer == nil)
  }

  @Test func `true is no number and one is no truth value`() throws {
    #expect(try value("true")?.integer == nil)
    #expect(try value("1")?.bool == nil)
  }

  @Test func `integers reach both ends of 64 bits`() throws {
    #expect(try value("9223372036854775807") == .integer(.max))
    #expect(try value("-9223372036854775808") == .integer(.min))
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "18446744073709551615", "1" + String(repeating: "0", count: 99),
  ])
  func `an integer beyond 64 bits is refused`(text: String) {
    #expect(throws: JSONError.self) { try value(text) }
  }

  @Test(arguments: [
    "1e400", "-1e400", "NaN", "Infinity", "-Infinity", "01", "-01", "+1", ".5", "1.", "0x10", "1_000", "--1",
  ])
  func `a number that JSON cannot say is refused`(text: String) {
    #expect(throws: JSONError.self) { try value(text) }
  }

  @Test func `white space around and inside is accepted`() throws {
    #expect(try parse(" \t\r\n{ \"a\" :\r\n\t1 , \"b\" : [ ] } \n") == ["a": 1, "b": []])
  }

  @Test(arguments: [
    ("", "nothing"), (" ", "white space only"), ("foo", "a bare word"), ("[]", "an array"), ("[{}]", "an array around"),
    ("1", "a number"), (#""a""#, "a string"), ("null", "null"), ("{}{}", "two objects"), ("{} x", "a word after"),
    ("{}\u{0}", "a NUL after"), ("{", "an object without end"), (#"{"a"}"#, "a name without value"),
    (#"{"a":}"#, "a colon without value"), (#"{"a":1,}"#, "a trailing comma"), (#"{,"a":1}"#, "a leading comma"),
    ("{a:1}", "a name without quotes"), ("{'a':1}", "single quotes"), (#"{1:1}"#, "a number as a name"),
    (#"{"a":1 "b":2}"#, "a missing comma"), (#"{"a":[1,]}"#, "a trailing comma in an array"),
    (#"{"a":True}"#, "a capital"), ("{\"a\":1}// c", "a line comment"), ("{/* c */}", "a comment inside"),
    ("# c\n{}", "a shell comment"), ("\u{FEFF}{}", "a byte order mark"), ("\u{A0}{}", "a non-breaking space"),
  ])
  func `what is not one object is refused`(text: String, what: String) {
    #expect(throws: JSONError.self, "\(what)") { try parse(text) }
  }

  @Test(arguments: [
    (#"{"a":1,"a":1}"#, "the same twice"), (#"{"a":1,"b":2,"a":3}"#, "with another between"),
    (#"{"a":1,"\u0061":2}"#, "once escaped"), (#"{"x":{"a":1,"a":2}}"#, "in a nested object"),
    (#"{"":1,"":2}"#, "the empty name"), (#"{"x":[{"a":1,"a":2}]}"#, "inside an array"),
  ])
  func `a name that stands twice is refused`(text: String, what: String) {
    #expect(throws: JSONError.self, "\(what)") { try parse(text) }
  }
}

@Suite struct JSONStringTests {
  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9""#, "é"), (#""\uD83D\uDE00""#, "😀"), (#""😀""#, "😀"),
    (#""\u007f""#, "\u{7F}"), (#""\uFFFF""#, "\u{FFFF}"), (#""\uFEFF""#, "\u{FEFF}"),
  ])
  func `escapes and raw characters mean the same`(text: String, expected: String) throws {
    let parsed = try #require(try value(text)?.string)
    #expect(Array(parsed.utf8) == Array(expected.utf8))
  }

  @Test(arguments: [
    (#""\u0000""#, "an escaped NUL"), ("\"\u{0}\"", "a raw NUL"), ("\"\u{1}\"", "a raw control character"),
    ("\"\n\"", "a raw line break"), ("\"\t\"", "a raw tab"), (#""\uD83D""#, "a high surrogate alone"),
    (#""\uDE00""#, "a low surrogate alone"), (#""\uDE00\uD83D""#, "surrogates in the wrong order"),
    (#""\uD83Dx""#, "a high surrogate before a letter"), (#""\x41""#, "an unknown escape"),
    (#""\u12G4""#, "a bad digit"),
    (#""\u12""#, "too few digits"), (#""abc"#, "no end"), (#""abc\""#, "an escaped end"),
  ])
  func `a string that JSON cannot say is refused`(text: String, what: String) {
    #expect(throws: JSONError.self, "\(what)") { try value(text) }
  }

  @Test func `a NUL in a name is refused`() {
    #expect(throws: JSONError.self) { try parse(#"{"a\u0000":1}"#) }
  }

  @Test(
    arguments: [
      ([0xFF], "a byte that UTF-8 never has"), ([0x80], "a lone continuation"), ([0xC3], "a cut sequence"),
      ([0xC0, 0xAF], "an overlong slash"), ([0xE0, 0x80, 0xAF], "an overlong slash in three bytes"),
      ([0xED, 0xA0, 0x80], "an encoded surrogate"), ([0xF4, 0x90, 0x80, 0x80], "beyond the last character"),
      ([0xF8, 0x88, 0x80, 0x80, 0x80], "five bytes"),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8], what: String) {
    let text = Array(#"{"v":""#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(throws: JSONError.self, "\(what)") { try JSONObject(parsing: text) }
    let name = Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8)
    #expect(throws: JSONError.self, "\(what) in a name") { try JSONObject(parsing: name) }
  }

  @Test func `names are compared by their bytes`() throws {
    let kelvin = try parse("{\"K\":1,\"\u{212A}\":2}")
    #expect(kelvin.members.count == 2)
    #expect(kelvin["K"] == 1)
    #expect(kelvin["\u{212A}"] == 2)
    let accents = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(accents.members.count == 2)
    #expect(accents["\u{E9}"] == 1)
    #expect(accents["e\u{301}"] == 2)
    #expect(try parse("{\"\u{212A}\":1}")["K"] == nil)
  }
}

@Suite struct JSONNestingTests {
  private func arrays(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  private func objects(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
  }

  @Test func `sixty-four levels are accepted, the outermost object counted`() throws {
    #expect(try value(arrays(63)) != nil)
    #expect(try parse(objects(64))["a"] != nil)
  }

  @Test func `a sixty-fifth level is refused`() {
    #expect(throws: JSONError.self) { try value(arrays(64)) }
    #expect(throws: JSONError.self) { try parse(objects(65)) }
  }

  @Test(arguments: [2_000, 3_000, 500_000])
  func `a deeply nested message is refused without exhausting the stack`(depth: Int) {
    #expect(throws: JSONError.self) { try value(arrays(depth)) }
    #expect(throws: JSONError.self) { try parse(objects(depth)) }
    #expect(throws: JSONError.self) { try value(String(repeating: "[", count: depth)) }
    #expect(throws: JSONError.self) { try parse(String(repeating: #"{"a":"#, count: depth)) }
  }

  @Test func `many members side by side are no nesting`() throws {
    let members = (0..<10_000).map { #""m\#($0)":{}"# }.joined(separator: ",")
    #expect(try parse("{\(members)}").members.count == 10_000)
  }
}

@Suite struct JSONErrorTests {
  @Test func `an error says why and where`() {
    let error = #expect(throws: JSONError.self) { try parse(#"{"b":1, "b":2}"#) }
    #expect(error?.reason == "duplicate object key near '\"b\"'")
    #expect(error?.position == 11)
  }

  @Test func `a top level that is no object says so`() {
    let error = #expect(throws: JSONError.self) { try parse("[1]") }
    #expect(error?.reason == "the top level is not an object")
  }

  @Test func `nesting that is too deep says so`() {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    let error = #expect(throws: JSONError.self) { try value(deep) }
    #expect(error?.reason == "nested deeper than 64")
  }
}
