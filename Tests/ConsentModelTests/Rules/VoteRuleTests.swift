// SPDX-License-Identifier: Apache-2.0
//
// When votes are enough and what they come to: every pair of choices of two guardians under both rules.

import Testing

@testable import ConsentModel

@Suite struct VoteRuleTests {
  private static let asked = ["message", "audioCall", "videoCall"].map { Item(subject: "ana", action: $0) }
  private let now = Instant(usec: 1_000)

  /// An approval as a row of the tables below: its choice, its end, and which items.
  struct Given: Sendable {
    let choice: OfferedChoice
    var until: Int64?
    var items: [Int]?

    var chosen: Chosen {
      Chosen(
        choice: choice, until: until.map { Instant(usec: $0) }, items: items?.map { VoteRuleTests.asked[$0] })
    }
  }

  private func outcome(_ given: [Given], needsAll: Bool, deciders: [Guardian] = [.user(1), .user(2)]) -> VoteOutcome {
    let votes = given.enumerated().map { Vote(guardian: .user(UserID($0.offset + 1)), chosen: $0.element.chosen) }
    return VoteRule(needsAll: needsAll, deciders: deciders).outcome(of: votes, asked: VoteRuleTests.asked, now: now)
  }

  private func text(_ outcome: VoteOutcome) -> String {
    switch outcome {
    case .open: "open"
    case .disagreed: "disagreed"
    case .approved(let chosen):
      [
        chosen.choice.choice, chosen.until.map { "until \($0.usec)" },
        chosen.items.map { $0.map(\.action).joined(separator: "+") },
      ].compactMap(\.self).joined(separator: " ")
    }
  }

  @Test(
    arguments: [
      (Given(choice: .approve), Given(choice: .approve), "approve"),
      (Given(choice: .approve), Given(choice: .approveUntil, until: 2_000), "approveUntil until 2000"),
      (
        Given(choice: .approveUntil, until: 3_000), Given(choice: .approveUntil, until: 2_000),
        "approveUntil until 2000"
      ),
      (Given(choice: .approveOnce), Given(choice: .approve), "approveOnce"),
      (Given(choice: .approveUntil, until: 2_000), Given(choice: .approveOnce), "approveOnce"),
      (Given(choice: .approve, items: [0, 1]), Given(choice: .approve), "approve message+audioCall"),
      (Given(choice: .approve, items: [2, 1]), Given(choice: .approve, items: [0, 1]), "approve audioCall"),
      (
        Given(choice: .approveUntil, until: 2_000, items: [0]), Given(choice: .approve, items: [0, 2]),
        "approveUntil until 2000 message"
      ),
      (Given(choice: .approve, items: [0]), Given(choice: .approve, items: [1, 2]), "disagreed"),
      (Given(choice: .approveUntil, until: 1_000), Given(choice: .approve), "open"),
    ] as [(Given, Given, String)])
  func `two who must agree give what both give, whoever comes first`(one: Given, other: Given, result: String) {
    #expect(text(outcome([one, other], needsAll: true)) == result)
    #expect(text(outcome([other, one], needsAll: true)) == result)
  }

  @Test func `one approval is enough under any and a vote under all`() {
    let given = Given(choice: .approve, items: [1])
    #expect(text(outcome([given], needsAll: false)) == "approve audioCall")
    #expect(text(outcome([given], needsAll: true)) == "open")
    #expect(text(outcome([given], needsAll: true, deciders: [.user(1)])) == "approve audioCall")
  }

  @Test func `who may not decide has no vote, and nobody decides nothing`() {
    let given = Given(choice: .approve)
    for needsAll in [true, false] {
      #expect(text(outcome([given], needsAll: needsAll, deciders: [.user(2)])) == "open")
      #expect(text(outcome([given], needsAll: needsAll, deciders: [])) == "open")
      #expect(text(outcome([], needsAll: needsAll)) == "open")
    }
  }

  @Test func `a denial is never counted as an approval`() {
    let rule = VoteRule(needsAll: true, deciders: [.user(1), .user(2)])
    let votes = [
      Vote(guardian: .user(1), chosen: Chosen(choice: .deny)),
      Vote(guardian: .user(2), chosen: Chosen(choice: .approve)),
    ]
    #expect(rule.votes(votes, now: now) == Votes(have: 1, need: 2))
    #expect(text(rule.outcome(of: votes, asked: VoteRuleTests.asked, now: now)) == "open")
  }
}
