// SPDX-License-Identifier: Apache-2.0
//
// What an administrator says of an app. An entry is the only source of rights: whatever else a program says of itself
// is a label.
//
// The uid is the identity. A unit narrows it, and only a system service can: whoever owns a uid names the units of its
// user manager, and the scopes of Flatpak and snap in it, as they like. A service never answers what it asks, so its
// bridge is somebody else than itself.

package import StrictJSON

/// One registered app.
package struct AppEntry: Sendable {
  package let id: AppID
  /// The name shown beside the id, by language tag; `""` or else `en` is for everybody else.
  package let names: [String: String]
  /// The uid the app runs as.
  package let uid: UserID
  /// The system service it runs in; where set, a peer whose unit cannot be read is not the app.
  package let unit: String?
  /// The uid that answers for the service's contacts.
  package let bridgeUID: UserID?
  /// The app's versions in the order of their release, the oldest first.
  package let versions: [String]
  /// By name, what an onboarding asks.
  package let plans: [String: [Topic]]

  /// Errors name the place inside the entry: `bridgeUid`, `names.de`, `plans.start.0.description`.
  package init(
    id: AppID, names: [String: String] = [:], uid: UserID, unit: String? = nil, bridgeUID: UserID? = nil,
    versions: [String] = [], plans: [String: [JSONObject]] = [:]
  ) throws(ValueError) {
    try AppEntry.check(names: names)
    if let unit { try AppEntry.check(unit: unit) }
    guard bridgeUID != uid else {
      throw ValueError(
        field: "bridgeUid", rule: "another user than uid: nobody answers what it asks itself, so its bridge never could"
      )
    }
    try AppEntry.check(versions: versions)
    self.id = id
    self.names = names
    self.uid = uid
    self.unit = unit
    self.bridgeUID = bridgeUID
    self.versions = versions
    self.plans = try AppEntry.read(plans: plans)
  }
}

extension AppEntry {
  private static func check(names: [String: String]) throws(ValueError) {
    for (tag, name) in names.sorted(by: { $0.key < $1.key }) {
      guard tag.isEmpty || Form.isLanguageTag(tag.utf8) else {
        throw ValueError(field: "names.\(tag)", rule: "under a language tag such as en or pt-BR, or \"\"")
      }
      try TextRules.line(name, field: "names.\(tag)")
    }
    guard names.isEmpty || names[""] != nil || names["en"] != nil else {
      throw ValueError(field: "names", rule: "with one under \"\" or en, for readers of other languages")
    }
  }

  private static func check(unit: String) throws(ValueError) {
    let name = unit.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard unit.utf8.count <= 255, unit.hasSuffix(".service"), !name.isEmpty, !unit.utf8.contains(UInt8(ascii: "/")),
      !unit.hasPrefix("user@")
    else {
      throw ValueError(
        field: "unit", rule: "a system service such as chat.service; whoever owns a uid names the others")
    }
  }

  private static func check(versions: [String]) throws(ValueError) {
    for (index, version) in versions.enumerated() {
      try TextRules.line(version, field: "versions.\(index)")
      guard !versions[..<index].contains(where: { $0.isExactly(version) }) else {
        throw ValueError(field: "versions.\(index)", rule: "given once")
      }
    }
  }

  private static func read(plans: [String: [JSONObject]]) throws(ValueError) -> [String: [Topic]] {
    var read: [String: [Topic]] = [:]
    for (name, topics) in plans.sorted(by: { $0.key < $1.key }) {
      guard Form.isOpaque(name.utf8) else {
        throw ValueError(field: "plans.\(name)", rule: "under a name of 1 to 128 letters, digits or . _ ~ -")
      }
      guard !topics.isEmpty else { throw ValueError(field: "plans.\(name)", rule: "with at least one topic") }
      for (index, topic) in topics.enumerated() {
        do {
          read[name, default: []].append(try Topic(json: topic))
        } catch {
          throw ValueError(field: "plans.\(name).\(index).\(error.field)", rule: error.rule)
        }
      }
    }
    return read
  }
}
