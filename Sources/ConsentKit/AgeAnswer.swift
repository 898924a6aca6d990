// SPDX-License-Identifier: Apache-2.0
//
// What an app is told about an age: a range between its gates, or that there is nothing to tell. An unknown age is
// not an adult's, and no accessor here makes it one.

package import StrictJSON

/// The reply to a question about an age.
public struct AgeAnswer: Sendable {
  package let json: JSONObject

  /// `shared`, `declined` or `notDetermined`; open.
  public var sharing: String { json["sharing"]?.string ?? "" }
  /// What the app does now.
  public var nextAction: NextAction { NextAction(rawValue: json["nextAction"]?.string ?? "") }
  /// Why the age is not shared.
  public var reason: String? { json["reason"]?.string }

  /// The least age, inclusive, in full years; `nil` where it is not known or not shared.
  public var lowerBound: Int64? { range?["lowerBound"]?.integer }
  /// The greatest age, inclusive, in full years; `nil` where it is not known or not shared.
  public var upperBound: Int64? { range?["upperBound"]?.integer }
  /// Who set the age, such as `guardianDeclared`.
  public var source: String? { range?["source"]?.string }
  /// The gates the bounds are cut at, ascending.
  public var gates: [Int64] { (range?["gatesApplied"]?.array ?? []).compactMap(\.integer) }

  /// Whether the person is known to be at least `gate` years old; `nil` where that is not shared.
  public func isAtLeast(_ gate: Int64) -> Bool? {
    let verdict = (range?["verdicts"]?.array ?? []).first { $0.object?["gate"]?.integer == gate }
    return verdict?.object?["atLeast"]?.bool
  }

  private var range: JSONObject? { json["range"]?.object }
}
