// SPDX-License-Identifier: Apache-2.0
//
// How many new questions a scope may put about one person in a day (design, rules 4 and 5). Joining a question costs
// nothing; putting one in the place of another does, or new words would be a way around.

/// The daily budget.
package enum BudgetRule {
  /// For how long a question counts, microseconds.
  package static let windowUSec = 24 * Span.hour

  /// Until when the budget is spent; `nil`: there is some left. `recent` is when the scope's questions about the person
  /// were put, the oldest first.
  package static func spentUntil(_ recent: [Instant], _ numbers: CoolDowns, now: Instant) -> Instant? {
    let counting = recent.filter { end(of: $0) > now }.suffix(max(numbers.newQuestionsPerDay, 1))
    guard counting.count >= numbers.newQuestionsPerDay else { return nil }
    return counting.first.map(end)
  }

  private static func end(of start: Instant) -> Instant { start.adding(usec: windowUSec) ?? Instant(usec: .max) }
}
