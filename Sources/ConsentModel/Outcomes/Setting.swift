// SPDX-License-Identifier: Apache-2.0
//
// A setting as a guardian sees it: what holds, whether anybody chose it, and what else could be chosen.

/// One setting of a person.
package struct Setting: Sendable, Equatable {
  package var person: Person
  /// The app it is about; `nil`: every app, or the person as a whole.
  package var app: AppID?
  package var name: SettingName
  /// What holds now.
  package var value: String
  /// Whether it holds because nobody chose, rather than by a choice made for it.
  package var isDefault: Bool
  /// The guardian who chose it; absent where nobody did, or that is not known.
  package var setBy: Guardian?
  /// When it was chosen.
  package var setAt: Instant?

  package init(
    person: Person, app: AppID?, name: SettingName, value: String, isDefault: Bool, setBy: Guardian? = nil,
    setAt: Instant? = nil
  ) {
    self.person = person
    self.app = app
    self.name = name
    self.value = value
    self.isDefault = isDefault
    self.setBy = setBy
    self.setAt = setAt
  }

  /// The values it takes.
  package var choices: [String] { SettingRule.choices(of: name) }
}

extension Setting {
  /// Where it stands among all settings.
  package var place: SettingPlace { SettingPlace(person: person, app: app, name: name) }
}

/// A setting's place in the list of all: by person, then what holds for every app, then by app, then by name.
package struct SettingPlace: Sendable, Equatable, Comparable, CustomStringConvertible {
  package let person: Person
  package let app: AppID?
  package let name: SettingName

  package init(person: Person, app: AppID?, name: SettingName) {
    self.person = person
    self.app = app
    self.name = name
  }

  /// Reads what `description` wrote; `nil` where it is something else.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let person = try? Person(parsing: parts[0]), let name = try? SettingName(parsing: parts[2])
    else { return nil }
    var app: AppID?
    if !parts[1].isEmpty {
      guard let known = try? AppID(parsing: parts[1]) else { return nil }
      app = known
    }
    self.init(person: person, app: app, name: name)
  }

  /// Person, app and name with a space between, which none of them has.
  package var description: String { "\(person) \(app?.text ?? "") \(name)" }

  package static func < (left: SettingPlace, right: SettingPlace) -> Bool { left.order < right.order }

  private var order: (String, String, String) { (person.description, app?.text ?? "", name.description) }
}
