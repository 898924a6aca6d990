// SPDX-License-Identifier: Apache-2.0
//
// Ids, keys, instants, exact texts and the hashes below them.

import Testing

@testable import ConsentModel

@Suite struct IdentifierTests {
  @Test func `a new id is 32 lower-case hex digits and another one each time`() {
    let ids = (0..<100).map { _ in QuestionID.random() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { QuestionID($0.text) == $0 })
  }

  @Test(arguments: [
    "", "3f9c", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
    "0123456789ABCDEF0123456789abcdef",
    "0123456789abcdef0123456789abcdeg", "0123456789abcdef 123456789abcdef",
  ])
  func `anything else is no id`(text: String) { #expect(QuestionID(text) == nil) }

  @Test(arguments: [
    ("3f9", false), ("3f9c", true), ("3F9C", false), ("3f9%", false), ("3f9_", false), ("", false),
    ("\u{212A}f9c", false),
    ("0123456789abcdef0123456789abcdef", true), ("0123456789abcdef0123456789abcdef0", false),
  ])
  func `four digits and more may stand for an id`(text: String, isPrefix: Bool) {
    #expect(QuestionID.isPrefix(text) == isPrefix)
  }
}

@Suite struct AskKeyTests {
  @Test(arguments: ["a", " ", "~", "retry 7 of 2026-10-01", String(repeating: "k", count: 128)])
  func `printable ASCII is a key`(text: String) throws { #expect(try AskKey(parsing: text).text == text) }

  @Test(arguments: ["", "\t", "a\n", "\u{7F}", "é", "\u{212A}", String(repeating: "k", count: 129)])
  func `anything else is refused`(text: String) {
    #expect(throws: ValueError(field: "key", rule: "1 to 128 printable ASCII characters")) {
      try AskKey(parsing: text)
    }
  }
}

@Suite struct InstantTests {
  @Test(arguments: [
    (Int64.max, Int64(0), Int64.max as Int64?), (.max, 1, nil), (.max - 1, 1, .max), (.min, -1, nil), (5, -7, -2),
  ])
  func `a sum that 64 bits do not hold is no instant`(start: Int64, span: Int64, end: Int64?) {
    #expect(Instant(usec: start).adding(usec: span) == end.map(Instant.init(usec:)))
  }
}

@Suite struct ExactTextTests {
  @Test func `canonically equivalent texts are different`() {
    #expect("K" == "\u{212A}", "what Swift says of them")
    #expect(!"K".isExactly("\u{212A}"))
    #expect(!"\u{E9}".isExactly("e\u{301}"))
    #expect("e\u{301}".isExactly("e\u{301}"))
    #expect(!["\u{E9}", "e\u{301}"].hasDuplicateBytes)
    #expect(["b", "a", "b"].hasDuplicateBytes)
  }

  @Test func `texts are ordered by their bytes`() {
    #expect(
      ["\u{E9}", "z", "Z", "e\u{301}", ""].sortedByBytes().map { Array($0.utf8) }
        == ["", "Z", "e\u{301}", "z", "\u{E9}"].map { Array($0.utf8) })
  }

  @Test func `a word of an enumeration is matched by its bytes`() {
    #expect(Provenance(exactly: "claimed") == .claimed)
    #expect(Provenance(exactly: "Claimed") == nil)
    #expect(Decider(exactly: "self") == .selfDecided)
  }
}

@Suite struct SodiumTests {
  @Test func `the library is ready`() { #expect(Sodium.isReady) }

  @Test func `SHA-256 gives the value of its standard`() {
    let digest = Sodium.sha256("abc".utf8).hexDigits
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `the keyed hash is BLAKE2b of 16 bytes under the salt`() throws {
    let salt = try #require(KeySalt(Array(0..<32)))
    #expect(Sodium.keyedHash(Array("abc".utf8), salt: salt).hexDigits == "1a64be47e4729d951c302ee543f97cf3")
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func `a salt of another length is none`(count: Int) { #expect(KeySalt([UInt8](repeating: 1, count: count)) == nil) }

  @Test func `two new salts differ`() { #expect(KeySalt.random().bytes != KeySalt.random().bytes) }
}
