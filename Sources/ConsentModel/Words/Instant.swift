// SPDX-License-Identifier: Apache-2.0
//
// Time as the contract has it: whole microseconds. No clock is read here; whoever asks a rule brings the instant.

/// Microseconds since the Unix epoch.
package struct Instant: Hashable, Comparable, Sendable {
  package let usec: Int64

  package init(usec: Int64) { self.usec = usec }

  /// The instant `span` microseconds later; `nil` where 64 bits do not hold it.
  package func adding(usec span: Int64) -> Instant? {
    let (sum, overflow) = usec.addingReportingOverflow(span)
    return overflow ? nil : Instant(usec: sum)
  }

  package static func < (left: Instant, right: Instant) -> Bool { left.usec < right.usec }
}

/// Spans in microseconds.
package enum Span {
  package static let second: Int64 = 1_000_000
  package static let hour: Int64 = 3600 * second
  package static let day: Int64 = 24 * hour
}
