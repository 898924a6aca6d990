// SPDX-License-Identifier: Apache-2.0
//
// A change in the making: the store's rows, and what must be announced once they are on disk.
//
// A question is put, extended and ended only here, so that its state, its event and its announcement cannot come apart.

import ConsentModel
import ConsentStore

/// Callers that go on waiting, for another question.
struct Move: Sendable {
  let from: QuestionID
  let to: QuestionID
  /// Who came for one of these topic keys does not move: the other question does not ask it.
  let dropped: Set<String>
}

/// What to tell the living when a transaction is durable.
struct Effects: Sendable {
  /// Questions that ended: their waiters go on.
  var ended: [EndedQuestion] = []
  /// Questions that gave way: their waiters go on with another.
  var moved: [Move] = []
  /// Questions whose cards changed.
  var touched: [QuestionID] = []
  /// Questions whose grants a guardian took back.
  var revoked: [QuestionID] = []
  /// Askers with new events.
  var askers: Set<Asker> = []
  /// The earliest deadline that was set.
  var expiry: Instant?
  /// Questions of which companions are reminded now.
  var reminded: [QuestionID] = []
  /// The earliest reminder that was set.
  var reminder: Instant?
}

/// One operation on the store, at one instant.
struct Transaction {
  let rows: any StoreWriter
  let now: Instant
  let isSynthetic: Bool
  private(set) var effects = Effects()

  init(rows: any StoreWriter, now: Instant, isSynthetic: Bool) {
    self.rows = rows
    self.now = now
    self.isSynthetic = isSynthetic
  }

  /// Puts a question.
  mutating func put(_ question: QuestionRow) throws {
    var question = question
    let expiry = Instant(usec: question.expiresAt)
    let reminder = ReminderRule.next(askedAt: Instant(usec: question.askedAt), expiresAt: expiry, after: now)
    question.remindAt = reminder?.usec
    try rows.insert(question)
    try record(.asked, about: question)
    touch(try question.identity)
    expect(expiry)
    if let reminder { expect(reminder: reminder) }
  }

  /// Lets a question stay open longer.
  mutating func extend(_ question: QuestionRow, until expiry: Instant) throws {
    try rows.extendQuestion(question.id, expiresAt: expiry.usec)
    try moveReminder(of: question, until: expiry)
    touch(try question.identity)
  }

  /// Ends an open question, once: `false` where another ending came first or, with `beforeExpiry`, its time was up.
  mutating func end(_ question: QuestionRow, _ ending: EndingRow, beforeExpiry: Bool = false) throws -> Bool {
    var ending = ending
    ending.synthetic = isSynthetic
    guard try rows.endQuestion(question.id, ending, unexpiredAt: beforeExpiry ? now.usec : nil) else { return false }
    if let arrival = try QuestionState(stored: ending.state).arrival { try record(arrival, about: question) }
    try remember(question, endedBy: ending)
    try audit(.decision(on: question, ending, answers: try rows.answers(question: question.id)))
    effects.ended.append(try EndedQuestion(question, ending))
    touch(try question.identity)
    return true
  }

  /// Ends an open question in whose place another stands. Its callers go on with that, but for those who came for a
  /// topic key in `dropped`.
  mutating func end(_ question: QuestionRow, inFavourOf successor: QuestionID, dropping dropped: Set<String>) throws {
    guard try end(question, .superseded(by: successor, at: now)) else { return }
    effects.moved.append(Move(from: try question.identity, to: successor, dropped: dropped))
  }

  /// Notes that something ends by itself at `instant`.
  mutating func expect(_ instant: Instant) { effects.expiry = effects.expiry.map { min($0, instant) } ?? instant }

  /// Ends a grant, once: `false` where it had ended. `event` tells its asker.
  mutating func end(
    _ grant: GrantRow, _ event: AskerEvent.Kind = .grantEnded, reason: String, by guardian: String? = nil,
    note: String? = nil
  ) throws -> Bool {
    guard try rows.endGrant(grant.id, at: now.usec, reason: reason, by: guardian, note: note) else { return false }
    try audit(event == .revoked ? .revoked : .grantEnded, grant: grant.id)
    try record(event, about: grant)
    if event == .revoked, let question = grant.question { effects.revoked.append(try QuestionID(stored: question)) }
    return true
  }

  /// Notes that an asker has new events.
  mutating func ring(_ asker: Asker) { effects.askers.insert(asker) }

  /// Notes that a question's card has changed.
  mutating func touch(_ question: QuestionID) { effects.touched.append(question) }

  /// Notes that companions are reminded of a question now.
  mutating func reminded(_ question: QuestionID) { effects.reminded.append(question) }

  /// Notes that companions are to be reminded of something then.
  mutating func expect(reminder: Instant) {
    effects.reminder = effects.reminder.map { min($0, reminder) } ?? reminder
  }

  /// Writes an event about a grant into its asker's log, whether a question gave it or a setting.
  mutating func record(_ event: AskerEvent.Kind, about grant: GrantRow) throws {
    try rows.appendEvent(
      EventRow(
        asker: grant.asker, event: event.rawValue, person: grant.person, topicKey: grant.topicKey,
        question: grant.question, grant: grant.id, at: now.usec))
    effects.askers.insert(try Asker(grant.asker))
  }

  /// Writes an event into the asker's log.
  mutating func record(_ event: AskerEvent.Kind, about question: QuestionRow, grant: String? = nil) throws {
    try rows.appendEvent(
      EventRow(
        asker: question.asker, event: event.rawValue, person: question.person, topicKey: question.topicKey,
        question: question.id, grant: grant, at: now.usec))
    effects.askers.insert(try Asker(question.asker))
  }
}
