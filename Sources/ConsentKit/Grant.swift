// SPDX-License-Identifier: Apache-2.0
//
// What approvals gave and how it is taken back, as a companion shows and does it. A lifetime or an ending that is not
// known is shown as it is; a grant without an end holds until somebody takes it back.

package import StrictJSON

/// One thing a grant covers: a change; a handle with an action; or a level of a resource.
public struct GrantItem: Sendable, Hashable {
  /// significantUpdate: the change's name.
  public var change: String?
  /// communication: the other person's handle.
  public var handle: String?
  /// communication: what is done, such as `message`.
  public var action: String?
  /// resource: how much of it.
  public var level: String?

  /// A part of a communication.
  public init(handle: String, action: String) {
    self.handle = handle
    self.action = action
  }

  init(_ json: JSONObject) {
    change = json["change"]?.string
    handle = json["handle"]?.string
    action = json["action"]?.string
    level = json["level"]?.string
  }

  package var json: JSONObject {
    var json: JSONObject = [:]
    for (name, value) in [("change", change), ("handle", handle), ("action", action), ("level", level)] {
      json[name] = value.map(JSON.string)
    }
    return json
  }
}

/// What an approval gave.
public struct Grant: Sendable {
  package let json: JSONObject

  /// The grant's id, 32 lower-case hex digits.
  public var grant: String { json["grant"]?.string ?? "" }
  /// Whose it is.
  public var person: String { json["person"]?.string ?? "" }
  /// The app that has it; `nil` where it gave no name.
  public var app: String? { json["app"]?.string }
  /// What the app's name is worth: `registered`, `claimed` or `unidentified`; open.
  public var provenance: String { json["provenance"]?.string ?? "" }
  /// The topic's subject in one line.
  public var topicKey: String { json["topicKey"]?.string ?? "" }
  /// What it covers.
  public var items: [GrantItem] { (json["items"]?.array ?? []).compactMap(\.object).map(GrantItem.init) }
  /// `persistent` or `until`; open.
  public var lifetime: String { json["lifetime"]?.string ?? "" }
  /// When it was given, in microseconds since the Unix epoch.
  public var grantedAtUSec: Int64 { json["grantedAtUSec"]?.integer ?? 0 }
  /// When it ends by itself, in microseconds since the Unix epoch; `nil` where it does not.
  public var untilUSec: Int64? { json["untilUSec"]?.integer }
  /// The question whose approval gave it.
  public var question: String? { json["question"]?.string }
  /// The guardian who gave it.
  public var guardian: String? { json["guardian"]?.string }
  /// When it ended, in microseconds since the Unix epoch; `nil` while it holds.
  public var endedAtUSec: Int64? { json["endedAtUSec"]?.integer }
  /// Why it ended: `revoked`, `expired`, …; open.
  public var endedReason: String? { json["endedReason"]?.string }
}

extension GuardianClient {
  /// What stands approved for the caller's own persons: person by person, the oldest first, from all pages.
  /// - Parameters:
  ///   - person: only this person's.
  ///   - app: only this app's.
  public func grants(person: String? = nil, app: String? = nil) async throws(ConsentError) -> [Grant] {
    var parameters: JSONObject = [:]
    parameters["person"] = person.map(JSON.string)
    parameters["app"] = app.map(JSON.string)
    return try await daemon.pages(.guardians, "org.consentd.Guardian.ListGrants", parameters, of: "grants")
      .map { Grant(json: $0) }
  }

  /// Takes back one grant, by its id or a unique prefix of at least 4 digits, and gives what ended: nothing where it had
  /// ended before. Refused with `UnknownGrant` where the caller has none like that to take back.
  /// - Parameter note: a word to whoever reads the record; the app does not see it.
  public func revoke(_ grant: String, note: String? = nil) async throws(ConsentError) -> [Grant] {
    try await revoke(["grant": .string(grant)], note)
  }

  /// Takes back everything a person has, and gives what ended: nothing where there was nothing.
  /// Refused with `NotPermitted` where the caller answers for no guardian of the person.
  /// - Parameters:
  ///   - app: only what this app has; `nil` for every app.
  ///   - note: a word to whoever reads the record; the apps do not see it.
  public func revoke(
    everythingOf person: String, app: String? = nil, note: String? = nil
  ) async throws(ConsentError) -> [Grant] {
    var parameters: JSONObject = ["person": .string(person)]
    parameters["app"] = app.map(JSON.string)
    return try await revoke(parameters, note)
  }

  private func revoke(_ what: JSONObject, _ note: String?) async throws(ConsentError) -> [Grant] {
    var parameters = what
    parameters["note"] = note.map(JSON.string)
    let reply = try await daemon.call(.guardians, "org.consentd.Guardian.Revoke", parameters)
    return (reply["grants"]?.array ?? []).compactMap(\.object).map { Grant(json: $0) }
  }
}
