// SPDX-License-Identifier: Apache-2.0
//
// The answers a question offers. They are part of its content, so a stored question keeps the words it was asked
// with, and a choice that was not offered is no answer at all: neither an approval nor a denial.

package import StrictJSON

/// What a choice means.
package enum Answer: String, CaseIterable, Sendable {
  case approval, denial

  /// The state a question ends in with this answer.
  package var state: QuestionState { self == .approval ? .approved : .denied }
}

/// One of the answers offered.
package struct OfferedChoice: Sendable {
  /// The word that is answered.
  package let choice: String
  /// What a guardian reads.
  package let title: String
  package let answer: Answer

  static let approve = OfferedChoice(choice: "approve", title: "Allow", answer: .approval)
  static let approveOnce = OfferedChoice(choice: "approveOnce", title: "Allow this once", answer: .approval)
  static let approveUntil = OfferedChoice(
    choice: "approveUntil", title: "Allow until a set time", answer: .approval)
  package static let deny = OfferedChoice(choice: "deny", title: "Do not allow", answer: .denial)

  /// Whether the choice gives a grant; `approveOnce` approves its question and nothing after it.
  package var givesGrant: Bool { answer == .approval && !choice.isExactly(OfferedChoice.approveOnce.choice) }

  /// Whether the choice holds until an end that whoever takes it sets; every other choice has none.
  package var hasEnd: Bool { choice.isExactly(OfferedChoice.approveUntil.choice) }

  package var json: JSONObject {
    ["choice": .string(choice), "title": .string(title), "answer": .string(answer.rawValue)]
  }
}

extension OfferedChoice {
  /// Reads a choice of a stored question.
  init(json: JSONObject) throws(ValueError) {
    guard let choice = json["choice"]?.string, let title = json["title"]?.string,
      let answer = json["answer"]?.string.flatMap(Answer.init(exactly:))
    else { throw ValueError(field: "choices", rule: "a list of objects with choice, title and answer") }
    self.init(choice: choice, title: title, answer: answer)
  }
}
