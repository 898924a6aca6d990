// SPDX-License-Identifier: Apache-2.0
//
// The replies of org.consentd.Permission.

package import ConsentModel
package import StrictJSON

extension StatusAnswer {
  /// The reply of `GetStatus` about the topic with this key.
  package func json(topicKey: String) -> JSONObject {
    var json: JSONObject = ["status": .string(status.rawValue), "nextAction": .string(nextAction.rawValue)]
    json["reason"] = reason.map { .string($0.rawValue) }
    json["topicKey"] = .string(topicKey)
    json["question"] = question.map { .string($0.description) }
    json["grant"] = grant.map { .string($0.description) }
    json["untilUSec"] = until.map { .integer($0.usec) }
    return json
  }
}

extension Asked {
  /// The reply of `Ask`.
  package var json: JSONObject {
    switch verdict {
    case .notRequired(let reason):
      return unasked(state: "notRequired", .proceed, ["reason": .string(reason.rawValue)])
    case .granted(let grant):
      return unasked(state: QuestionState.approved.rawValue, .proceed, ["grant": .string(grant.description)])
    case .settled(let topic):
      return unasked(
        state: QuestionState.denied.rawValue, .askGuardian, ["reason": .string(topic.reason.rawValue)])
    case .question(let standing):
      var json = standing.json
      json["question"] = .string(standing.decision.question.description)
      json["topicKey"] = .string(topicKey)
      json["state"] = .string(standing.decision.state.rawValue)
      json["nextAction"] = .string(standing.decision.nextAction.rawValue)
      json["reason"] = standing.decision.ending?.reason.map(JSON.string)
      json["grant"] = standing.decision.ending?.grant.map { .string($0.description) }
      return json
    }
  }

  /// The reply of `Request` about a question as it stands when the wait is over.
  package static func json(after wait: Standing) -> JSONObject {
    var json = wait.decision.json
    for member in wait.json.members { json[member.name] = member.value }
    return json
  }

  private func unasked(state: String, _ next: NextAction, _ more: JSONObject) -> JSONObject {
    var json = more
    json["topicKey"] = .string(topicKey)
    json["state"] = .string(state)
    json["nextAction"] = .string(next.rawValue)
    json["joined"] = false
    return json
  }
}

extension Asked.Standing {
  /// What only an asker learns of a question that stands.
  fileprivate var json: JSONObject {
    [
      "joined": .bool(joined), "expiresAtUSec": .integer(expiresAt.usec), "reach": .string(reach.rawValue),
    ]
  }
}

extension AskerEvent {
  /// One reply of `Responses`.
  package var json: JSONObject {
    var json: JSONObject = ["sequence": .integer(sequence), "event": .string(kind.rawValue)]
    json["person"] = person.map { .string($0.description) }
    json["topic"] = topic.map(JSON.object)
    json["topicKey"] = topicKey.map(JSON.string)
    json["question"] = question.map { .string($0.description) }
    json["decision"] = decision.map { .object($0.json) }
    json["grant"] = grant.map { .string($0.description) }
    json["atUSec"] = .integer(at.usec)
    return json
  }
}
