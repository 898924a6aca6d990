// SPDX-License-Identifier: Apache-2.0
//
// What a guardian answered, and how lists of questions are narrowed.

/// One guardian's answer to one question.
package struct AnswerRow: Sendable, Equatable {
  package var question: String
  package var guardian: String
  package var choice: String
  /// Microseconds since the Unix epoch, like `answeredAt`.
  package var untilUSec: Int64?
  /// The JSON text of the items answered for; absent where the answer is for all.
  package var items: String?
  package var note: String?
  package var answeredAt: Int64

  package init(
    question: String, guardian: String, choice: String, untilUSec: Int64? = nil, items: String? = nil,
    note: String? = nil, answeredAt: Int64
  ) {
    self.question = question
    self.guardian = guardian
    self.choice = choice
    self.untilUSec = untilUSec
    self.items = items
    self.note = note
    self.answeredAt = answeredAt
  }
}

/// Which questions a list holds. What is absent does not narrow it.
package struct QuestionFilter: Sendable, Equatable {
  /// Questions about one of these; an empty list matches nothing.
  package var people: [String]?
  /// Questions about whoever has a guardian with one of these voices (`people(ofVoices:)`).
  package var voices: [String]?
  package var app: String?
  package var state: String?

  package init(people: [String]? = nil, voices: [String]? = nil, app: String? = nil, state: String? = nil) {
    self.people = people
    self.voices = voices
    self.app = app
    self.state = state
  }
}

/// How much there is in a store.
package struct StoreCounts: Sendable, Equatable {
  package var people: Int
  package var openQuestions: Int

  package init(people: Int, openQuestions: Int) {
    self.people = people
    self.openQuestions = openQuestions
  }
}

extension AnswerRow: Readable {
  static let columns = "question, guardian, choice, until_usec, items, note, answered_at"

  init(reading columns: inout Columns) throws(StoreError) {
    question = try columns.next()
    guardian = try columns.next()
    choice = try columns.next()
    untilUSec = try columns.next()
    items = try columns.next()
    note = try columns.next()
    answeredAt = try columns.next()
  }
}

extension StoreCounts: Readable {
  init(reading columns: inout Columns) throws(StoreError) {
    people = try columns.next()
    openQuestions = try columns.next()
  }
}
