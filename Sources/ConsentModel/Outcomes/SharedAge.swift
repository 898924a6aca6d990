// SPDX-License-Identifier: Apache-2.0
//
// What an app learns of an age: bands between its own gates, or nothing.

/// The result of `GetAgeRange`.
package enum SharedAge: Sendable, Equatable {
  /// The age is not known well enough to say anything; never read as an adult's.
  case notDetermined(nextAction: NextAction, reason: Reason)
  case shared(Shared)

  /// A range, and what it rests on.
  package struct Shared: Sendable, Equatable {
    package var range: AgeRange
    package var gates: [Int]
    package var source: DeclarationSource
    package var assurance: Assurance
    package var asOf: Instant
    /// What guardians decide for this person.
    package var controls: [String]

    package init(
      range: AgeRange, gates: [Int], source: DeclarationSource, assurance: Assurance, asOf: Instant, controls: [String]
    ) {
      self.range = range
      self.gates = gates
      self.source = source
      self.assurance = assurance
      self.asOf = asOf
      self.controls = controls
    }
  }
}
