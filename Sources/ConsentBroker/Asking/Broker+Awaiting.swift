// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a question to end, and looking at one.

package import ConsentModel
import ConsentStore

extension Broker {
  /// How the question stands, for its asker: any app of `uid` may look.
  /// Throws `unknownQuestion` for everybody else and for a prefix that fits several, `notAvailable(personChanged)`.
  package func look(at question: String, asUID uid: UserID) throws(Refusal) -> Decision {
    try read { rows in
      try rows.requireUnchanged(uid, self.login)
      let row = try rows.question(matching: question) { $0.asker.uid == uid }
      return try row.decision(self.rules, in: rows, at: self.clock.now)
    }
  }

  /// How a question stands for whoever has waited for it; the asker may have moved meanwhile.
  package func decision(on question: QuestionID) throws(Refusal) -> Decision {
    try read { rows in
      try rows.existingQuestion(question).decision(self.rules, in: rows, at: self.clock.now)
    }
  }

  /// How a question stands for whoever has just asked it.
  package func standing(of question: QuestionID, joined: Bool) throws(Refusal) -> Asked.Standing {
    try read { rows in
      try rows.existingQuestion(question).standing(joined: joined, self.rules, in: rows, at: self.clock.now)
    }
  }

  /// When a wait of `timeoutUSec` from now on is over, boot-time microseconds.
  package func deadline(in timeoutUSec: Int64) -> Int64 {
    let (deadline, overflows) = clock.bootUSec.addingReportingOverflow(timeoutUSec)
    return overflows ? .max : deadline
  }

  /// Parks the caller until the question has ended, `deadline` (boot-time microseconds) has come or the caller leaves;
  /// gives the question it waited for in the end, `nil` where it left. That is another one where a question that asks
  /// what the caller came for has taken its place: while the caller was parked or, where `isFollowing`, before.
  /// Nothing runs between reading the question's state and parking. Ten thousand callers may wait here: what they hold
  /// is small, and each looks for itself how the question stands when it goes on.
  package func wait(
    for question: QuestionID, until deadline: Int64, as waiter: Waiter, isFollowing: Bool = false
  ) async throws(Refusal) -> QuestionID? {
    let now = clock.now
    let place = try read { rows in
      let row = try rows.existingQuestion(question)
      let last = isFollowing ? try row.followed(in: rows) : row
      return (id: try last.identity, topicKey: row.topicKey, isOpen: try last.state(at: now) == .pending)
    }
    guard place.isOpen, deadline > clock.bootUSec else { return place.id }
    let outcome = await park(waiter, on: place.id, about: place.topicKey, until: deadline)
    return outcome == .left ? nil : waiter.question ?? place.id
  }

  private func park(
    _ waiter: Waiter, on question: QuestionID, about topicKey: String, until deadline: Int64
  ) async -> Waiter.Outcome {
    await withCheckedContinuation { continuation in
      waiting.park(waiter, for: question, about: topicKey, until: deadline, continuation)
      recount(question)
    }
  }

  /// Lets a caller go whose connection has ended. Its question stays open.
  package func leave(_ waiter: Waiter) {
    let question = waiting.question(of: waiter)
    waiting.take(waiter, .left)
    if let question { recount(question) }
  }

  /// Resumes the callers whose time is up.
  package func releaseDue() {
    for question in waiting.takeDue(at: clock.bootUSec) { recount(question) }
  }

  /// Notes that other callers than before wait for a question.
  private func recount(_ question: QuestionID) {
    recounted.insert(question)
    changed()
  }

  /// Tells companions how many callers wait now. Callers come and go faster than anybody reads: whoever runs the broker
  /// decides how often this is told.
  package func tellCounts() {
    for question in recounted { audience.touch(question) }
    recounted = []
  }
}
