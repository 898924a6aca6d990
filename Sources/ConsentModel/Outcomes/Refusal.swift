// SPDX-License-Identifier: Apache-2.0
//
// Every way in which consentd says no to a caller without it being an answer to a question.
//
// A refusal changes nothing. It is thrown where it is found, travels up unchanged and becomes an error of the wire in
// one place (ConsentInterface). A guardian's "no" is never a refusal: it is a decision.

/// Why a call was refused, with the data its error carries (design section 3, "Errors").
package enum Refusal: Error, Sendable, Equatable {
  /// The caller may not do this; `reason` is a sentence for the developer.
  case notPermitted(reason: String)
  /// A parameter of the right type has a value out of its range or form.
  case invalidValue(field: String, rule: String)
  /// A topic's field is missing, unknown to its kind, or breaks its rule.
  case invalidTopic(field: String, rule: String)
  /// Gates that no range can be given for.
  case invalidGates(gate: Int64, rule: String)
  /// Nobody of that name is enrolled (guardians' socket only).
  case unknownPerson(String)
  /// There is no such question among those the caller may see, or the prefix fits several.
  case unknownQuestion(String)
  /// There is no such grant among those the caller may take back, or the prefix fits several.
  case unknownGrant(String)
  /// The thing cannot be had now: `noGuardian`, `storage`, ….
  case notAvailable(reason: Unavailability, retryable: Bool)
  /// The asker has as many open questions about the person as it may have.
  case tooManyPending(limit: Int)
  /// It was asked too often, or denied too lately: not before this instant.
  case coolingDown(until: Instant)
  /// The idempotency key was used for another topic within 48 hours.
  case keyConflict
  /// The question had ended before this answer came.
  case alreadyDecided(state: QuestionState, decidedAt: Instant)
  /// The answer was given to other content than the question has.
  case contentChanged(contentHash: String)
  /// The cursor lies outside the kept range of the asker's events.
  case cursorExpired(oldest: Int64, newest: Int64)
  /// A file of the configuration cannot be used; the one in force stays. `place` is empty for the whole file.
  case invalidConfiguration(file: String, place: String, reason: String)
  /// The subscriber left too much unread; `sequence` is the last event, or the number of changes, it was sent.
  case subscriberTooSlow(sequence: Int64)
}

/// Reasons of `NotAvailable`. Open on the wire: a client survives one it does not know.
package enum Unavailability: String, Sendable {
  /// Nobody could answer a question about this person.
  case noGuardian
  /// The store could not be read or written.
  case storage
  /// The user, or everybody, has as many connections as there may be. The connection ends.
  case tooManyConnections
  /// The user calls too often. The connection stays, and is read again in a moment.
  case tooManyCalls
  /// As many calls wait as may; those that answer at once are served.
  case tooManyWaiting
  /// The store has as many open questions as it may hold.
  case tooManyQuestions
  /// The uid belongs to another login name than when it was enrolled: it may be somebody else.
  case personChanged
  /// Whose a uid is could not be looked up.
  case accounts
}
