// SPDX-License-Identifier: Apache-2.0
//
// What a check found, check by check, so that "nothing is wrong" can say what was looked at.

/// The outcome of checking a store.
package struct StoreReport: Sendable, Equatable {
  /// One thing that was looked at.
  package struct Finding: Sendable, Equatable {
    /// What must be so, in a few words.
    package let check: String
    /// What is not so; empty where all is well.
    package let problems: [String]
  }

  package let file: String
  package let schemaVersion: Int
  /// Where it is a copy that no daemon has taken up yet: when it was made, microseconds since the Unix epoch.
  package let takenAtUSec: Int64?
  package let findings: [Finding]

  /// All problems, the worst kind first.
  package var problems: [String] { findings.flatMap(\.problems) }
}
