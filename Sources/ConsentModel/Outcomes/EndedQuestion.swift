// SPDX-License-Identifier: Apache-2.0
//
// That a question is over, for whoever keeps a log: which, about whom, whose, of what kind, and how it ended. It has no
// place for what was asked, nor for who answered.

/// The end of a question.
package struct EndedQuestion: Sendable {
  package let question: QuestionID
  package let person: String
  package let asker: Asker
  /// The kind of its topic.
  package let topicKind: String
  package let state: QuestionState
  /// Absent where nobody decided.
  package let decidedBy: String?
  /// Why it is moot.
  package let reason: String?

  package init(
    question: QuestionID, person: String, asker: Asker, topicKind: String, state: QuestionState, decidedBy: String?,
    reason: String?
  ) {
    self.question = question
    self.person = person
    self.asker = asker
    self.topicKind = topicKind
    self.state = state
    self.decidedBy = decidedBy
    self.reason = reason
  }
}
