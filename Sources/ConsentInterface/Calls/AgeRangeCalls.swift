// SPDX-License-Identifier: Apache-2.0
//
// The calls of org.consentd.AgeRange, read from their parameters.

package import ConsentModel
package import StrictJSON

/// `GetAgeRange`.
package struct GetAgeRangeCall: Sendable {
  package let speaking: Speaking
  /// Absent: the policy's.
  package let gates: Gates?

  package init(_ parameters: JSONObject) throws(Refusal) {
    speaking = try Speaking(parameters)
    guard let ages = parameters["gates"]?.array else {
      gates = nil
      return
    }
    do {
      gates = try Gates(ages.compactMap(\.integer))
    } catch {
      throw .invalidGates(gate: error.gate, rule: error.rule)
    }
  }
}
