// SPDX-License-Identifier: Apache-2.0
//
// A guardian looks at what is settled for a person, and settles it otherwise.

package import ConsentModel
import ConsentStore

/// One change of one setting, which `SettingRule` has let pass.
package struct SettingChange: Sendable {
  let person: Person
  let app: AppID?
  let name: SettingName
  let value: String
  let viewer: Viewer

  package init(person: Person, app: AppID?, name: SettingName, value: String, viewer: Viewer) {
    self.person = person
    self.app = app
    self.name = name
    self.value = value
    self.viewer = viewer
  }
}

extension Broker {
  /// People that are read at a time for a list of settings.
  private static let peopleAtOnce = 16

  /// One page of the settings of those the viewer may answer for, and where the next page starts.
  package func settings(
    for viewer: Viewer, person: Person?, app: AppID?, after: SettingPlace?, limit: Int
  ) throws(Refusal) -> (settings: [Setting], next: SettingPlace?) {
    let now = clock.now
    return try read { rows in
      var found: [Setting] = []
      // The person with whom the page before ended may have more settings.
      var people = [person ?? after?.person].compactMap(\.self)
      var last = after?.person.description
      repeat {
        for person in people where try found.count <= limit && self.isGuarded(person, by: viewer, in: rows) {
          found += try rows.settings(of: person, app: app, at: now).filter { setting in
            after.map { $0 < setting.place } ?? true
          }
        }
        people = person == nil && found.count <= limit ? try self.people(of: viewer, after: last, in: rows) : []
        last = people.last?.description
      } while !people.isEmpty
      let page = Array(found.prefix(limit))
      return (page, page.count < found.count ? page.last?.place : nil)
    }
  }

  /// The next people among whom the viewer's may be.
  private func people(of viewer: Viewer, after: String?, in rows: any StoreReader) throws -> [Person] {
    guard let voices = viewer.voices(rules.apps) else {
      return try rows.people(after: after, limit: Self.peopleAtOnce).map { try Person(stored: $0.person) }
    }
    return try rows.people(ofVoices: voices, after: after, limit: Self.peopleAtOnce)
      .map { try Person(stored: $0.person) }
  }

  /// Whether there is something to settle for a person, and the viewer may see it.
  private func isGuarded(_ person: Person, by viewer: Viewer, in rows: any StoreReader) throws -> Bool {
    let record = try PersonRecord(of: person, in: rows, login)
    return !record.guardians.isEmpty && viewer.maySee(record, rules.apps)
  }

  /// Changes a setting and carries out what follows from it, in one step.
  /// Throws `notPermitted`, `unknownPerson`, `invalidValue`, `notAvailable(personChanged)`.
  package func change(_ change: SettingChange) async throws(Refusal) -> Setting {
    try requireSight(of: change.person, for: change.viewer)
    let rules = rules
    let uid = change.viewer.user
    let logins = try read { try self.logins(of: [uid].compactMap(\.self), in: $0) }
    let grants = try read { try $0.possibleAskers(change, rules) }.map { NewGrant(asker: $0, id: .random()) }
    return try await commit { transaction in
      if let uid { try transaction.rows.requireUnchanged(uid) { logins[$0] ?? .none } }
      return try transaction.change(change, grants, rules)
    }
  }
}
