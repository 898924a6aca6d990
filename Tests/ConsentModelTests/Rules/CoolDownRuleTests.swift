// SPDX-License-Identifier: Apache-2.0
//
// How long an asker waits: every ending of a question, every number of denials, both sides of each instant.

import Testing

@testable import ConsentModel

@Suite struct CoolDownRuleTests {
  private static let numbers = CoolDowns.standard
  private static let now = Instant(usec: 100 * Span.day)

  private static func ago(_ span: Int64) -> Instant { Instant(usec: now.usec - span) }

  private func verdict(_ coolDown: CoolDown?, isNews: Bool = false) -> CoolDownVerdict {
    CoolDownRule.verdict(coolDown, isNews: isNews, Self.numbers, now: Self.now)
  }

  @Test func `nothing remembered holds nobody back`() {
    #expect(verdict(nil) == .free)
    #expect(verdict(CoolDown()) == .free)
  }

  @Test(
    arguments: [
      (1, 4 * Span.hour), (2, 24 * Span.hour), (3, 7 * Span.day), (4, 7 * Span.day), (1_000, 7 * Span.day),
    ] as [(Int, Int64)])
  func `each denial makes the wait longer, up to a week`(denials: Int, wait: Int64) {
    for (passed, isOver) in [(0, false), (wait - 1, false), (wait, true), (wait + 1, true)] {
      let coolDown = CoolDown(denials: denials, deniedAt: Self.ago(passed))
      let until = Instant(usec: Self.ago(passed).usec + wait)
      #expect(verdict(coolDown) == (isOver ? .free : .cooling(until: until)))
    }
  }

  @Test(arguments: [(0, false), (Span.hour - 1, false), (Span.hour, true)] as [(Int64, Bool)])
  func `a question that lapsed is followed by an hour`(passed: Int64, isOver: Bool) {
    let coolDown = CoolDown(lapsedAt: Self.ago(passed))
    let cooling = CoolDownVerdict.cooling(until: Instant(usec: Self.ago(passed).usec + Span.hour))
    #expect(verdict(coolDown) == (isOver ? .free : cooling))
    #expect(verdict(coolDown, isNews: true) == (isOver ? .free : cooling), "news are no way around a lapse")
  }

  @Test func `the later of two waits counts`() {
    let denied = CoolDown(denials: 1, deniedAt: Self.ago(Span.hour), lapsedAt: Self.ago(0))
    #expect(verdict(denied) == .cooling(until: Instant(usec: Self.now.usec + 3 * Span.hour)))
    let lapsed = CoolDown(denials: 1, deniedAt: Self.ago(4 * Span.hour - 1), lapsedAt: Self.ago(0))
    #expect(verdict(lapsed) == .cooling(until: Instant(usec: Self.now.usec + Span.hour)))
  }

  @Test func `a new change goes through once for each denial`() {
    var coolDown = CoolDown(denials: 2, deniedAt: Self.ago(Span.hour))
    #expect(verdict(coolDown, isNews: true) == .freeAsNews)
    coolDown.newsAt = Self.ago(Span.second)
    let until = Instant(usec: Self.now.usec + 23 * Span.hour)
    #expect(verdict(coolDown, isNews: true) == .cooling(until: until))
    let again = CoolDownRule.after(.denied, reason: nil, wasDelivered: true, at: Self.now, coolDown)
    #expect(verdict(again, isNews: true) == .freeAsNews)
  }

  @Test func `a new change that would be free anyway is not counted as let through`() {
    #expect(verdict(CoolDown(denials: 1, deniedAt: Self.ago(4 * Span.hour)), isNews: true) == .free)
  }

  @Test func `instants at the ends of time trap nothing`() {
    #expect(
      verdict(CoolDown(denials: 1, deniedAt: Instant(usec: .max))) == .cooling(until: Instant(usec: .max)))
    #expect(verdict(CoolDown(denials: -1, deniedAt: Self.now, lapsedAt: Instant(usec: .min))) == .free)
  }

  @Test func `without waits nobody waits`() {
    let none = CoolDowns(afterDenialUSec: [], afterLapseUSec: 0, newQuestionsPerDay: 1)
    let coolDown = CoolDown(denials: 3, deniedAt: Self.now, lapsedAt: Self.now)
    #expect(CoolDownRule.verdict(coolDown, isNews: false, none, now: Self.now) == .free)
  }

  /// Every state, with and without something remembered, delivered and not, with every reason.
  @Test(arguments: QuestionState.allCases, [true, false])
  func `every ending leaves what it must`(state: QuestionState, wasDelivered: Bool) {
    let before = CoolDown(
      denials: 1, deniedAt: Self.ago(Span.day), lapsedAt: Self.ago(Span.hour), newsAt: Self.ago(Span.second))
    for reason in [nil] + Reason.allCases.map(Optional.some) {
      for known in [nil, before] {
        let after = CoolDownRule.after(state, reason: reason, wasDelivered: wasDelivered, at: Self.now, known)
        let denied = CoolDown(
          denials: (known?.denials ?? 0) + 1, deniedAt: Self.now, lapsedAt: known?.lapsedAt, newsAt: nil)
        var lapsed = known ?? CoolDown()
        lapsed.lapsedAt = Self.now
        let expected: CoolDown? =
          switch state {
          case .denied: denied
          case .approved: reason == .narrowed ? denied : nil
          case .expired: lapsed
          case .withdrawn: wasDelivered ? lapsed : known
          case .pending, .superseded, .moot: known
          }
        #expect(after == expected)
      }
    }
  }

  @Test func `an expiry that is noticed late takes nothing back`() {
    let known = CoolDown(lapsedAt: Self.now)
    #expect(CoolDownRule.after(.expired, reason: nil, wasDelivered: true, at: Self.ago(5), known) == known)
  }

  @Test func `updates of a scope share their waits, other topics have their own`() {
    #expect(CoolDownRule.subject(of: .significantUpdate, topicKey: "significantUpdate/2.0") == "significantUpdate")
    #expect(CoolDownRule.subject(of: .resource, topicKey: "resource/org.a.b") == "resource/org.a.b")
    #expect(CoolDownRule.subject(of: .communication, topicKey: "communication/0f") == "communication/0f")
  }

  @Test func `a label is no new start, an entry is`() throws {
    let chat = try AppID(parsing: "org.example.Chat")
    let game = try AppID(parsing: "org.example.Game")
    let labels = [Asker(uid: 1001, app: chat), Asker(uid: 1001, app: game), Asker(uid: 1001, app: nil)]
    let unregistered: [AskingScope] = labels.flatMap { asker in
      [Provenance.claimed, .unidentified].map { AskingScope(of: asker, provenance: $0) }
    }
    #expect(Set(unregistered.map(\.description)) == ["uid:1001"])
    #expect(AskingScope(of: labels[0], provenance: .registered).description == "app:org.example.Chat")
    #expect(
      AskingScope(of: Asker(uid: 7, app: chat), provenance: .registered)
        == AskingScope(of: labels[0], provenance: .registered))
  }
}
