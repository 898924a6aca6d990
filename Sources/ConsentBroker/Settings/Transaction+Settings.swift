// SPDX-License-Identifier: Apache-2.0
//
// What a change of a setting does, all of it in the transaction that stores it. A resource that is settled settles the
// questions about it too, as this guardian's answer: nobody waits for what is decided. `neverAsk` is about asks to come
// and ends nothing.

import ConsentModel
import ConsentStore
import StrictJSON

/// A grant that may have to be given, with an id drawn before the transaction, which may run twice.
struct NewGrant: Sendable {
  let asker: Asker
  let id: GrantID
}

extension StoreReader {
  /// Who may ask as this app about the person: the person's own uid or the service whose account it is, and whoever has
  /// done so; in a sandbox whoever changes the setting, too.
  func possibleAskers(_ change: SettingChange, _ rules: BrokerRules) throws -> [Asker] {
    guard let app = change.app, case .resource = change.name else { return [] }
    var askers = try askers(about: change.person.description).map { try Asker($0.asker) }.filter { $0.app == app }
    var uids = [rules.apps.ownUID(of: change.person, askedBy: app)]
    if rules.isSandbox { uids = [change.viewer.peer] }
    for uid in uids.compactMap(\.self) where !askers.contains(where: { $0.uid == uid }) {
      askers.append(Asker(uid: uid, app: app))
    }
    return askers
  }
}

extension AppRegistry {
  /// What the app of an asker is worth now.
  func provenance(of asker: Asker) -> Provenance {
    guard let app = asker.app else { return .unidentified }
    return entry(app)?.uid == asker.uid ? .registered : .claimed
  }

  /// The uid that asks as `app` about a person; `nil`: nobody does, because the app is registered to somebody else or
  /// the person is another service's account.
  fileprivate func ownUID(of person: Person, askedBy app: AppID) -> UserID? {
    switch person {
    case .user(let uid): entry(app).map { $0.uid == uid } ?? true ? uid : nil
    case .account(let service, _): service == app ? entry(app)?.uid : nil
    }
  }
}

extension Transaction {
  /// Carries a change out and gives the setting as it holds then.
  mutating func change(_ change: SettingChange, _ grants: [NewGrant], _ rules: BrokerRules) throws -> Setting {
    try rows.requireEnrolled(change.person)
    let guardian = try decider(of: change, rules)
    let before = try rows.setting(change.name, of: change.person, app: change.app, at: now)
    guard try carryOut(change, by: guardian, grants, rules) else { return before }
    var facts: JSONObject = [
      "setting": .string(change.name.description), "value": .string(change.value), "before": .string(before.value),
      "guardian": .string(guardian.description),
    ]
    facts["wasDefault"] = before.isDefault ? true : nil
    try audit(AuditEntry(.setting, about: change.person, app: change.app, by: change.viewer.peer, facts))
    return try rows.setting(change.name, of: change.person, app: change.app, at: now)
  }

  /// The guardian whose choice it is. Throws `notPermitted` where the caller may not decide for the person.
  private func decider(of change: SettingChange, _ rules: BrokerRules) throws -> Guardian {
    let person = try PersonRecord(of: change.person, in: rows)
    guard let guardian = try change.viewer.guardian(for: person, rules.apps) else {
      throw Refusal.notPermitted(reason: "\(change.person) has no guardian")
    }
    let asker = change.app.flatMap { rules.apps.ownUID(of: change.person, askedBy: $0) }
    if let objection = rules.deciders.objection(
      to: guardian, spokenForBy: change.viewer.peer, person: change.person, askedBy: asker,
      guardians: person.guardians)
    {
      throw Refusal.notPermitted(reason: objection.rawValue)
    }
    return guardian
  }

  /// `false`: that is how it was.
  private mutating func carryOut(
    _ change: SettingChange, by guardian: Guardian, _ grants: [NewGrant], _ rules: BrokerRules
  ) throws -> Bool {
    switch (change.name, ResourceSetting(rawValue: change.value)) {
    case (.resource, .denied?), (.resource, .restricted?):
      return try refuse(change, by: guardian, grants, rules)
    case (.resource, .approved?): return try approve(change, by: guardian, grants, rules)
    case (.resource, _): return try reopen(change, by: guardian, grants, rules)
    case (.neverAsk, _): return try keep(change, by: guardian)
    case (.guardianRule, _):
      guard try keep(change, by: guardian) else { return false }
      try reevaluate(change.person, rules)
      return true
    }
  }

  /// Stores the value; `false` where it is what was stored.
  func keep(_ change: SettingChange, by guardian: Guardian) throws -> Bool {
    let (person, app, name) = (change.person.description, change.app?.text ?? "", change.name.description)
    guard try rows.setting(person: person, app: app, name: name)?.value.isExactly(change.value) != true else {
      return false
    }
    try rows.put(
      SettingRow(
        person: person, app: app, name: name, value: change.value, setBy: guardian.description, setAt: now.usec))
    return true
  }
}
