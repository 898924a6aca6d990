// SPDX-License-Identifier: Apache-2.0

import ConsentModel
import Testing

@Suite struct LoginRuleTests {
  private static let changed = Refusal.notAvailable(reason: .personChanged, retryable: false)

  @Test(
    arguments: [
      (.name("mia"), nil), (.name("bob"), changed), (.name("Mia"), changed), (.name("mia "), changed),
      (.name(""), changed), (.none, nil), (.unknown, .notAvailable(reason: .accounts, retryable: true)),
    ] as [(PresentLogin, Refusal?)])
  func `only the stored name, byte by byte, or no account at all is no objection`(
    present: PresentLogin, objection: Refusal?
  ) {
    #expect(LoginRule.objection(enrolledAs: "mia", present: present) == objection)
  }

  @Test func `names that only look alike are two`() {
    #expect(LoginRule.objection(enrolledAs: "K", present: .name("\u{212A}")) == Self.changed)
  }
}

@Suite struct MoveRuleTests {
  private static func person(_ text: String) throws -> Person { try Person(parsing: text) }

  @Test(arguments: [
    ("uid:1001", "uid:2001"), ("uid:1001", "uid:1001"),
    ("account:org.example.Chat/a", "account:org.example.Chat/b"),
  ])
  func `a person moves within the form of the name`(from: String, to: String) throws {
    try MoveRule.check(Self.person(from), to: Self.person(to))
  }

  @Test(arguments: [
    ("uid:1001", "account:org.example.Chat/a"), ("account:org.example.Chat/a", "uid:1001"),
    ("account:org.example.Chat/a", "account:org.example.Game/a"),
    ("account:org.example.Chat/a", "account:org.example.Game/b"),
    ("account:org.example.Chat/a", "account:org.example.Chat/a"),
  ])
  func `nobody moves to another form, another service, or as an account to themself`(from: String, to: String) throws {
    let error = #expect(throws: ValueError.self) { try MoveRule.check(Self.person(from), to: Self.person(to)) }
    #expect(error?.field == "to")
  }
}
