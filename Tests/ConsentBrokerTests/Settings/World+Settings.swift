// SPDX-License-Identifier: Apache-2.0
//
// Settings in one line each.

import ConsentBroker
import ConsentModel

extension SettingName {
  /// The setting of the resource that `Topic.resource()` asks for.
  static let screenTime = SettingName.resource("org.example.screenTime")
}

extension World {
  /// Changes a setting, to the end. Ann does, for Mia's chat, unless said otherwise.
  @discardableResult
  func set(
    _ name: SettingName, _ value: String, for person: Person = .mia, app: AppID? = .chat, by viewer: Viewer = .ann
  ) throws -> Setting {
    let change = SettingChange(person: person, app: app, name: name, value: value, viewer: viewer)
    return try run { [broker] in try await broker.change(change) }
  }

  /// All settings that somebody sees, from pages of `limit`.
  func settings(
    by viewer: Viewer = .ann, of person: Person? = nil, app: AppID? = nil, limit: Int = 100
  ) throws -> [Setting] {
    var (found, place): ([Setting], SettingPlace?) = ([], nil)
    repeat {
      let page = try broker.settings(for: viewer, person: person, app: app, after: place, limit: limit)
      found += page.settings
      place = page.next
    } while place != nil
    return found
  }

  /// The same in words: person, app, name, value, and who chose it.
  func settingLines(by viewer: Viewer = .ann, of person: Person? = nil, app: AppID? = nil) throws -> [String] {
    try settings(by: viewer, of: person, app: app).map { setting in
      let chosen = setting.isDefault ? "" : " by \(setting.setBy?.description ?? "?")"
      return "\(setting.person) \(setting.app?.text ?? "-") \(setting.name) \(setting.value)\(chosen)"
    }
  }
}
