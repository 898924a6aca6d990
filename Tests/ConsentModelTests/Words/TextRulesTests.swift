// SPDX-License-Identifier: Apache-2.0
//
// What texts may hold, scalar by scalar.

import Testing

@testable import ConsentModel

@Suite struct TextRulesTests {
  @Test(arguments: [
    "Voice rooms.", "Zeile\nund\tSpalte", "שלום \u{200F}עולם", "👨‍👩‍👧", "क्‍ष", "e\u{301}", "-", "\u{200B}x",
  ])
  func `what people write is allowed`(text: String) throws { try TextRules.text(text, field: "purpose") }

  static let refused: [UInt32] =
    Array(0x00...0x08) + Array(0x0B...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029] + Array(0x202A...0x202E)
    + Array(0x2066...0x2069)

  @Test(arguments: refused)
  func `controls and characters that reorder others are refused`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let error = #expect(throws: ValueError.self) { try TextRules.text("a\(scalar)b", field: "purpose") }
    #expect(error?.field == "purpose")
    #expect(error?.rule.contains("newline and tab aside") == true)
  }

  @Test(arguments: ["\n", "\t", "a\nb", "a\tb", "a\r\nb", "\u{85}"])
  func `a line has neither newline nor tab`(text: String) {
    let error = #expect(throws: ValueError.self) { try TextRules.line(text, field: "displayName") }
    #expect(error?.field == "displayName")
  }

  @Test(arguments: ["", " ", "\n\t \n", "\u{A0}", "\u{200B}", "\u{3164}", "\u{FEFF}\u{200D}"])
  func `what shows nothing is empty`(text: String) {
    #expect(throws: ValueError(field: "description", rule: "not empty: something to read")) {
      try TextRules.text(text, field: "description")
    }
  }

  @Test(arguments: ["a", "é", "語", "🙂"])
  func `a thousand scalars are allowed and one more is not`(character: String) throws {
    try TextRules.text(String(repeating: character, count: 1000), field: "purpose")
    #expect(throws: ValueError(field: "purpose", rule: "at most 1000 characters")) {
      try TextRules.text(String(repeating: character, count: 1001), field: "purpose")
    }
  }

  @Test func `combining marks count each`() {
    let text = "e" + String(repeating: "\u{301}", count: 1000)
    #expect(text.count == 1)
    #expect(throws: ValueError.self) { try TextRules.text(text, field: "purpose") }
  }
}
