// SPDX-License-Identifier: Apache-2.0
//
// Rows as an export shows them: every column under the name the wire has for it, nothing judged and nothing left out,
// so that a person sees what is kept and not what we make of it. Absent is what is absent in the store.

import ConsentModel
import ConsentStore
import StrictJSON

extension PersonRow {
  var export: JSONObject {
    var json: JSONObject = ["person": .string(person)]
    json["displayName"] = displayName.map(JSON.string)
    json["loginName"] = loginName.map(JSON.string)
    json["addedAtUSec"] = .integer(addedAt)
    return json
  }
}

extension GuardianRow {
  var export: JSONObject {
    var json: JSONObject = ["guardian": .string(guardian)]
    json["displayName"] = displayName.map(JSON.string)
    json["loginName"] = loginName.map(JSON.string)
    json["addedAtUSec"] = .integer(addedAt)
    return json
  }
}

extension DeclarationRow {
  var export: JSONObject {
    var json: JSONObject = [
      "declaration": .string(id), "source": .string(source), "assurance": .string(assurance),
      "declaredBy": .string(declaredBy),
    ]
    json["birthDate"] = birthDate.map(JSON.string)
    json["lowerBound"] = lowerBound.map { .integer(Int64($0)) }
    json["upperBound"] = upperBound.map { .integer(Int64($0)) }
    json["asOfDate"] = asOfDate.map(JSON.string)
    json["declaredAtUSec"] = .integer(declaredAt)
    json["endedAtUSec"] = endedAt.map(JSON.integer)
    json["endedReason"] = endedReason.map(JSON.string)
    return json
  }
}

extension AskerKey {
  fileprivate var export: JSONObject {
    var json: JSONObject = ["uid": .integer(Int64(uid))]
    if !app.isEmpty { json["app"] = .string(app) }
    return json
  }
}

extension AskerRow {
  var export: JSONObject {
    var json = asker.export
    json["lastSequence"] = .integer(lastSequence)
    json["acknowledged"] = .integer(acknowledged)
    return json
  }
}

extension QuestionRow {
  var export: JSONObject {
    get throws {
      var json: JSONObject = ["question": .string(id), "asker": .object(asker.export)]
      json["provenance"] = .string(provenance)
      json["kind"] = .string(kind)
      if erasedAt == nil {
        json["topicKey"] = .string(topicKey)
        json["content"] = .object(try JSONObject(parsing: Array(content.utf8)))
        json["contentHash"] = .string(contentHash)
      }
      json["decider"] = .string(decider)
      json["timesAsked"] = .integer(Int64(timesAsked))
      json["appVersion"] = appVersion.map(JSON.string)
      json["plan"] = plan.map(JSON.string)
      json["askedAtUSec"] = .integer(askedAt)
      json["expiresAtUSec"] = .integer(expiresAt)
      json["deliveredAtUSec"] = deliveredAt.map(JSON.integer)
      json["seenAtUSec"] = seenAt.map(JSON.integer)
      json["state"] = .string(state)
      json["decision"] = ending.map { .object($0.export) }
      json["erasedAtUSec"] = erasedAt.map(JSON.integer)
      return json
    }
  }
}

extension EndingRow {
  var export: JSONObject {
    var json: JSONObject = ["decidedAtUSec": .integer(endedAt)]
    let texts = [
      ("choice", choice), ("decidedBy", decidedBy), ("guardian", guardian), ("channel", channel),
      ("assurance", assurance), ("policy", policy), ("reason", reason), ("successor", successor),
    ]
    for (name, text) in texts { json[name] = text.map(JSON.string) }
    if synthetic { json["synthetic"] = true }
    return json
  }
}

extension AnswerRow {
  var export: JSONObject {
    var json: JSONObject = ["guardian": .string(guardian), "choice": .string(choice)]
    json["untilUSec"] = untilUSec.map(JSON.integer)
    json["items"] = items.map(JSON.string)
    json["note"] = note.map(JSON.string)
    json["answeredAtUSec"] = .integer(answeredAt)
    return json
  }
}

extension GrantRow {
  func export(items: [GrantItemRow]) -> JSONObject {
    var json: JSONObject = ["grant": .string(id), "lifetime": .string(lifetime)]
    json["items"] = .array(items.map { ["subject": .string($0.subject), "action": .string($0.action)] })
    json["grantedAtUSec"] = .integer(grantedAt)
    json["expiresAtUSec"] = expiresAt.map(JSON.integer)
    json["endedAtUSec"] = endedAt.map(JSON.integer)
    json["endedReason"] = endedReason.map(JSON.string)
    return json
  }
}

extension EventRow {
  var export: JSONObject {
    var json: JSONObject = ["asker": .object(asker.export), "sequence": .integer(sequence), "event": .string(event)]
    json["topicKey"] = topicKey.map(JSON.string)
    json["question"] = question.map(JSON.string)
    json["grant"] = grant.map(JSON.string)
    json["atUSec"] = .integer(at)
    return json
  }
}

extension AuditRow {
  /// What is left of the entry; `nil` where that is nothing.
  var export: JSONObject? {
    get throws {
      guard let entry = try historyEntry else { return nil }
      var json: JSONObject = [
        "sequence": .integer(entry.sequence), "atUSec": .integer(entry.at.usec), "kind": .string(entry.kind),
      ]
      json["app"] = entry.app.map { .string($0.text) }
      json["facts"] = .object(entry.facts)
      return json
    }
  }
}
