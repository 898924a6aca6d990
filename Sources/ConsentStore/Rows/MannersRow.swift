// SPDX-License-Identifier: Apache-2.0
//
// What is remembered so that nobody is asked again too soon, and what guardians set. A scope is the text for who shares
// a cool-down and a budget: `app:` and the id of a registered app, or `uid:` and the uid of any other asker.

/// How often and when one subject was turned down or came to nothing in a scope.
package struct CoolDownRow: Sendable, Equatable {
  package var person: String
  package var scope: String
  /// A topic key, or the kind where all topics of it count together.
  package var subject: String
  /// Since the last approval.
  package var denials: Int
  /// Microseconds since the Unix epoch, like all instants here; the latest.
  package var deniedAt: Int64?
  package var lapsedAt: Int64?
  /// When something new was let through since the last denial.
  package var newsAt: Int64?

  package init(
    person: String, scope: String, subject: String, denials: Int = 0, deniedAt: Int64? = nil, lapsedAt: Int64? = nil,
    newsAt: Int64? = nil
  ) {
    self.person = person
    self.scope = scope
    self.subject = subject
    self.denials = denials
    self.deniedAt = deniedAt
    self.lapsedAt = lapsedAt
    self.newsAt = newsAt
  }
}

/// What a guardian set for a person, for one app or for all.
package struct SettingRow: Sendable, Equatable {
  package var person: String
  /// `""`: for every app.
  package var app: String
  package var name: String
  package var value: String
  /// Who set it; `uid:1000`.
  package var setBy: String
  /// Microseconds since the Unix epoch.
  package var setAt: Int64

  package init(person: String, app: String = "", name: String, value: String, setBy: String, setAt: Int64) {
    self.person = person
    self.app = app
    self.name = name
    self.value = value
    self.setBy = setBy
    self.setAt = setAt
  }
}

extension CoolDownRow: Readable {
  static let columns = "person, scope, subject, denials, denied_at, lapsed_at, news_at"

  init(reading columns: inout Columns) throws(StoreError) {
    person = try columns.next()
    scope = try columns.next()
    subject = try columns.next()
    denials = try columns.next()
    deniedAt = try columns.next()
    lapsedAt = try columns.next()
    newsAt = try columns.next()
  }
}

extension SettingRow: Readable {
  static let columns = "person, app, name, value, set_by, set_at"

  init(reading columns: inout Columns) throws(StoreError) {
    person = try columns.next()
    app = try columns.next()
    name = try columns.next()
    value = try columns.next()
    setBy = try columns.next()
    setAt = try columns.next()
  }
}
