// SPDX-License-Identifier: Apache-2.0
//
// The policy in force: what is asked of whom. It is a file an administrator may read and replace; `baseline` is known
// without one, so that a daemon without files judges like one with them.

/// What a policy says.
package struct Policy: Sendable, Equatable {
  package let id: String
  package let version: String
  /// The gates of an app that names none.
  package let gates: Gates
  /// From this age on, in full years, nobody is asked for consent.
  package let adultAge: Int

  package init(id: String, version: String, gates: Gates, adultAge: Int) {
    self.id = id
    self.version = version
    self.gates = gates
    self.adultAge = adultAge
  }

  /// The policy of a daemon that was told of no other.
  package static let baseline = Policy(id: "baseline", version: "1", gates: .baseline, adultAge: 18)

  /// `id/version`, as evidence names it.
  package var reference: String { "\(id)/\(version)" }
}
