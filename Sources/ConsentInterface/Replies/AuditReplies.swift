// SPDX-License-Identifier: Apache-2.0
//
// The audit on the wire: entries, heads, and what a verification found.

package import ConsentModel
package import StrictJSON

extension HistoryEntry {
  /// One entry of `History`, and an `audit` record of `Export`.
  package var json: JSONObject {
    var json: JSONObject = [
      "sequence": .integer(sequence), "atUSec": .integer(at.usec), "kind": .string(kind), "facts": .object(facts),
    ]
    json["person"] = person.map { .string($0.description) }
    json["app"] = app.map { .string($0.text) }
    return json
  }
}

extension AuditHead {
  /// The reply of `GetAuditHead`.
  package var json: JSONObject { ["size": .integer(size), "hash": .string(hashText)] }
}

extension AuditVerdict {
  /// The reply of `VerifyAudit`.
  package var json: JSONObject {
    var json: JSONObject = ["valid": .bool(isValid)]
    for member in head.json.members { json[member.name] = member.value }
    json["emptied"] = .integer(emptied)
    json["firstBad"] = fault.map { .integer($0.sequence) }
    json["problem"] = fault.map { .string($0.problem.rawValue) }
    return json
  }
}
