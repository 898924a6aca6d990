// SPDX-License-Identifier: Apache-2.0
//
// What holds for a person: what was stored, what an app has, and what holds by itself. That an app has a resource is
// said by its grants alone, so that no setting can say so when they have ended.

import ConsentModel
import ConsentStore

extension StoreReader {
  /// A setting as it holds at `now`.
  func setting(_ name: SettingName, of person: Person, app: AppID?, at now: Instant) throws -> Setting {
    var setting = Setting(
      person: person, app: app, name: name, value: SettingRule.standard(of: name), isDefault: true)
    let text = person.description
    if let own = try self.setting(person: text, app: app?.text ?? "", name: name.description) {
      try setting.choose(own.value, by: own.setBy, at: own.setAt)
    } else if case .resource = name {
      if let grant = try resourceGrants(name, of: person, app: app, at: now).first {
        try setting.choose(ResourceSetting.approved.rawValue, by: grant.guardian, at: grant.grantedAt)
      }
    } else if app != nil, let general = try self.setting(person: text, app: "", name: name.description) {
      setting.value = general.value
    }
    return setting
  }

  /// The live grants of a resource that askers of this app have.
  func resourceGrants(_ name: SettingName, of person: Person, app: AppID?, at now: Instant) throws -> [GrantRow] {
    try liveGrants(of: person.description).filter { grant in
      grant.topicKey == name.description && grant.asker.app == app?.text && grant.expiresAt ?? .max > now.usec
    }
  }

  /// Everything that holds for a person, in order: of one app, or of every app that has asked or has a setting.
  func settings(of person: Person, app: AppID?, at now: Instant) throws -> [Setting] {
    var names: [AppID?: Set<SettingName>] = app == nil ? [nil: [.guardianRule, .neverAsk]] : [:]
    for asker in try askers(about: person.description).map(\.asker) {
      guard let known = try Asker(asker).app, app ?? known == known else { continue }
      let keys = try topicKeys(of: person.description, asker: asker, kind: TopicKind.resource.rawValue)
      names[known, default: []].formUnion(keys.compactMap { try? SettingName(parsing: $0) })
    }
    for grant in try liveGrants(of: person.description) where grant.kind == TopicKind.resource.rawValue {
      guard let known = try Asker(grant.asker).app, app ?? known == known else { continue }
      names[known, default: []].formUnion([try? SettingName(parsing: grant.topicKey)].compactMap(\.self))
    }
    for row in try settings(of: person.description) where !row.app.isEmpty {
      guard let known = try? AppID(parsing: row.app), app ?? known == known else { continue }
      names[known, default: []].formUnion([try? SettingName(parsing: row.name)].compactMap(\.self))
    }
    if let app, names[app] == nil { names[app] = [] }
    let places = names.flatMap { app, names in
      (app == nil ? names : names.union([.neverAsk])).map { SettingPlace(person: person, app: app, name: $0) }
    }
    return try places.sorted().map { try setting($0.name, of: person, app: $0.app, at: now) }
  }
}

extension Setting {
  /// Notes what was chosen, by whom and when.
  fileprivate mutating func choose(_ value: String, by guardian: String?, at instant: Int64) throws {
    self.value = value
    isDefault = false
    setBy = try guardian.map { try Guardian(stored: $0) }
    setAt = Instant(usec: instant)
  }
}
