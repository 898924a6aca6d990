// SPDX-License-Identifier: Apache-2.0
//
// Companions are reminded of what is still open. What was missed while the daemon was down is one reminder, given by the
// process that finds it due; that it was given is durable before anybody is told, so that none is given twice.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Questions of which one transaction reminds at the most.
  private static let reminders = 256

  /// Reminds of every question whose reminder is due, and finds out when the next one is.
  package func remindDue() async throws(Refusal) {
    var more = true
    while more {
      more = try await commit { transaction in
        let due = try transaction.rows.dueReminders(at: transaction.now.usec, limit: Self.reminders)
        for question in due { try transaction.remind(of: question) }
        return due.count == Self.reminders
      }
    }
    earliestReminder = try read { try $0.earliestReminder() }.map { Instant(usec: $0) }
    changed()
  }
}

extension Transaction {
  /// Notes that companions are reminded of an open question now, and when they are the next time. One whose time is up
  /// is over, whether somebody noticed or not.
  fileprivate mutating func remind(of question: QuestionRow) throws {
    let expiresAt = Instant(usec: question.expiresAt)
    let next = ReminderRule.next(askedAt: Instant(usec: question.askedAt), expiresAt: expiresAt, after: now)
    _ = try rows.setReminder(question.id, at: next?.usec)
    if now < expiresAt { reminded(try question.identity) }
  }

  /// Notes when companions are reminded next of a question that ends at `expiry` now.
  mutating func moveReminder(of question: QuestionRow, until expiry: Instant) throws {
    let next = ReminderRule.moved(
      askedAt: Instant(usec: question.askedAt), expiresAt: expiry,
      due: question.remindAt.map { Instant(usec: $0) }, now: now)
    _ = try rows.setReminder(question.id, at: next?.usec)
    if let next { expect(reminder: next) }
  }
}
