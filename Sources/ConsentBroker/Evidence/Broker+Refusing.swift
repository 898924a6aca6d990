// SPDX-License-Identifier: Apache-2.0
//
// Answers that were refused are evidence too, where they smell of forgery (by somebody who may not give them, to
// something else than was asked) or came when it was over. A refusal leaves nothing behind in its transaction, so it is
// noted in one of its own, and what cannot be noted changes nothing for whoever is refused.

package import ConsentModel
import ConsentStore
import StrictJSON

/// An answer that was refused, as far as it is known.
package struct RefusedAnswer: Sendable {
  let peer: UserID
  let question: String
  let choice: String
  let guardian: Guardian?

  package init(peer: UserID, question: String, choice: String, guardian: Guardian?) {
    self.peer = peer
    self.question = question
    self.choice = choice
    self.guardian = guardian
  }
}

extension Broker {
  /// Keeps evidence of a refused answer, where there is something to keep.
  package func note(_ refusal: Refusal, of answer: RefusedAnswer) async {
    guard let smell = refusal.smell else { return }
    guard let question = try? read({ try $0.question(answered: answer.question, smell) }) else { return }
    let isNew =
      smell == .late
      ? lateAnswers.admits(answer.peer, question.id, atBootUSec: clock.bootUSec)
      : refusedAnswers.admits(answer.peer, smell.rawValue, atBootUSec: clock.bootUSec)
    guard isNew else { return }
    _ = try? await commit { transaction in
      guard let question = try transaction.rows.question(question.id), question.erasedAt == nil else { return }
      try transaction.audit(AuditEntry(smell.kind, on: question, answer.facts(smell)))
    }
  }
}

/// What is noted of a refused answer; the word is the entry's `reason`.
private enum Smell: String {
  case notPermitted
  case unknownQuestion
  case contentChanged
  case late

  var kind: AuditKind { self == .late ? .lateAnswer : .refusedAnswer }
}

extension Refusal {
  fileprivate var smell: Smell? {
    switch self {
    case .notPermitted: .notPermitted
    case .unknownQuestion: .unknownQuestion
    case .contentChanged: .contentChanged
    case .alreadyDecided: .late
    default: nil
    }
  }
}

extension RefusedAnswer {
  fileprivate func facts(_ smell: Smell) -> JSONObject {
    var facts: JSONObject = ["by": .of(peer), "choice": .string(String(choice.prefix(128)))]
    if smell != .late { facts["reason"] = .string(smell.rawValue) }
    facts["guardian"] = guardian.map { .string($0.description) }
    return facts
  }
}

extension StoreReader {
  /// The question an answer was to, whoever may see it: its id, or a prefix that fits no other. Whoever does not know a
  /// whole id and finds nothing has mistyped.
  fileprivate func question(answered text: String, _ smell: Smell) throws -> QuestionRow? {
    guard QuestionID.isPrefix(text) else { return nil }
    if smell == .unknownQuestion { return try question(text) }
    let ids = try questionIDs(withPrefix: text, limit: 2)
    return ids.count == 1 ? try ids.first.flatMap { try question($0) } : nil
  }
}
