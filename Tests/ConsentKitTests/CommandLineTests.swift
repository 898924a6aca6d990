// SPDX-License-Identifier: Apache-2.0
//
// From words to a command: options, spans, topics, names, and the table of commands itself.

import ConsentKit
import StrictJSON
import Testing

@testable import consentctl

@Suite struct ArgumentsTests {
  private let options = [
    Option("--switch", "s"), Option("--value", .required("V"), "v"),
    Option("--many", .required("M"), repeats: true, "m"),
    Option("--style", .optional("S"), "s"),
  ]

  @Test func `options and operands are sorted`() throws {
    let arguments = try Arguments(
      ["a", "--switch", "--value=x=y", "--many", "1", "b", "--many", "-2", "-", "--", "--value"], options: options)
    #expect(arguments.operands == ["a", "b", "-", "--value"])
    #expect(arguments.has("--switch"))
    #expect(arguments.value("--value") == "x=y")
    #expect(arguments.values("--many") == ["1", "-2"])
    #expect(!arguments.has("--style"))
  }

  @Test func `an optional value stands behind an equals sign only`() throws {
    let arguments = try Arguments(["--style", "x"], options: options)
    #expect(arguments.has("--style"))
    #expect(arguments.value("--style") == nil)
    #expect(arguments.operands == ["x"])
    #expect(try Arguments(["--style=pretty"], options: options).value("--style") == "pretty")
  }

  @Test(arguments: [
    ["--unknown"], ["--switch=yes"], ["--value"], ["--value", "a", "--value", "b"], ["-x"], ["--swit"],
    ["--switch", "--switch"], ["--\u{1B}[31m"],
  ])
  func `what the table does not have is refused in one harmless line`(words: [String]) {
    do {
      _ = try Arguments(words, options: options)
      Issue.record("accepted")
    } catch {
      #expect(error.exit == .usage)
      #expect(error.message?.unicodeScalars.allSatisfy(TerminalText.shows) == true)
    }
  }
}

@Suite struct TimeSpanTests {
  @Test(arguments: [
    ("0", 0), ("0s", 0), ("30s", 30_000_000), ("15m", 900_000_000), ("2h", 7_200_000_000), ("7d", 604_800_000_000),
    ("007s", 7_000_000),
  ])
  func `a number and a unit make a span`(text: String, usec: Int64) {
    #expect(TimeSpan(typed: text)?.usec == usec)
  }

  @Test(arguments: [
    "", "s", "30", "-1s", "+1s", "1.5h", "1h30m", "1w", "1 s", "s1", "９s", "106751992d", "99999999999999999999s", "1S",
  ])
  func `anything else is none`(text: String) {
    #expect(TimeSpan(typed: text) == nil)
  }
}

@Suite struct TopicArgumentTests {
  @Test(
    arguments: [
      (["significantUpdate/2.0", "--text", "t"], ["kind": "significantUpdate", "change": "2.0", "description": "t"]),
      (["significantUpdate", "--text", "t"], ["kind": "significantUpdate", "description": "t"]),
      (["significantUpdate/a/b"], ["kind": "significantUpdate", "change": "a/b"]),
      (
        [
          "significantUpdate/1", "--reason", "ageRating", "--reason", "monetization", "--person-text", "p", "--since",
          "1",
          "--url", "u", "--language", "de", "--if-denied", "featureOff",
        ],
        [
          "kind": "significantUpdate", "change": "1", "reasons": ["ageRating", "monetization"],
          "personDescription": "p",
          "sinceVersion": "1", "disclosureURL": "u", "language": "de", "ifDenied": "featureOff",
        ]
      ),
      (
        ["resource/org.example.time", "--purpose", "p", "--level", "full"],
        ["kind": "resource", "resource": "org.example.time", "level": "full", "purpose": "p"]
      ),
      (
        ["communication", "--with", "custom:a:b=c=d", "--with", "phoneNumber:+49", "--action", "message"],
        [
          "kind": "communication",
          "people": [
            ["handle": "a:b", "kind": "custom", "name": "c=d"], ["handle": "+49", "kind": "phoneNumber"],
          ], "actions": ["message"],
        ]
      ),
    ] as [([String], JSONObject)])
  func `a topic is typed as its key`(words: [String], json: JSONObject) throws {
    #expect(try topic(words).json == json)
  }

  @Test(arguments: [
    [""], ["telepathy/x"], ["SignificantUpdate/1"], ["resource"], ["communication/abc"], ["communication"],
    ["communication", "--action", "message"], ["communication", "--with", "custom:a"],
    ["communication", "--with", "nobody", "--action", "message"],
    ["communication", "--with", ":x", "--action", "message"], ["resource/a.b", "--text", "t"],
    ["significantUpdate/1", "--purpose", "p"], ["communication", "--with", "custom:a", "--action", "m", "--text", "t"],
  ])
  func `a topic that is none, or mixes kinds, is a usage failure`(words: [String]) {
    do {
      _ = try topic(words)
      Issue.record("accepted")
    } catch {
      #expect(error.exit == .usage)
    }
  }

  private func topic(_ words: [String]) throws(CommandFailure) -> Topic {
    let options = TopicArgument.subjectOptions + TopicArgument.textOptions
    return try TopicArgument.topic(words[0], try Arguments(Array(words.dropFirst()), options: options))
  }
}

@Suite struct CommandTableTests {
  @Test func `every command has a name, an option and a help of its own`() throws {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    for command in Command.all {
      let options = (command.options + Command.commonOptions).map(\.name)
      #expect(Set(options).count == options.count, "\(command.name) has an option twice")
      #expect(try Command.find(in: command.name.split(separator: " ").map(String.init) + ["x"]).1 == ["x"])
      #expect(Help.page(for: command).first?.hasPrefix("consentctl \(command.name)") == true)
      #expect(Help.overview().contains { $0.hasPrefix("  \(command.name)") && $0.hasSuffix(command.summary) })
      #expect(Help.page(for: command).allSatisfy { $0.count <= 120 })
    }
  }

  @Test(arguments: ["nobody-has-this-login-name", "", "1001"])
  func `a login name nobody has is a usage failure`(name: String) {
    #expect(throws: CommandFailure.self) { try Names.wire(name) }
  }

  @Test func `login names stand for uids, and what has a colon is left alone`() throws {
    #expect(try Names.wire("root") == "uid:0")
    #expect(Names.shown("uid:0") == "root")
    for name in ["uid:5001", "account:org.example.Chat/a", "contact:x", "uid:banana", "uid:4294967295"] {
      #expect(try Names.wire(name) == name)
      #expect(Names.shown(name) == name)
    }
  }
}
