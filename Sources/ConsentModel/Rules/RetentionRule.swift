// SPDX-License-Identifier: Apache-2.0
//
// How long what is over is kept. Each class has its days; what ended before they began goes. Nothing that is open, and
// no grant that lives, belongs to any class.

/// For how many days what is over is kept, class by class.
package struct RetentionRule: Sendable, Equatable {
  /// The days a class may have: a day to a hundred years.
  package static let range = 1...36_500

  /// Events in askers' logs, from when they happened, acknowledged or not.
  package var eventsDays = 400
  /// What questions asked and how they were answered, from their end.
  package var questionsDays = 400
  /// Grants, from their end.
  package var grantsDays = 400
  /// What audit entries say. That they were there is kept for good.
  package var auditDays = 1_100

  package init() {}

  /// The instants before which what is over goes at `now`.
  package func limits(at now: Instant) -> Limits {
    Limits(
      events: Self.limit(eventsDays, now), questions: Self.limit(questionsDays, now),
      grants: Self.limit(grantsDays, now), audit: Self.limit(auditDays, now))
  }

  /// The instants before which the members of each class go.
  package struct Limits: Sendable, Equatable {
    package let events: Instant
    package let questions: Instant
    package let grants: Instant
    package let audit: Instant
  }

  /// Days are of 24 hours, whatever the calendar does.
  private static func limit(_ days: Int, _ now: Instant) -> Instant {
    now.adding(usec: -Int64(days) * Span.day) ?? Instant(usec: .min)
  }
}
