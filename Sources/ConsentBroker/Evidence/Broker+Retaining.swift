// SPDX-License-Identifier: Apache-2.0
//
// Once a day, and at the start, what is older than its class is kept goes. It goes in batches, so that others' commits
// come between, and each batch says in the audit what it took: nothing goes without a trace that it was there.

package import ConsentModel
import ConsentStore
import StrictJSON

extension Broker {
  /// Rows of each class that one transaction takes at the most.
  private static let batch = 256

  /// Takes what is too old, where a day has passed since that was last done.
  package func retainDue() async throws(Refusal) {
    let due = nextRetention
    guard due <= clock.now else { return }
    nextRetention = clock.now.adding(usec: Span.day) ?? clock.now
    do {
      while try await removeBatch() {}
    } catch {
      nextRetention = due
      throw error
    }
  }

  /// Takes one batch of each class; `true` where there may be more.
  private func removeBatch() async throws(Refusal) -> Bool {
    let rule = rules.retention
    return try await commit { transaction in
      let removed = try transaction.remove(before: rule.limits(at: transaction.now), atMost: Self.batch)
      if let facts = removed.facts { try transaction.audit(AuditEntry(.retention, facts)) }
      return removed.reaches(Self.batch)
    }
  }
}

/// What one batch took.
private struct Removed {
  let events: Int
  let questions: Int
  let grants: Int
  /// Audit entries, which the audit has said itself already.
  let entries: Int

  /// Whether a class gave as much as was asked for.
  func reaches(_ limit: Int) -> Bool { [events, questions, grants, entries].contains { $0 >= limit } }

  /// What the audit says of it; `nil` where there is nothing to say.
  var facts: JSONObject? {
    guard events + questions + grants > 0 else { return nil }
    return [
      "events": .integer(Int64(events)), "questions": .integer(Int64(questions)), "grants": .integer(Int64(grants)),
    ]
  }
}

extension Transaction {
  /// Questions go before grants: a grant stays as long as its question says anything.
  fileprivate func remove(before limits: RetentionRule.Limits, atMost limit: Int) throws -> Removed {
    Removed(
      events: try rows.deleteEvents(before: limits.events.usec, limit: limit),
      questions: try rows.eraseQuestions(endedBefore: limits.questions.usec, at: now.usec, limit: limit),
      grants: try rows.deleteGrants(endedBefore: limits.grants.usec, limit: limit),
      entries: try eraseAudit(before: limits.audit, limit: limit))
  }
}
