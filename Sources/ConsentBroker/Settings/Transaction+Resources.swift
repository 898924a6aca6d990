// SPDX-License-Identifier: Apache-2.0
//
// A resource that a guardian settles: what was granted of it and what is asked about it follow at once, as that
// guardian's answer, so that nobody waits for what is decided and no status contradicts the setting.

import ConsentModel
import ConsentStore

extension Transaction {
  /// The resource is denied or restricted: what was granted of it is revoked, what is asked about it denied. `false`:
  /// that is how it was.
  mutating func refuse(
    _ change: SettingChange, by guardian: Guardian, _ grants: [NewGrant], _ rules: BrokerRules
  ) throws -> Bool {
    let isNew = try keep(change, by: guardian)
    for grant in try rows.resourceGrants(change.name, of: change.person, app: change.app, at: now) {
      _ = try end(grant, .revoked, reason: Reason.revoked.rawValue, by: guardian.description)
    }
    try answerOpen(change, "deny", by: guardian, grants, rules)
    return isNew
  }

  /// The resource is approved: what is asked about it is approved, and whoever may ask as the app has it for good.
  /// `false`: that is how it was.
  mutating func approve(
    _ change: SettingChange, by guardian: Guardian, _ grants: [NewGrant], _ rules: BrokerRules
  ) throws -> Bool {
    guard try !needsOthers(change.person, rules) else {
      throw Refusal.invalidValue(
        field: "value", rule: "left to answers: an approval needs every guardian of this person (guardianRule)")
    }
    guard !grants.isEmpty else {
      throw Refusal.invalidValue(field: "app", rule: "one that can ask about this person")
    }
    var isNew = try drop(change, grants, rules)
    isNew = try answerOpen(change, "approve", by: guardian, grants, rules) || isNew
    for grant in grants where try !hasForGood(grant.asker, change) {
      try give(grant, change, by: guardian, rules)
      isNew = true
    }
    return isNew
  }

  /// The resource may be asked for again: what was granted of it ends. `false`: that is how it was.
  mutating func reopen(
    _ change: SettingChange, by guardian: Guardian, _ grants: [NewGrant], _ rules: BrokerRules
  ) throws -> Bool {
    var isNew = try drop(change, grants, rules)
    for grant in try rows.resourceGrants(change.name, of: change.person, app: change.app, at: now) {
      _ = try end(grant, reason: Reason.settings.rawValue, by: guardian.description)
      isNew = true
    }
    return isNew
  }

  /// Takes the stored value and what keeps the app from asking away; `false` where nothing was stored.
  private func drop(_ change: SettingChange, _ grants: [NewGrant], _ rules: BrokerRules) throws -> Bool {
    let (person, name) = (change.person.description, change.name.description)
    for grant in grants {
      let scope = AskingScope(of: grant.asker, provenance: rules.apps.provenance(of: grant.asker))
      try rows.deleteCoolDowns(person: person, scope: scope.description, subject: name)
    }
    return try rows.deleteSetting(person: person, app: change.app?.text ?? "", name: name)
  }

  /// Ends what is open about the resource with this choice; `false` where nothing was.
  @discardableResult
  private mutating func answerOpen(
    _ change: SettingChange, _ choice: String, by guardian: Guardian, _ grants: [NewGrant], _ rules: BrokerRules
  ) throws -> Bool {
    var answered = false
    for question in try openQuestions(about: change.person)
    where question.topicKey == change.name.description && question.asker.app == change.app?.text {
      if question.expiresAt <= now.usec {
        _ = try end(question, .expired(question))
        continue
      }
      let asker = try Asker(question.asker)
      guard let offered = try question.storedContent.choices.first(where: { $0.choice.isExactly(choice) }),
        let grant = grants.first(where: { $0.asker == asker })
      else { continue }
      let chosen = Chosen(choice: offered)
      try rows.put(try AnswerRow(chosen, by: guardian, to: question, note: nil, at: now))
      try decide(question, chosen, by: guardian, grant: grant.id, rules)
      answered = true
    }
    return answered
  }

  /// Whether the asker has the resource without an end.
  private func hasForGood(_ asker: Asker, _ change: SettingChange) throws -> Bool {
    try rows.resourceGrants(change.name, of: change.person, app: change.app, at: now)
      .contains { $0.asker == AskerKey(asker) && $0.expiresAt == nil }
  }

  /// Gives the resource without a question.
  private mutating func give(
    _ new: NewGrant, _ change: SettingChange, by guardian: Guardian, _ rules: BrokerRules
  ) throws {
    guard let subject = change.name.subject else { return }
    let grant = GrantRow(
      id: new.id.description, person: change.person.description, asker: AskerKey(new.asker),
      provenance: rules.apps.provenance(of: new.asker).rawValue, topicKey: change.name.description,
      kind: subject.kind.rawValue, lifetime: "persistent", grantedAt: now.usec, guardian: guardian.description)
    try rows.insert(grant, items: subject.items.map { GrantItemRow(subject: $0.subject, action: $0.action) })
    try record(.granted, about: grant)
    try audit(.granted, grant: grant.id)
  }

  /// Whether an approval for the person is not one guardian's to give.
  private func needsOthers(_ person: Person, _ rules: BrokerRules) throws -> Bool {
    let rule = try rows.setting(.guardianRule, of: person, app: nil, at: now)
    return try rule.value == GuardianCount.all.rawValue && PersonRecord(of: person, in: rows).guardians.count > 1
  }
}
