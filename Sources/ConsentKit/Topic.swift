// SPDX-License-Identifier: Apache-2.0
//
// What an app can ask about, one function for each kind. A topic is made here and judged by the daemon: nothing is
// checked twice, so a text that is too long or a word that is not known comes back as a refusal that names the field.
// What is left out is not sent.

package import StrictJSON

/// One topic, as it goes to the guardians.
public struct Topic: Sendable {
  package let json: JSONObject

  /// A change of the app that needs consent. For a status, `change` is enough.
  /// - Parameters:
  ///   - change: its name, such as a version; `nil`: made from the description.
  ///   - description: what changes, in words for the guardian.
  ///   - reasons: `dataCategories`, `ageRating`, `monetization`, `functionality`.
  ///   - ifDenied: `staysOnOldVersion`, `featureOff`, `appBlocked` or a sentence.
  public static func significantUpdate(
    _ change: String?, description: String? = nil, personDescription: String? = nil, reasons: [String] = [],
    ifDenied: String? = nil, sinceVersion: String? = nil, disclosureURL: String? = nil, language: String? = nil
  ) -> Topic {
    var json: JSONObject = ["kind": "significantUpdate"]
    json["change"] = change.map(JSON.string)
    if !reasons.isEmpty { json["reasons"] = .array(reasons.map(JSON.string)) }
    json["description"] = description.map(JSON.string)
    json["personDescription"] = personDescription.map(JSON.string)
    json["ifDenied"] = ifDenied.map(JSON.string)
    json["sinceVersion"] = sinceVersion.map(JSON.string)
    json["disclosureURL"] = disclosureURL.map(JSON.string)
    json["language"] = language.map(JSON.string)
    return Topic(json: json)
  }

  /// Contact with other people, by `actions` such as `message` or `videoCall`.
  public static func communication(with people: [Contact], actions: [String]) -> Topic {
    Topic(json: [
      "kind": "communication", "people": .array(people.map { .object($0.json) }),
      "actions": .array(actions.map(JSON.string)),
    ])
  }

  /// A resource under a reverse-domain name of the app's own. For a status, the name is enough.
  public static func resource(
    _ name: String, purpose: String? = nil, level: String? = nil, ifDenied: String? = nil
  ) -> Topic {
    var json: JSONObject = ["kind": "resource", "resource": .string(name)]
    json["level"] = level.map(JSON.string)
    json["purpose"] = purpose.map(JSON.string)
    json["ifDenied"] = ifDenied.map(JSON.string)
    return Topic(json: json)
  }
}

/// Another person in a communication.
public struct Contact: Sendable {
  package let json: JSONObject

  /// - Parameters:
  ///   - handle: the address the app knows them by.
  ///   - kind: `phoneNumber`, `emailAddress`, `custom`, …
  ///   - name: what a guardian is shown beside it.
  public init(handle: String, kind: String, name: String? = nil) {
    var json: JSONObject = ["handle": .string(handle), "kind": .string(kind)]
    json["name"] = name.map(JSON.string)
    self.json = json
  }
}
