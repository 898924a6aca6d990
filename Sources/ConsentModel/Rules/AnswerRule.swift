// SPDX-License-Identifier: Apache-2.0
//
// The order inside an answer (design, rules 7 and 8); how many answers are enough is VoteRule's. Authority first: whoever may not
// decide learns nothing of the question, not even that it ended. Then the end: an exact retry by the guardian who
// ended it is told so again, anything else that it is over, whatever it carried. Then the hash, because a choice means
// something only for the content it was read with. Then the choice and its conditions. Only an answer that passes all
// of it does anything; every other verdict leaves the question as it was.

package import StrictJSON

/// An answer as it comes.
package struct GivenAnswer: Sendable {
  package let peer: UserID
  /// For whom the peer answers: its own uid, or a guardian it may speak for.
  package let guardian: Guardian
  package let choice: String
  package let contentHash: String?
  package let until: Instant?
  package let items: [JSONObject]?

  package init(
    peer: UserID, guardian: Guardian, choice: String, contentHash: String? = nil, until: Instant? = nil,
    items: [JSONObject]? = nil
  ) {
    self.peer = peer
    self.guardian = guardian
    self.choice = choice
    self.contentHash = contentHash
    self.until = until
    self.items = items
  }
}

/// How far the question has come.
package enum QuestionProgress: Sendable {
  case open(expiresAt: Instant)
  /// Ended, by `guardian`'s answer where one did it.
  case ended(QuestionState, at: Instant, guardian: Guardian?)
}

/// What becomes of an answer.
package enum AnswerVerdict: Sendable {
  case notPermitted(DeciderObjection)
  /// The very answer this guardian gave before: the same decision, or the same standing vote, again.
  case repeated
  /// Ended otherwise. A deadline that passed counts before anybody wrote it down.
  case alreadyDecided(QuestionState, at: Instant)
  /// The answer is to something else than the content with this hash.
  case contentChanged(String)
  case invalid(ValueError)
  /// The guardian's answer from now on.
  case take(Chosen)
}

/// The order inside an answer.
package struct AnswerRule: Sendable {
  package let deciders: DeciderRule

  package init(deciders: DeciderRule) { self.deciders = deciders }

  /// What becomes of `call`, an answer to the question with `content`. `guardians` are all of the person's; `before` is
  /// what this guardian answered to it last.
  package func verdict(
    on call: GivenAnswer, to content: Content, progress: QuestionProgress, guardians: [Guardian],
    before: Chosen? = nil, now: Instant
  ) -> AnswerVerdict {
    if let objection = deciders.objection(
      to: call.guardian, spokenForBy: call.peer, person: content.person, askedBy: content.asker.uid,
      guardians: guardians)
    {
      return .notPermitted(objection)
    }
    let checked = AnswerRule.check(call, against: content)
    var isRepeated = false
    if case .take(let chosen) = checked, let before { isRepeated = chosen.isSame(as: before) }
    switch progress {
    case .open(let expiresAt) where expiresAt <= now: return .alreadyDecided(.expired, at: expiresAt)
    case .open: return isRepeated ? .repeated : AnswerRule.inTime(checked, now: now)
    case .ended(let state, let at, let guardian):
      let isOwn = guardian == call.guardian || before?.choice.answer.state == state
      return isRepeated && isOwn ? .repeated : .alreadyDecided(state, at: at)
    }
  }

  private static func check(_ call: GivenAnswer, against content: Content) -> AnswerVerdict {
    guard call.contentHash?.isExactly(content.hash) ?? true else { return .contentChanged(content.hash) }
    guard let choice = content.choices.first(where: { $0.choice.isExactly(call.choice) }) else {
      let offered = content.choices.map(\.choice).joined(separator: ", ")
      return .invalid(ValueError(field: "choice", rule: "one of those offered: \(offered)"))
    }
    guard choice.hasEnd || call.until == nil else {
      return .invalid(ValueError(field: "untilUSec", rule: "absent: \(choice.choice) has no end"))
    }
    guard !choice.hasEnd || call.until != nil else { return .invalid(futureEnd) }
    do throws(ValueError) {
      let items = try call.items.map { (items) throws(ValueError) in try content.topic.part(naming: items) } ?? nil
      guard choice.answer == .approval || items == nil else {
        return .invalid(ValueError(field: "items", rule: "absent, or every item: a denial is of everything asked"))
      }
      return .take(Chosen(choice: choice, until: call.until, items: items))
    } catch {
      return .invalid(error)
    }
  }

  private static let futureEnd = ValueError(field: "untilUSec", rule: "given, and in the future")

  /// The end of an answer counts from the moment it comes; a retry of one that was taken comes later.
  private static func inTime(_ checked: AnswerVerdict, now: Instant) -> AnswerVerdict {
    if case .take(let chosen) = checked, let until = chosen.until, until <= now { return .invalid(futureEnd) }
    return checked
  }
}
