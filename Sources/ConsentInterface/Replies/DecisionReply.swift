// SPDX-License-Identifier: Apache-2.0
//
// How a question stands or ended, on the wire: the decision's fields, wherever they appear.

package import ConsentModel
package import StrictJSON

extension Decision {
  /// The members of a decision (design section 3, "decision").
  package var json: JSONObject {
    var json = JSONObject()
    json["question"] = .string(question.description)
    json["topic"] = topic.map(JSON.object)
    if !topicKey.isEmpty { json["topicKey"] = .string(topicKey) }
    json["state"] = .string(state.rawValue)
    json["nextAction"] = .string(nextAction.rawValue)
    json["successor"] = successor.map { .string($0.description) }
    ending?.write(into: &json)
    return json
  }
}

extension Decision.Ending {
  fileprivate func write(into json: inout JSONObject) {
    json["reason"] = reason.map(JSON.string)
    json["choice"] = choice.map(JSON.string)
    json["grant"] = grant.map { .string($0.description) }
    json["decidedAtUSec"] = .integer(at.usec)
    json["decidedBy"] = decidedBy.map { .string($0.rawValue) }
    json["evidence"] = evidence.map { .object($0.json) }
    if isSynthetic { json["synthetic"] = true }
  }
}

extension Decision.Evidence {
  fileprivate var json: JSONObject {
    [
      "guardian": .string(guardian), "channel": .string(channel), "assurance": .string(assurance),
      "contentHash": .string(contentHash), "policy": .string(policy),
    ]
  }
}
