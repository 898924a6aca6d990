// SPDX-License-Identifier: Apache-2.0
//
// The numbers of good manners (design, rule 5): how long an app waits before it asks again, and how many new questions
// it may put in a day. They are in force everywhere but in a sandbox, where they have to be asked for.

/// How long askers wait, and how often they may ask.
package struct CoolDowns: Sendable, Equatable {
  /// The wait after the first denial since the last approval, after the second, and so on; the last one stays.
  /// Microseconds. Without one a denial is followed by no wait.
  package var afterDenialUSec: [Int64]
  /// The wait after a question that expired, or was withdrawn when somebody had it before them. Microseconds.
  package var afterLapseUSec: Int64
  /// New questions of one scope about one person within 24 hours.
  package var newQuestionsPerDay: Int

  package init(afterDenialUSec: [Int64], afterLapseUSec: Int64, newQuestionsPerDay: Int) {
    self.afterDenialUSec = afterDenialUSec
    self.afterLapseUSec = afterLapseUSec
    self.newQuestionsPerDay = newQuestionsPerDay
  }

  /// What is in force where nobody says otherwise.
  package static let standard = CoolDowns(
    afterDenialUSec: [4 * Span.hour, 24 * Span.hour, 7 * Span.day], afterLapseUSec: Span.hour, newQuestionsPerDay: 10)
}
