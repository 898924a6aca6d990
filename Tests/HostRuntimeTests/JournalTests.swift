// SPDX-License-Identifier: Apache-2.0
//
// Log lines in a file and on standard error. What goes to a real journal is tested where there is one.

import Foundation
import TestSupport
import Testing

@testable import HostRuntime

struct JournalTests {
  @Test func `a line in a file has a time, a level, its text and its fields`() throws {
    let directory = try TemporaryDirectory()
    let journal = try Journal(file: directory.file("log"))
    let fields = [("PEER_UID", "1001"), ("REASON", "no room")]
    journal.log(.warning, "A peer was refused.", id: "0123456789abcdef0123456789abcdef", fields: fields)
    let line = try String(contentsOfFile: directory.file("log"), encoding: .utf8)
    let expected = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ warning: A peer was refused\. PEER_UID=1001 REASON=no room\n/
    #expect(line.wholeMatch(of: expected) != nil)
  }

  @Test func `a file is added to, and only its owner reads it`() throws {
    let directory = try TemporaryDirectory()
    try Journal(file: directory.file("log")).log(.info, "first")
    try Journal(file: directory.file("log")).log(.error, "second")
    let text = try String(contentsOfFile: directory.file("log"), encoding: .utf8)
    #expect(text.split(separator: "\n").map { $0.suffix(13) } == ["Z info: first", "error: second"])
    let mode = try FileManager.default.attributesOfItem(atPath: directory.file("log"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a file that cannot be opened is an error`() {
    #expect(throws: SystemError(call: "open /nonexistent/log", errno: ENOENT)) {
      try Journal(file: "/nonexistent/log")
    }
  }

  @Test(arguments: Journal.Level.allCases)
  func `a level is written as its name`(_ level: Journal.Level) throws {
    let directory = try TemporaryDirectory()
    try Journal(file: directory.file("log")).log(level, "text")
    #expect(try String(contentsOfFile: directory.file("log"), encoding: .utf8).hasSuffix("Z \(level): text\n"))
  }

  @Test func `without a journal a line goes to standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      unsetenv("JOURNAL_STREAM")
      Journal().log(.notice, "one\ntwo", fields: [("NAME", "a\u{1b}[31mb")])
      exit(EXIT_SUCCESS)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text == "notice: one\\u{a}two NAME=a\\u{1b}[31mb\n")
  }

  @Test func `a journal that standard error is not connected to is left alone`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("JOURNAL_STREAM", "1:2", 1)
      Journal().log(.notice, "text")
      exit(EXIT_SUCCESS)
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "notice: text\n")
  }
}

struct PrintableTextTests {
  @Test(arguments: [
    ("plain text, ÄÖ 漢字", "plain text, ÄÖ 漢字"), ("", ""), ("a\nb\tc\r", "a\\u{a}b\\u{9}c\\u{d}"),
    ("\u{7f}\u{9b}", "\\u{7f}\\u{9b}"), ("\u{202e}abc", "\\u{202e}abc"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
    ("\\u{a}", "\\\\u{a}"), ("\0", "\\u{0}"),
  ])
  func `what could disturb a line is shown as an escape`(_ text: String, _ shown: String) {
    #expect(PrintableText.escaping(text) == shown)
  }
}
