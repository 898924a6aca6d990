// SPDX-License-Identifier: Apache-2.0
//
// The ages an app compares with. They are few and far apart, because every gate tells something about a birthday:
// 1 to 3 of them, and every band between two at least two years wide.

/// A gate that breaks a rule: `InvalidGates` on the wire.
package struct GateError: Error, Equatable {
  /// The first gate that is wrong; 0 where there is none.
  package let gate: Int64
  /// What is right.
  package let rule: String
}

/// One to three gates, ascending, at least two years apart.
package struct Gates: Hashable, Sendable {
  package let ages: [Int]

  package static let countLimit = 3
  package static let ageLimits: ClosedRange<Int64> = 2...120
  package static let narrowestBand: Int64 = 2

  /// The gates of the `baseline` policy, for an app that names none.
  package static let baseline = Gates(checked: [13, 16, 18])

  /// Reads the gates an app names.
  package init(_ gates: [Int64]) throws(GateError) {
    guard !gates.isEmpty else { throw GateError(gate: 0, rule: "at least one gate, or none named at all") }
    guard gates.count <= Gates.countLimit else {
      throw GateError(gate: gates[Gates.countLimit], rule: "at most \(Gates.countLimit) gates")
    }
    for gate in gates where !Gates.ageLimits.contains(gate) {
      throw GateError(gate: gate, rule: "an age from \(Gates.ageLimits.lowerBound) to \(Gates.ageLimits.upperBound)")
    }
    for (earlier, later) in zip(gates, gates.dropFirst()) where later < earlier + Gates.narrowestBand {
      throw GateError(gate: later, rule: "at least \(Gates.narrowestBand) more than the gate before it")
    }
    self.init(checked: gates.map(Int.init))
  }

  private init(checked ages: [Int]) { self.ages = ages }
}
