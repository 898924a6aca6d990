// SPDX-License-Identifier: Apache-2.0
//
// The order inside an answer under the guardian rule `any` (design, rules 7 and 8). Authority first: whoever may not
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
  /// Ended, by `guardian`'s `choice` where an answer did it.
  case ended(QuestionState, at: Instant, guardian: Guardian?, choice: String?)
}

/// What becomes of an answer.
package enum AnswerVerdict: Sendable {
  case notPermitted(DeciderObjection)
  /// The very answer that ended the question: the same decision again.
  case repeated
  /// Ended otherwise. A deadline that passed counts before anybody wrote it down.
  case alreadyDecided(QuestionState, at: Instant)
  /// The answer is to something else than the content with this hash.
  case contentChanged(String)
  case invalid(ValueError)
  /// The question ends with this choice.
  case decide(OfferedChoice)
}

/// The order inside an answer.
package struct AnswerRule: Sendable {
  package let deciders: DeciderRule

  package init(deciders: DeciderRule) { self.deciders = deciders }

  /// What becomes of `call`, an answer to the question with `content`. `guardians` are all of the person's.
  package func verdict(
    on call: GivenAnswer, to content: Content, progress: QuestionProgress, guardians: [Guardian], now: Instant
  ) -> AnswerVerdict {
    if let objection = deciders.objection(
      to: call.guardian, spokenForBy: call.peer, person: content.person, askedBy: content.asker.uid,
      guardians: guardians)
    {
      return .notPermitted(objection)
    }
    let checked = AnswerRule.check(call, against: content)
    switch progress {
    case .open(let expiresAt) where expiresAt > now: return checked
    case .open(let expiresAt): return .alreadyDecided(.expired, at: expiresAt)
    case .ended(let state, let at, let guardian, let choice):
      guard case .decide(let chosen) = checked, guardian == call.guardian, choice?.isExactly(chosen.choice) == true
      else { return .alreadyDecided(state, at: at) }
      return .repeated
    }
  }

  private static func check(_ call: GivenAnswer, against content: Content) -> AnswerVerdict {
    guard call.contentHash?.isExactly(content.hash) ?? true else { return .contentChanged(content.hash) }
    guard let choice = content.choices.first(where: { $0.choice.isExactly(call.choice) }) else {
      let offered = content.choices.map(\.choice).joined(separator: ", ")
      return .invalid(ValueError(field: "choice", rule: "one of those offered: \(offered)"))
    }
    guard call.until == nil else {
      return .invalid(ValueError(field: "untilUSec", rule: "absent: no choice that is offered has an end"))
    }
    guard call.items.map(content.topic.subject.isAllNamed(by:)) ?? true else {
      return .invalid(ValueError(field: "items", rule: "absent, or every item that is asked"))
    }
    return .decide(choice)
  }
}
