// SPDX-License-Identifier: Apache-2.0
//
// Ten questions in any 24 hours: what is spent, and until when.

import Testing

@testable import ConsentModel

@Suite struct BudgetRuleTests {
  private static let now = Instant(usec: 10 * Span.day)

  /// Questions put so many minutes ago.
  private func spent(_ minutes: [Int64], perDay: Int = 10) -> Instant? {
    var numbers = CoolDowns.standard
    numbers.newQuestionsPerDay = perDay
    let recent = minutes.map { Instant(usec: Self.now.usec - $0 * 60 * Span.second) }
    return BudgetRule.spentUntil(recent, numbers, now: Self.now)
  }

  private func minutes(_ count: Int64) -> Instant { Instant(usec: Self.now.usec + count * 60 * Span.second) }

  @Test(arguments: [0, 1, 9])
  func `nine are within the budget`(count: Int64) {
    #expect(spent((0..<count).map { 100 - $0 }) == nil)
  }

  @Test func `the tenth spends it until the oldest of the ten is a day old`() {
    #expect(spent((0..<10).map { 100 - $0 }) == minutes(24 * 60 - 100))
  }

  @Test func `of more than ten the last ten count`() {
    #expect(spent((0..<12).map { 100 - $0 }) == minutes(24 * 60 - 98))
  }

  @Test(arguments: [(24 * 60 - 1, 1), (24 * 60, nil), (24 * 60 + 1, nil)] as [(Int64, Int64?)])
  func `a question counts for a day and not at its end`(age: Int64, left: Int64?) {
    #expect(spent([age] + (0..<9).map { 100 - $0 }) == left.map(minutes))
  }

  @Test func `a budget of one is spent by one`() {
    #expect(spent([], perDay: 1) == nil)
    #expect(spent([5], perDay: 1) == minutes(24 * 60 - 5))
  }

  @Test func `instants at the end of time trap nothing`() {
    let numbers = CoolDowns(afterDenialUSec: [], afterLapseUSec: 0, newQuestionsPerDay: 1)
    #expect(BudgetRule.spentUntil([Instant(usec: .max)], numbers, now: Self.now) == Instant(usec: .max))
  }
}
