// SPDX-License-Identifier: Apache-2.0
//
// When guardians are reminded of a question (design, rule 1). A reminder says that something is still open, so it is
// never given at the deadline or behind it, and never twice for what was missed: a daemon that was down, or a companion
// that slept, owes one reminder and no backlog.

/// The instants at which a question reminds.
package enum ReminderRule {
  /// A question that lives shorter than this reminds once, at half its life.
  package static let shortLifeUSec = 48 * Span.hour
  private static let afterAskUSec = [24 * Span.hour, 72 * Span.hour]
  private static let beforeDeadlineUSec = 24 * Span.hour

  /// All reminders of a question, in order.
  package static func instants(askedAt: Instant, expiresAt: Instant) -> [Instant] {
    guard askedAt < expiresAt else { return [] }
    let (life, overflow) = expiresAt.usec.subtractingReportingOverflow(askedAt.usec)
    if !overflow, life < shortLifeUSec { return [askedAt.adding(usec: life / 2)].compactMap(\.self) }
    let found = afterAskUSec.map(askedAt.adding(usec:)) + [expiresAt.adding(usec: -beforeDeadlineUSec)]
    return Set(found.compactMap(\.self)).filter { askedAt < $0 && $0 < expiresAt }.sorted()
  }

  /// The first reminder after `now`; `nil`: there is none left.
  package static func next(askedAt: Instant, expiresAt: Instant, after now: Instant) -> Instant? {
    instants(askedAt: askedAt, expiresAt: expiresAt).first { now < $0 }
  }

  /// The next reminder of a question whose deadline moved to `expiresAt`. One that is due and was not given yet stays.
  package static func moved(
    askedAt: Instant, expiresAt: Instant, due: Instant?, now: Instant
  ) -> Instant? {
    if let due, due <= now { return due }
    return next(askedAt: askedAt, expiresAt: expiresAt, after: now)
  }
}
