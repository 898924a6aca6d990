// SPDX-License-Identifier: Apache-2.0
//
// A change in the making: the store's rows, and what must be announced once they are on disk.
//
// A question is put, extended and ended only here, so that its state, its event and its announcement cannot come apart.

import ConsentModel
import ConsentStore

/// What to tell the living when a transaction is durable.
struct Effects: Sendable {
  /// Questions that ended: their waiters go on.
  var ended: [EndedQuestion] = []
  /// Questions whose cards changed.
  var touched: [QuestionID] = []
  /// Askers with new events.
  var askers: Set<Asker> = []
  /// The earliest deadline that was set.
  var expiry: Instant?
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
    try rows.insert(question)
    try record(.asked, about: question)
    touch(try question.identity)
    let expiry = Instant(usec: question.expiresAt)
    effects.expiry = effects.expiry.map { min($0, expiry) } ?? expiry
  }

  /// Lets a question stay open longer.
  mutating func extend(_ question: QuestionRow, until expiry: Instant) throws {
    try rows.extendQuestion(question.id, expiresAt: expiry.usec)
    touch(try question.identity)
  }

  /// Ends an open question, once: `false` where another ending came first or, with `beforeExpiry`, its time was up.
  mutating func end(_ question: QuestionRow, _ ending: EndingRow, beforeExpiry: Bool = false) throws -> Bool {
    var ending = ending
    ending.synthetic = isSynthetic
    guard try rows.endQuestion(question.id, ending, unexpiredAt: beforeExpiry ? now.usec : nil) else { return false }
    if let arrival = try QuestionState(stored: ending.state).arrival { try record(arrival, about: question) }
    try audit(.decision(on: question, ending, answers: try rows.answers(question: question.id)))
    effects.ended.append(try EndedQuestion(question, ending))
    touch(try question.identity)
    return true
  }

  /// Notes that an asker has new events.
  mutating func ring(_ asker: Asker) { effects.askers.insert(asker) }

  /// Notes that a question's card has changed.
  mutating func touch(_ question: QuestionID) { effects.touched.append(question) }

  /// Writes an event into the asker's log.
  mutating func record(_ event: AskerEvent.Kind, about question: QuestionRow, grant: String? = nil) throws {
    try rows.appendEvent(
      EventRow(
        asker: question.asker, event: event.rawValue, person: question.person, topicKey: question.topicKey,
        question: question.id, grant: grant, at: now.usec))
    effects.askers.insert(try Asker(question.asker))
  }
}
