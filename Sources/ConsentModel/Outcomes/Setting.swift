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
