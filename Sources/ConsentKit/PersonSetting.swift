// SPDX-License-Identifier: Apache-2.0
//
// What a guardian has settled for a person, as a companion shows and changes it. Names and values are open: show one
// that is not known as it is, and offer a guardian only the choices that came with it.

package import StrictJSON

/// One setting of a person.
public struct PersonSetting: Sendable {
  package let json: JSONObject

  /// Whose.
  public var person: String { json["person"]?.string ?? "" }
  /// The app it is about; `nil`: every app, or the person as a whole.
  public var app: String? { json["app"]?.string }
  /// Its name: `neverAsk`, `guardianRule`, `resource/…`; open.
  public var setting: String { json["setting"]?.string ?? "" }
  /// What holds now; open.
  public var value: String { json["value"]?.string ?? "" }
  /// Whether nobody chose that for this person and app.
  public var isDefault: Bool { json["isDefault"]?.bool ?? false }
  /// The guardian who chose it.
  public var setBy: String? { json["setBy"]?.string }
  /// When it was chosen, in microseconds since the Unix epoch.
  public var setAtUSec: Int64? { json["setAtUSec"]?.integer }
  /// The values it takes.
  public var choices: [String] { (json["choices"]?.array ?? []).compactMap(\.string) }
}

extension GuardianClient {
  /// The settings of the caller's own persons, by person and app.
  public func settings(person: String? = nil, app: String? = nil) async throws(ConsentError) -> [PersonSetting] {
    var parameters: JSONObject = [:]
    parameters["person"] = person.map(JSON.string)
    parameters["app"] = app.map(JSON.string)
    return try await daemon.pages(.guardians, "org.consentd.Guardian.ListSettings", parameters, of: "settings")
      .map { PersonSetting(json: $0) }
  }

  /// Changes a setting, and does what follows from it.
  /// - Parameters:
  ///   - app: the app it is about; `nil` for every app, or the person as a whole.
  ///   - guardian: whose choice it is, where a bridge speaks for somebody.
  public func changeSetting(
    _ setting: String, to value: String, for person: String, app: String? = nil, guardian: String? = nil
  ) async throws(ConsentError) -> PersonSetting {
    var parameters: JSONObject = [
      "person": .string(person), "setting": .string(setting), "value": .string(value),
    ]
    parameters["app"] = app.map(JSON.string)
    parameters["guardian"] = guardian.map(JSON.string)
    let reply = try await daemon.call(.guardians, "org.consentd.Guardian.ChangeSetting", parameters)
    return PersonSetting(json: reply["setting"]?.object ?? [:])
  }
}
