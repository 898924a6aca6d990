// SPDX-License-Identifier: Apache-2.0
//
// The order inside an ask: each line of the tables differs from its neighbour in one fact.

import Testing

@testable import ConsentModel

@Suite struct AskRuleTests {
  private static let keyed = QuestionID.random()
  private static let open = QuestionID.random()
  private static let grant = GrantID.random()
  private static let now = Instant(usec: 10 * Span.day)

  /// The facts of an ask that meets nothing, to be changed one by one.
  private struct Facts {
    var keyedHash: String?
    var keyedAt = AskRuleTests.now
    var standing = Standing.guarded
    var grant: GrantID?
    var openHash: String?
    var openUntil = Instant(usec: 30 * Span.day)
    var expiresAt = Instant(usec: 20 * Span.day)

    var verdict: AskVerdict {
      let keyed = keyedHash.map {
        AskFacts.Keyed(question: AskRuleTests.keyed, topicHash: $0, askedAt: keyedAt)
      }
      let open = openHash.map {
        AskFacts.Open(question: AskRuleTests.open, contentHash: $0, expiresAt: openUntil)
      }
      let facts = AskFacts(
        topicHash: "topic", contentHash: "content", expiresAt: expiresAt, keyed: keyed, standing: standing,
        grant: grant, open: open)
      return AskRule.verdict(facts, now: AskRuleTests.now)
    }
  }

  @Test func `an ask that meets nothing makes a question`() {
    #expect(Facts().verdict == .create(superseding: nil))
  }

  @Test(arguments: Standing.allCases, [nil, "content", "other"])
  func `a key goes before everything else`(standing: Standing, openHash: String?) {
    for grant in [nil, AskRuleTests.grant] {
      let same = Facts(keyedHash: "topic", standing: standing, grant: grant, openHash: openHash)
      #expect(same.verdict == .same(AskRuleTests.keyed))
      let other = Facts(keyedHash: "another topic", standing: standing, grant: grant, openHash: openHash)
      #expect(other.verdict == .keyConflict)
    }
  }

  @Test(arguments: [(0, true), (Span.hour, true), (48 * Span.hour - 1, true), (48 * Span.hour, false)])
  func `a key stands for its question for 48 hours`(age: Int64, isAlive: Bool) {
    var facts = Facts(keyedHash: "topic")
    facts.keyedAt = Instant(usec: AskRuleTests.now.usec - age)
    #expect(facts.verdict == (isAlive ? .same(AskRuleTests.keyed) : .create(superseding: nil)))
    facts.keyedHash = "another topic"
    #expect(facts.verdict == (isAlive ? .keyConflict : .create(superseding: nil)))
  }

  @Test func `a key given at the end of time traps nothing`() {
    var facts = Facts(keyedHash: "topic")
    facts.keyedAt = Instant(usec: .max)
    #expect(facts.verdict == .same(AskRuleTests.keyed))
  }

  @Test(arguments: [nil, grant], [nil, "content", "other"])
  func `an adult is asked nothing`(grant: GrantID?, openHash: String?) {
    #expect(Facts(standing: .adult, grant: grant, openHash: openHash).verdict == .notRequired(.adult))
  }

  @Test(arguments: [Standing.guarded, .unguarded], [nil, "content", "other"])
  func `a grant of every item goes before any question`(standing: Standing, openHash: String?) {
    #expect(
      Facts(standing: standing, grant: AskRuleTests.grant, openHash: openHash).verdict == .covered(AskRuleTests.grant))
  }

  @Test(arguments: [nil, "content", "other"])
  func `without anybody to ask nothing is joined, made or superseded`(openHash: String?) {
    #expect(Facts(standing: .unguarded, openHash: openHash).verdict == .noGuardian)
  }

  @Test(arguments: [(19, nil), (20, nil), (21, 21)] as [(Int64, Int64?)])
  func `the same content joins, and the later deadline counts`(days: Int64, extended: Int64?) {
    var facts = Facts(openHash: "content", openUntil: Instant(usec: 20 * Span.day))
    facts.expiresAt = Instant(usec: days * Span.day)
    let extending = extended.map { Instant(usec: $0 * Span.day) }
    #expect(facts.verdict == .join(AskRuleTests.open, extending: extending))
  }

  @Test func `other content takes the open question's place`() {
    #expect(Facts(openHash: "other").verdict == .create(superseding: AskRuleTests.open))
  }

  @Test(arguments: ["content", "other"], [(1, true), (0, false), (-1, false)] as [(Int64, Bool)])
  func `a question at its deadline is not open`(openHash: String, left: (usec: Int64, isOpen: Bool)) {
    var facts = Facts(openHash: openHash)
    facts.openUntil = Instant(usec: AskRuleTests.now.usec + left.usec)
    #expect((facts.verdict == .create(superseding: nil)) == !left.isOpen)
  }
}
