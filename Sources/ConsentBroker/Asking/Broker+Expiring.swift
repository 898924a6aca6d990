// SPDX-License-Identifier: Apache-2.0
//
// Questions end by themselves at their deadline, also those that passed it while the daemon was down.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Questions that one transaction expires at the most, so that others' commits come between.
  private static let batch = 256

  /// Ends every question whose deadline has passed, and finds out when the next one does.
  package func expireDue() async throws(Refusal) {
    var more = true
    while more {
      more = try await commit { transaction in
        let due = try transaction.rows.dueQuestions(at: transaction.now.usec, limit: Self.batch)
        for question in due { _ = try transaction.end(question, .expired(question)) }
        let over = try transaction.rows.dueGrants(at: transaction.now.usec, limit: Self.batch)
        for grant in over { _ = try transaction.end(grant, reason: QuestionState.expired.rawValue) }
        return max(due.count, over.count) == Self.batch
      }
    }
    earliestExpiry = try read { rows in
      try [rows.earliestDeadline(), rows.earliestGrantEnd()].compactMap(\.self).min()
    }.map { Instant(usec: $0) }
    earliestReminder = try read { try $0.earliestReminder() }.map { Instant(usec: $0) }
    changed()
  }
}
