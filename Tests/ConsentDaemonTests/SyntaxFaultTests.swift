// SPDX-License-Identifier: Apache-2.0
//
// Where a text stops being JSON5: line, column and what is wrong there.

import FoundationEssentials
import Testing

@testable import ConsentDaemon

@Suite struct SyntaxFaultTests {
  @Test(arguments: [
    ("", "line 1, column 1", "the file is empty"), ("\n // nothing\n", "line 3, column 1", "the file is empty"),
    ("{", "line 1, column 2", "the file ends before its last }"),
    ("{a: [1,", "line 1, column 8", "the file ends before its last ]"),
    ("{\n  a: 1\n  b: 2\n}", "line 3, column 3", "a , or } is missing before this"),
    ("[1 2]", "line 1, column 4", "a , or ] is missing before this"),
    ("{a 1}", "line 1, column 4", "a : is missing before this"),
    ("{a: }", "line 1, column 5", "a value is missing before this"),
    ("{a: tru}", "line 1, column 5", "this is no value"),
    ("{,}", "line 1, column 2", "a key or } is missing before this"),
    ("{a: 1,, b: 2}", "line 1, column 7", "a key or } is missing before this"),
    ("{7: 1}", "line 1, column 2", "a key or } is missing before this"),
    ("{} x", "line 1, column 4", "nothing may follow here"),
    ("{a: 'x}\n", "line 1, column 5", "the text that begins here has no end"),
    ("{a: \"x\nb: 1}", "line 1, column 5", "the text that begins here has no end"),
    ("{a:\u{a0}1}", "line 1, column 4", "this is no value"),
    ("{ /* a", "line 1, column 3", "the comment that begins here has no end"),
    ("{äöü: 'ÄÖ' b}", "line 1, column 12", "a , or } is missing before this"),
    ("[1}", "line 1, column 3", "a , or ] is missing before this"),
    ("]", "line 1, column 1", "a value is missing before this"),
  ])
  func `the first place that breaks the grammar is found`(text: String, place: String, reason: String) {
    let fault = SyntaxFault(in: Array(text.utf8))
    #expect(fault?.place == place)
    #expect(fault?.reason == reason)
    #expect(!decodes(text))
  }

  @Test(arguments: [
    "{}", "[]", "{a: 1, 'b': \"x\", \"c\": [true, false, null,],}",
    "// one\n/* two */ {a: /* three */ 'it\\'s'} // four",
    "{a: +1, b: -2.5e3, c: .5, d: 5., e: 0xFF, f: Infinity, g: -Infinity, h: NaN}", "{$a: 1, _b: 2, ä: 3}",
    "\u{feff}{a: 1}", "{a: 'one \\\n two'}", "'text'", "7",
  ])
  func `a good text has none`(text: String) {
    #expect(SyntaxFault(in: Array(text.utf8)) == nil)
    #expect(decodes(text))
  }

  @Test func `bytes that are no text have no place`() {
    #expect(SyntaxFault(in: [0xff, 0xfe, 0x7b]) == nil)
  }

  /// Whether Foundation takes the text: this looks only where it does not.
  private func decodes(_ text: String) -> Bool {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return (try? decoder.decode(Anything.self, from: Data(text.utf8))) != nil
  }
}

/// Whatever reads.
private struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
