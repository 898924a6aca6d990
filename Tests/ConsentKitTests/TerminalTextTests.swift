// SPDX-License-Identifier: Apache-2.0
//
// The rule for what is printed.

import StrictJSON
import Testing

@testable import consentctl

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain text, 100 %", "plain text, 100 %"), ("Zoë über 日本 🙂", "Zoë über 日本 🙂"),
    ("e\u{301}", "e\u{301}"), ("👩\u{200D}👧", "👩\u{200D}👧"), ("❤\u{FE0F}", "❤\u{FE0F}"),
    ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\nb\tc", #"a\nb\tc"#), ("a\rb", #"a\u{D}b"#),
    ("a\r\nb", #"a\u{D}\nb"#), ("\u{9B}31m", #"\u{9B}31m"#), ("\u{7F}", #"\u{7F}"#), ("\0", #"\u{0}"#),
    ("\u{202E}abc\u{2066}", #"\u{202E}abc\u{2066}"#), ("\u{61C}\u{200E}\u{200F}", #"\u{61C}\u{200E}\u{200F}"#),
    ("\u{200B}\u{FEFF}\u{AD}", #"\u{200B}\u{FEFF}\u{AD}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("\u{E0041}", #"\u{E0041}"#), ("\u{3164}", #"\u{3164}"#), ("\u{E000}", #"\u{E000}"#),
    ("\u{10FFFF}", #"\u{10FFFF}"#),
  ])
  func `what does not show is escaped, and nothing else`(text: String, printed: String) {
    #expect(TerminalText.line(text).unicodeScalars.elementsEqual(printed.unicodeScalars))
  }

  @Test(arguments: [0x0...0x3000, 0xD700...0xFFFF, 0x1F000...0x1FFFF, 0xDFF00...0xE1000, 0x10FF00...0x10FFFF])
  func `every scalar is harmless once it is printed`(values: ClosedRange<UInt32>) {
    for value in values {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for printed in TerminalText.line(String(scalar)).unicodeScalars where printed != scalar {
        #expect((0x20...0x7E).contains(printed.value))
      }
    }
  }

  @Test(arguments: [
    "", "one", "Yes?\nstate: approved\n\nfor: you", "\u{1B}[2J\r\nstate: approved", "a\u{2028}state: approved",
    String(repeating: " ", count: 500) + "state: approved", String(repeating: "x", count: 500),
    String(repeating: "state: approved ", count: 40), String(repeating: "日本", count: 100),
    String(repeating: "\u{1B}", count: 100),
  ])
  func `every line of a block stands behind the bar and fits`(text: String) {
    let lines = TerminalText.block(text, columns: 40)
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.hasPrefix("│"))
      #expect(TerminalText.columns(line) <= 42)
    }
  }

  @Test func `wrapping loses no word`() {
    let words = (0..<100).map { "word\($0)" }.joined(separator: " ")
    let lines = TerminalText.block(words, columns: 30).map { $0.dropFirst(2) }
    #expect(lines.joined(separator: " ") == words)
  }

  @Test(arguments: ["", "a", #"a"b\c"#, "\\", "\\\"", "{[,:]}", "\u{1B}\n\t", "\u{202E}\u{E0041}🙂", "\u{2028}é"])
  func `JSON means the same after it is made harmless and pretty`(text: String) throws {
    let object: JSONObject = [
      "text": .string(text), text.isEmpty ? "x" : text: 1, "empty": [], "none": [:],
      "list": [.string(text), [:], [[]], 1, true, .null], "object": ["a": ["b": .string(text)]],
    ]
    for printed in [String(decoding: object.encoded(), as: UTF8.self), PrettyJSON.text(object)] {
      let harmless = TerminalText.json(printed)
      #expect(harmless.unicodeScalars.allSatisfy { $0 == "\n" || TerminalText.shows($0) })
      #expect(try JSONObject(parsing: Array(harmless.utf8)) == object)
    }
  }

  @Test func `pretty JSON has one member a line`() {
    let object: JSONObject = ["a": "\\", "b": [], "c": ["x\"", ["d": [:]]]]
    #expect(
      PrettyJSON.text(object) == #"""
        {
          "a": "\\",
          "b": [],
          "c": [
            "x\"",
            {
              "d": {}
            }
          ]
        }
        """#)
  }
}
