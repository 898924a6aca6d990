// SPDX-License-Identifier: Apache-2.0
//
// What an app learns of an age: the band it falls into, and for each gate whether it is known to be reached. Bounds
// are inclusive; the upper one is the next gate less one. Where an age is known so roughly that it spans several
// bands, the range does too.

/// The band or bands an age falls into.
package struct AgeRange: Equatable, Sendable {
  /// Whether a gate is known to be reached.
  package struct Verdict: Equatable, Sendable {
    package let gate: Int
    /// `false` where the gate is not reached and where it is not known: never an adult by default.
    package let atLeast: Bool
  }

  /// The greatest gate that is known to be reached.
  package let lowerBound: Int?
  /// The least gate that is known not to be reached, less one.
  package let upperBound: Int?
  /// One for every gate, in the gates' order.
  package let verdicts: [Verdict]

  /// `nil` where no gate is known to be reached or not to be: that says nothing, and the age is as good as unknown.
  package init?(_ bounds: AgeBounds, gates: Gates) {
    lowerBound = bounds.lower.flatMap { lower in gates.ages.last { $0 <= lower } }
    upperBound = bounds.upper.flatMap { upper in gates.ages.first { $0 > upper } }.map { $0 - 1 }
    verdicts = gates.ages.map { gate in Verdict(gate: gate, atLeast: bounds.lower.map { $0 >= gate } ?? false) }
    guard lowerBound != nil || upperBound != nil else { return nil }
  }
}
