// SPDX-License-Identifier: Apache-2.0
//
// The replies of org.consentd.AgeRange.

package import ConsentModel
package import StrictJSON

extension SharedAge {
  /// The reply of `GetAgeRange`.
  package var json: JSONObject {
    switch self {
    case .notDetermined(let nextAction, let reason):
      [
        "sharing": "notDetermined", "nextAction": .string(nextAction.rawValue), "reason": .string(reason.rawValue),
      ]
    case .shared(let shared):
      [
        "sharing": "shared", "range": .object(shared.json), "nextAction": .string(NextAction.proceed.rawValue),
      ]
    }
  }
}

extension SharedAge.Shared {
  fileprivate var json: JSONObject {
    var json = JSONObject()
    json["lowerBound"] = range.lowerBound.map { .integer(Int64($0)) }
    json["upperBound"] = range.upperBound.map { .integer(Int64($0)) }
    json["verdicts"] = .array(
      range.verdicts.map { ["gate": .integer(Int64($0.gate)), "atLeast": .bool($0.atLeast)] })
    json["gatesRequested"] = .array(gates.map { .integer(Int64($0)) })
    json["gatesApplied"] = .array(gates.map { .integer(Int64($0)) })
    json["source"] = .string(source.rawValue)
    json["assurance"] = .string(assurance.rawValue)
    json["asOfUSec"] = .integer(asOf.usec)
    json["controls"] = .array(controls.map(JSON.string))
    return json
  }
}
