// SPDX-License-Identifier: Apache-2.0
//
// When a question reminds, as a table in hours after the ask.

import Testing

@testable import ConsentModel

@Suite struct ReminderRuleTests {
  private static let asked = Instant(usec: 1_777_723_200_000_000)

  /// Hours of life, and the hours after the ask at which the question reminds.
  @Test(
    arguments: [
      (1, [0.5]), (2, [1]), (24, [12]), (47, [23.5]),
      (48, [24]), (49, [24, 25]), (60, [24, 36]), (72, [24, 48]), (73, [24, 49, 72]), (95, [24, 71, 72]),
      (96, [24, 72]), (97, [24, 72, 73]), (720, [24, 72, 696]), (2_160, [24, 72, 2_136]),
    ] as [(Int64, [Double])])
  func `a question reminds a day and three days after the ask and a day before the deadline`(
    life: Int64, expected: [Double]
  ) {
    #expect(hours(ReminderRule.instants(askedAt: Self.asked, expiresAt: after(life))) == expected)
  }

  @Test func `no reminder is given at the deadline or behind it`() {
    for life in Int64(1)...200 {
      let deadline = after(life)
      let found = ReminderRule.instants(askedAt: Self.asked, expiresAt: deadline)
      #expect(!found.isEmpty)
      #expect(found.allSatisfy { Self.asked < $0 && $0 < deadline })
      #expect(found == Set(found).sorted())
    }
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a question without a life reminds of nothing`(life: Int64) {
    #expect(ReminderRule.instants(askedAt: Self.asked, expiresAt: after(life)).isEmpty)
  }

  @Test func `the ends of time are no fault`() {
    let (first, last) = (Instant(usec: .min), Instant(usec: .max))
    #expect(ReminderRule.instants(askedAt: first, expiresAt: last).count == 3)
    #expect(ReminderRule.instants(askedAt: Instant(usec: .max - 1), expiresAt: last).isEmpty == false)
    #expect(ReminderRule.instants(askedAt: last, expiresAt: first).isEmpty)
  }

  /// Of a question of 30 days: now, and the next reminder, in hours after the ask.
  @Test(
    arguments: [
      (0, 24), (23, 24), (24, 72), (71, 72), (72, 696), (300, 696), (695, 696), (696, nil), (720, nil), (900, nil),
    ] as [(Int64, Double?)])
  func `the next reminder lies behind now, however many were missed`(now: Int64, expected: Double?) {
    let next = ReminderRule.next(askedAt: Self.asked, expiresAt: after(720), after: after(now))
    #expect(next.map { hours([$0])[0] } == expected)
  }

  /// A deadline of 24 hours moves to one of `life` at `now`; `due` is the reminder that stood.
  @Test(
    arguments: [
      (720, 1, 12, 24), (720, 13, nil, 24), (720, 25, nil, 72), (30, 13, nil, 15), (30, 16, nil, nil),
      (720, 12, 12, 12), (720, 13, 12, 12), (60, 37, nil, nil),
    ] as [(Int64, Int64, Int64?, Double?)])
  func `a later deadline is reminded of anew, and what is due stays due`(
    life: Int64, now: Int64, due: Int64?, expected: Double?
  ) {
    let next = ReminderRule.moved(
      askedAt: Self.asked, expiresAt: after(life), due: due.map(after), now: after(now))
    #expect(next.map { hours([$0])[0] } == expected)
  }

  private func after(_ hours: Int64) -> Instant { Instant(usec: Self.asked.usec + hours * Span.hour) }

  private func hours(_ instants: [Instant]) -> [Double] {
    instants.map { Double($0.usec - Self.asked.usec) / Double(Span.hour) }
  }
}
