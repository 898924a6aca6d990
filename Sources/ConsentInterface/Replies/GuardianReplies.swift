// SPDX-License-Identifier: Apache-2.0
//
// The replies of org.consentd.Guardian.

package import ConsentModel
package import StrictJSON

extension Card {
  /// The card on the wire. What a denial leads to stands beside the topic too, so that a companion need not know kinds.
  package var json: JSONObject {
    var json: JSONObject = ["question": .string(question.description), "person": .string(person.description)]
    json["app"] = asker.app.map { .string($0.description) }
    json["provenance"] = .string(provenance.rawValue)
    if !names.isEmpty { json["names"] = .object(JSONObject(texts: names)) }
    json["decider"] = .string(decider.rawValue)
    json["topic"] = .object(topic)
    json["topicKey"] = .string(topicKey)
    json["ifDenied"] = topic["ifDenied"]
    json["timesAsked"] = .integer(Int64(timesAsked))
    json["choices"] = .array(choices.map { .object($0.json) })
    json["contentHash"] = .string(contentHash)
    json["state"] = .string(state.rawValue)
    json["askedAtUSec"] = .integer(askedAt.usec)
    json["expiresAtUSec"] = .integer(expiresAt.usec)
    json["waiters"] = .integer(Int64(waiters))
    json["votes"] = .object(votes.json)
    json["canAnswer"] = .bool(canAnswer)
    json["guardians"] = .array(guardians.map { .string($0.description) })
    json["plan"] = plan.map(JSON.string)
    json["decision"] = decision.map { .object($0.json) }
    return json
  }
}

extension Votes {
  /// `{have, need}`.
  package var json: JSONObject { ["have": .integer(Int64(have)), "need": .integer(Int64(need))] }
}

extension CardChange {
  /// One reply of `WatchQuestions`.
  package var json: JSONObject {
    switch self {
    case .added(let card): ["change": "added", "question": .object(card.json)]
    case .changed(let card): ["change": "changed", "question": .object(card.json)]
    case .reminder(let card): ["change": "reminder", "question": .object(card.json)]
    case .removed(let card, let reason):
      ["change": "removed", "question": .object(card.json), "reason": .string(reason)]
    case .revoked(let card):
      ["change": "revoked", "question": .object(card.json), "reason": "revoked"]
    case .ready: ["change": "ready"]
    }
  }
}

extension Answered {
  /// The reply of `Answer`.
  package var json: JSONObject {
    var json: JSONObject = ["state": .string(decision.state.rawValue)]
    if decision.state.isTerminal { json["decision"] = .object(decision.json) }
    json["waitersResumed"] = .integer(Int64(waitersResumed))
    json["votes"] = .object(votes.json)
    return json
  }
}

extension Grant {
  /// One entry of `ListGrants` and `Revoke`.
  package var json: JSONObject {
    var json: JSONObject = ["grant": .string(grant.description), "person": .string(person.description)]
    json["app"] = app.map { .string($0.description) }
    json["provenance"] = .string(provenance.rawValue)
    json["topicKey"] = .string(topicKey)
    json["items"] = .array(items.map { .object($0.json(kind: kind)) })
    json["lifetime"] = .string(lifetime)
    json["grantedAtUSec"] = .integer(grantedAt.usec)
    json["untilUSec"] = until.map { .integer($0.usec) }
    json["question"] = question.map { .string($0.description) }
    json["guardian"] = guardian.map(JSON.string)
    json["endedAtUSec"] = endedAt.map { .integer($0.usec) }
    json["endedReason"] = endedReason.map(JSON.string)
    return json
  }
}

extension EnrolledPerson {
  /// One entry of `ListPeople`.
  package var json: JSONObject {
    var json: JSONObject = ["person": .string(person.description)]
    json["displayName"] = displayName.map(JSON.string)
    json["guardians"] = .array(guardians.map { .string($0.description) })
    return json
  }
}

/// One page of a list.
package struct Page<Entry: Sendable>: Sendable {
  package let entries: [Entry]
  /// Where the next page starts; absent on the last.
  package let next: String?

  package init(entries: [Entry], next: String?) {
    self.entries = entries
    self.next = next
  }

  /// The page on the wire, its entries under `name`.
  package func json(_ name: String, _ encode: (Entry) -> JSONObject) -> JSONObject {
    var json: JSONObject = [name: .array(entries.map { .object(encode($0)) })]
    json["next"] = next.map(JSON.string)
    return json
  }
}
