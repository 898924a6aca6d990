// SPDX-License-Identifier: Apache-2.0
//
// A wait and a question are different things (design, rule 1): the one ends with its caller, the other outlives
// reboots. Both have limits here, and every sum is checked, because both numbers come from a peer.

/// The limits of questions and waits.
package enum DeadlineRules {
  package static let questionUSec = Span.hour...(90 * Span.day)
  package static let defaultQuestionUSec = 30 * Span.day
  package static let waiterUSec = 0...Span.hour
  package static let defaultWaiterUSec = 30 * Span.second

  /// When a question asked at `now` expires. Errors: `expiresInUSec`, outside 1 h to 90 d or past the end of time.
  package static func question(expiresInUSec: Int64?, now: Instant) throws(ValueError) -> Instant {
    let span = expiresInUSec ?? defaultQuestionUSec
    guard questionUSec.contains(span) else {
      throw ValueError(
        field: "expiresInUSec",
        rule: "from \(questionUSec.lowerBound) (one hour) to \(questionUSec.upperBound) (90 days)")
    }
    guard let end = now.adding(usec: span) else {
      throw ValueError(field: "expiresInUSec", rule: "a span that ends within what 64 bits count")
    }
    return end
  }

  /// How long a caller waits, in microseconds; 0 is a look without waiting. Errors: `timeoutUSec`, outside 0 to 1 h.
  package static func waiter(timeoutUSec: Int64?) throws(ValueError) -> Int64 {
    let span = timeoutUSec ?? defaultWaiterUSec
    guard waiterUSec.contains(span) else {
      throw ValueError(field: "timeoutUSec", rule: "from 0 (do not wait) to \(waiterUSec.upperBound) (one hour)")
    }
    return span
  }
}
