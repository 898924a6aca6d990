// SPDX-License-Identifier: Apache-2.0
//
// The callers that wait.
//
// Person, asker and topic key lead to the one open question, which the store knows; from there a parked caller is found
// by its question's id and handed out exactly once: every end a wait can have (answer, timeout, hang-up, withdrawal,
// supersession, and shutdown, where everybody hangs up) goes through `take`. The table ends no question and reads no
// clock.

package import ConsentModel

/// One caller, from the moment its call is known until it is resumed. It parks at most once.
package final class Waiter {
  /// How a wait ended.
  package enum Outcome: Sendable, Equatable {
    /// The question has ended: whoever waited reads how.
    case ended
    /// The waiter's own time is up; the question goes on.
    case timedOut
    /// The caller hung up.
    case left
  }

  fileprivate enum State {
    /// Not parked yet: exits to `parked`, `taken`.
    case admitted
    /// Exits to `taken`.
    case parked(CheckedContinuation<Outcome, Never>)
    /// Resumed, or told not to park.
    case taken(Outcome)
  }

  fileprivate var state = State.admitted
  fileprivate var ticket: UInt64 = 0
  fileprivate var deadline: Int64 = .max
  /// The key of the topic the caller came for.
  fileprivate var topicKey = ""
  /// What the caller waits for, or waited for last: the question it parked on, or one that took its place.
  package fileprivate(set) var question: QuestionID?

  package init() {}

  /// Hands the outcome over, once. A waiter that is told before it parks will not park.
  fileprivate func take(_ outcome: Outcome) {
    switch state {
    case .admitted: state = .taken(outcome)
    case .parked(let continuation):
      state = .taken(outcome)
      continuation.resume(returning: outcome)
    case .taken: break
    }
  }
}

/// Every parked caller, by topic, by question and by deadline.
package struct ContinuationTable {
  /// The callers that wait for one question, by the order in which they came.
  private typealias Room = [UInt64: Waiter]

  private var rooms: [QuestionID: Room] = [:]
  private var deadlines = DeadlineHeap()
  private var lastTicket: UInt64 = 0
  /// Callers parked now.
  package private(set) var count = 0

  package init() {}

  /// Callers parked on `question` now.
  package func count(of question: QuestionID) -> Int { rooms[question]?.count ?? 0 }

  /// The question a caller is parked on.
  package func question(of waiter: Waiter) -> QuestionID? {
    if case .parked = waiter.state { waiter.question } else { nil }
  }

  /// The earliest instant at which a waiter's time is up, boot-time microseconds.
  package var earliestDeadline: Int64? { deadlines.earliest }

  /// Parks a caller that came for a topic until `take`. One that was told to leave before it came here is resumed at once.
  package mutating func park(
    _ waiter: Waiter, for question: QuestionID, about topicKey: String, until deadline: Int64,
    _ continuation: CheckedContinuation<Waiter.Outcome, Never>
  ) {
    if case .taken(let outcome) = waiter.state { return continuation.resume(returning: outcome) }
    lastTicket += 1
    waiter.ticket = lastTicket
    waiter.deadline = deadline
    waiter.topicKey = topicKey
    waiter.state = .parked(continuation)
    enter(waiter, question)
    count += 1
  }

  /// Lets the callers of `question` go on waiting for `successor`, until their own time is up as before; those whose
  /// topic key is not `kept` stay.
  package mutating func move(from question: QuestionID, to successor: QuestionID, kept: (String) -> Bool) {
    for (ticket, waiter) in rooms[question] ?? [:] where kept(waiter.topicKey) {
      rooms[question]?.removeValue(forKey: ticket)
      deadlines.discard(1)
      enter(waiter, successor)
    }
    if rooms[question]?.isEmpty == true { rooms.removeValue(forKey: question) }
    compact()
  }

  private mutating func enter(_ waiter: Waiter, _ question: QuestionID) {
    waiter.question = question
    rooms[question, default: [:]][waiter.ticket] = waiter
    deadlines.insert(.init(at: waiter.deadline, ticket: waiter.ticket, question: question))
  }

  /// Resumes one caller, parked or not yet parked.
  package mutating func take(_ waiter: Waiter, _ outcome: Waiter.Outcome) {
    remove(waiter)
    waiter.take(outcome)
  }

  /// Resumes every caller of `question` in the order they came, and tells how many.
  package mutating func take(_ question: QuestionID, _ outcome: Waiter.Outcome) -> Int {
    guard let room = rooms.removeValue(forKey: question) else { return 0 }
    count -= room.count
    deadlines.discard(room.count)
    compact()
    for (_, waiter) in room.sorted(by: { $0.key < $1.key }) { waiter.take(outcome) }
    return room.count
  }

  /// Resumes with `timedOut` every caller whose time is up at `now` (boot-time microseconds).
  package mutating func takeDue(at now: Int64) -> Set<QuestionID> {
    var touched: Set<QuestionID> = []
    while let due = deadlines.popDue(at: now) {
      guard let waiter = rooms[due.question]?[due.ticket] else {
        deadlines.discard(-1)
        continue
      }
      leave(room: due.question, ticket: due.ticket)
      waiter.take(.timedOut)
      touched.insert(due.question)
    }
    compact()
    return touched
  }

  private mutating func remove(_ waiter: Waiter) {
    guard case .parked = waiter.state, let question = waiter.question else { return }
    leave(room: question, ticket: waiter.ticket)
    deadlines.discard(1)
    compact()
  }

  private mutating func leave(room question: QuestionID, ticket: UInt64) {
    guard rooms[question]?.removeValue(forKey: ticket) != nil else { return }
    count -= 1
    if rooms[question]?.isEmpty == true { rooms.removeValue(forKey: question) }
  }

  private mutating func compact() {
    deadlines.compact { entry in rooms[entry.question]?[entry.ticket] != nil }
  }
}
