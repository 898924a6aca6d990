// SPDX-License-Identifier: Apache-2.0
//
// The order inside an ask: every combination of what it can meet, judged by the first rule that speaks; and each rule's
// own instants.

import Testing

@testable import ConsentModel

@Suite struct AskRuleTests {
  private static let keyed = QuestionID.random()
  private static let open = QuestionID.random()
  private static let older = QuestionID.random()
  private static let grant = GrantID.random()
  private static let now = Instant(usec: 100 * Span.day)

  private static func days(_ days: Int64) -> Instant { Instant(usec: now.usec + days * Span.day) }

  /// The facts of an ask that meets nothing, to be changed one by one.
  private static var nothing: AskFacts {
    AskFacts(topicHash: "topic", contentHash: "content", expiresAt: days(10), standing: .guarded)
  }

  private static func key(_ hash: String, at instant: Instant = now) -> AskFacts.Keyed {
    AskFacts.Keyed(question: keyed, topicHash: hash, askedAt: instant)
  }

  private static func question(
    _ hashes: [String], until: Instant = days(20), _ id: QuestionID = open
  ) -> AskFacts.Open {
    AskFacts.Open(question: id, contentHashes: hashes, expiresAt: until)
  }

  private static func manners(
    _ coolDown: CoolDown? = nil, isNews: Bool = false, asked: Int = 0
  ) -> AskFacts.Manners {
    AskFacts.Manners(
      numbers: .standard, coolDown: coolDown, isNews: isNews, recent: Array(repeating: now, count: asked))
  }

  private static let denied = CoolDown(denials: 1, deniedAt: now)

  private func verdict(_ facts: AskFacts) -> AskVerdict { AskRule.verdict(facts, now: Self.now) }

  @Test func `an ask that meets nothing makes a question`() {
    #expect(verdict(Self.nothing) == .create(superseding: [], asNews: false))
  }

  private static let keys: [AskFacts.Keyed?] = [nil, key("topic"), key("another topic")]
  private static let opens: [[AskFacts.Open]] = [
    [], [question(["content"])], [question(["x", "content", "y"])], [question(["other"])],
    [question(["other"], older), question(["another"])], [question(["other"], older), question(["content"])],
  ]
  private static let mannerses: [AskFacts.Manners?] = [
    nil, manners(), manners(denied), manners(denied, isNews: true), manners(asked: 10),
    manners(denied, isNews: true, asked: 10),
  ]

  private static func question(_ hashes: [String], _ id: QuestionID) -> AskFacts.Open {
    question(hashes, until: days(20), id)
  }

  @Test(arguments: Standing.allCases, [nil, grant])
  func `every combination is judged by the first rule that speaks`(standing: Standing, grant: GrantID?) {
    for keyed in Self.keys {
      for isInstalledAfter in [true, false] {
        for open in Self.opens {
          for settled in [nil] + SettledTopic.allCases.map(Optional.some) {
            for manners in Self.mannerses {
              var facts = Self.nothing
              (facts.keyed, facts.standing, facts.isInstalledAfter) = (keyed, standing, isInstalledAfter)
              (facts.grant, facts.open, facts.settled, facts.manners) = (grant, open, settled, manners)
              let (told, expected) = (verdict(facts), expected(facts))
              if told != expected { Issue.record("\(facts): \(told), not \(expected)") }
            }
          }
        }
      }
    }
  }

  /// The rules again, each as one line.
  private func expected(_ facts: AskFacts) -> AskVerdict {
    let isCooling = facts.manners?.coolDown != nil && facts.manners?.isNews == false
    if facts.keyed?.topicHash == "topic" { return .same(Self.keyed) }
    if facts.keyed != nil { return .keyConflict }
    if facts.standing == .adult { return .notRequired(.adult) }
    if facts.isInstalledAfter { return .notRequired(.installedAfter) }
    if facts.grant != nil { return .covered(Self.grant) }
    if facts.standing == .unguarded { return .noGuardian }
    if facts.open.contains(where: { $0.contentHashes.contains("content") }) { return .join(Self.open, extending: nil) }
    if let settled = facts.settled { return .settled(settled) }
    if isCooling { return .coolingDown(until: Instant(usec: Self.now.usec + 4 * Span.hour)) }
    if facts.manners?.recent.isEmpty == false { return .coolingDown(until: Self.days(1)) }
    return .create(superseding: facts.open.map(\.question), asNews: facts.manners?.coolDown != nil)
  }

  @Test(arguments: [(0, true), (Span.hour, true), (48 * Span.hour - 1, true), (48 * Span.hour, false)])
  func `a key stands for its question for 48 hours`(age: Int64, isAlive: Bool) {
    var facts = Self.nothing
    let askedAt = Instant(usec: Self.now.usec - age)
    facts.keyed = Self.key("topic", at: askedAt)
    #expect(verdict(facts) == (isAlive ? .same(Self.keyed) : .create(superseding: [], asNews: false)))
    facts.keyed = Self.key("another topic", at: askedAt)
    #expect(verdict(facts) == (isAlive ? .keyConflict : .create(superseding: [], asNews: false)))
  }

  @Test func `a key given at the end of time traps nothing`() {
    var facts = Self.nothing
    facts.keyed = Self.key("topic", at: Instant(usec: .max))
    #expect(verdict(facts) == .same(Self.keyed))
  }

  @Test(arguments: [(9, nil), (10, nil), (11, 11)] as [(Int64, Int64?)])
  func `the same content joins, and the later deadline counts`(days: Int64, extended: Int64?) {
    var facts = AskFacts(
      topicHash: "topic", contentHash: "content", expiresAt: Self.days(days), standing: .guarded)
    facts.open = [Self.question(["content"], until: Self.days(10))]
    #expect(verdict(facts) == .join(Self.open, extending: extended.map(Self.days)))
  }

  @Test(arguments: ["content", "other"], [(1, true), (0, false), (-1, false)] as [(Int64, Bool)])
  func `a question at its deadline is not open`(hash: String, left: (usec: Int64, isOpen: Bool)) {
    var facts = Self.nothing
    facts.open = [Self.question([hash], until: Instant(usec: Self.now.usec + left.usec))]
    #expect((verdict(facts) == .create(superseding: [], asNews: false)) == !left.isOpen)
  }
}
