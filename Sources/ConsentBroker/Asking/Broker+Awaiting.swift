// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a question to end, and looking at one.

package import ConsentModel
import ConsentStore

extension Broker {
  /// How the question stands, for its asker: any app of `uid` may look.
  /// Throws `unknownQuestion` for everybody else and for a prefix that fits several.
  package func look(at question: String, asUID uid: UserID) throws(Refusal) -> Decision {
    try read { rows in
      let row = try rows.question(matching: question) { $0.asker.uid == uid }
      return try row.decision(self.rules, in: rows, at: self.clock.now)
    }
  }

  /// Waits until the question ends, `timeoutUSec` have passed or the caller leaves (`nil`).
  /// A question that is still open then is returned as `pending`.
  package func await(
    _ question: String, asUID uid: UserID, timeoutUSec: Int64, as waiter: Waiter
  ) async throws(Refusal) -> Decision? {
    let decision = try look(at: question, asUID: uid)
    guard decision.state == .pending, timeoutUSec > 0 else { return decision }
    return try await wait(for: decision.question, timeoutUSec: timeoutUSec, as: waiter)
  }

  /// Waits for the question an ask led to, and tells how it stands then; `nil` where the caller left.
  package func await(
    _ asked: Asked.Standing, timeoutUSec: Int64, as waiter: Waiter
  ) async throws(Refusal) -> Asked.Standing? {
    let question = asked.decision.question
    guard try await wait(for: question, timeoutUSec: timeoutUSec, as: waiter) != nil else { return nil }
    return try read { rows in
      try rows.existingQuestion(question).standing(joined: asked.joined, self.rules, in: rows, at: self.clock.now)
    }
  }

  /// Parks the caller on a question unless it has ended. Nothing runs between reading its state and parking.
  private func wait(
    for question: QuestionID, timeoutUSec: Int64, as waiter: Waiter
  ) async throws(Refusal) -> Decision? {
    if timeoutUSec > 0, try read({ try $0.existingQuestion(question).isPending }) {
      let outcome = await park(waiter, on: question, timeoutUSec: timeoutUSec)
      if outcome == .left { return nil }
    }
    return try read { rows in try rows.existingQuestion(question).decision(self.rules, in: rows, at: self.clock.now) }
  }

  private func park(
    _ waiter: Waiter, on question: QuestionID, timeoutUSec: Int64
  ) async -> Waiter.Outcome {
    let (deadline, overflows) = clock.bootUSec.addingReportingOverflow(timeoutUSec)
    return await withCheckedContinuation { continuation in
      waiting.park(waiter, for: question, until: overflows ? .max : deadline, continuation)
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
