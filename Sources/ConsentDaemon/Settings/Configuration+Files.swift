// SPDX-License-Identifier: Apache-2.0
//
// The files beside the main one: an app's entry, a policy.

import ConsentModel
import StrictJSON

extension AppEntry {
  /// Every entry in `apps.d`. Two entries with one id are a fault of the second.
  static func load(from directories: [String], _ reader: inout SettingsReader) -> [AppEntry] {
    var entries: [AppEntry] = []
    for path in reader.paths(of: "apps.d", in: directories) {
      reader.read(AppFile.self, at: path) { (file) throws(SettingsFault) in
        let entry = try file.entry(at: path)
        guard !entries.contains(where: { $0.id == entry.id }) else {
          throw SettingsFault(path, "id", "another entry has \(entry.id) already")
        }
        entries.append(entry)
      }
    }
    return entries
  }
}

/// One file of `apps.d`.
private struct AppFile: Decodable {
  let id: String
  let names: [String: String]
  let uid: ConfiguredUser
  let unit: String?
  let bridgeUid: ConfiguredUser?
  let versions: [String]
  let plans: [String: [WrittenJSON]]

  private enum CodingKeys: String, CodingKey, CaseIterable { case id, names, uid, unit, bridgeUid, versions, plans }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    names = try members.decodeIfPresent([String: String].self, forKey: .names) ?? [:]
    uid = try members.decode(ConfiguredUser.self, forKey: .uid)
    unit = try members.decodeIfPresent(String.self, forKey: .unit)
    bridgeUid = try members.decodeIfPresent(ConfiguredUser.self, forKey: .bridgeUid)
    versions = try members.decodeIfPresent([String].self, forKey: .versions) ?? []
    plans = try members.decodeIfPresent([String: [WrittenJSON]].self, forKey: .plans) ?? [:]
  }

  func entry(at path: String) throws(SettingsFault) -> AppEntry {
    let uid = try uid.uid(in: path, key: "uid")
    let bridge = try bridgeUid.map { (user) throws(SettingsFault) in try user.uid(in: path, key: "bridgeUid") }
    do {
      return try AppEntry(
        id: try AppID(parsing: id, field: "id"), names: names, uid: uid, unit: unit, bridgeUID: bridge,
        versions: versions, plans: plans.mapValues { $0.map(\.json.object).map { $0 ?? [:] } })
    } catch {
      throw SettingsFault(path, error.field, error.rule)
    }
  }
}

extension Policy {
  /// The policy with this id from `policies.d`, of which every file is read; `baseline` is known without one. That there
  /// is none is a fault of the file that chose it.
  static func load(
    _ id: String, chosenIn file: String, from directories: [String], _ reader: inout SettingsReader
  ) -> Policy {
    var chosen = id == baseline.id ? baseline : nil
    let paths = reader.paths(of: "policies.d", in: directories)
    for path in paths {
      let name = String(SettingsFile.name(of: path).dropLast(".json5".count))
      reader.read(PolicyFile.self, at: path) { (file) throws(SettingsFault) in
        let policy = try file.policy(id: name, at: path)
        if name == id { chosen = policy }
      }
    }
    if chosen == nil, !paths.contains(where: { SettingsFile.name(of: $0) == "\(id).json5" }) {
      reader.object(SettingsFault(file, "policy", "there is no policies.d/\(id).json5"))
    }
    return chosen ?? baseline
  }
}

/// One file of `policies.d`.
private struct PolicyFile: Decodable {
  let id: String
  let version: String
  let gates: [Int64]
  let adultAge: Int

  private enum CodingKeys: String, CodingKey, CaseIterable { case id, version, gates, adultAge, sources }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    version = try members.decode(String.self, forKey: .version)
    gates = try members.decode([Int64].self, forKey: .gates)
    adultAge = try members.decode(Int.self, forKey: .adultAge)
    _ = try members.decodeIfPresent([String].self, forKey: .sources)
  }

  func policy(id name: String, at path: String) throws(SettingsFault) -> Policy {
    guard id == name else { throw SettingsFault(path, "id", "\(id) does not match the file's name") }
    guard (2...120).contains(adultAge) else { throw SettingsFault(path, "adultAge", "from 2 to 120") }
    do {
      return Policy(id: id, version: version, gates: try Gates(gates), adultAge: adultAge)
    } catch {
      throw SettingsFault(path, "gates", "\(error.rule)")
    }
  }
}
