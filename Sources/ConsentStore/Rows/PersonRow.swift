// SPDX-License-Identifier: Apache-2.0
//
// The rows about people: who they are, who may answer for them, and who said how old they are. Values are the text the
// broker stored; nothing here knows what they mean.

/// A person whose age or consent can be in question.
package struct PersonRow: Sendable, Equatable {
  /// The wire form, for example `uid:1001`.
  package var person: String
  package var displayName: String?
  package var loginName: String?
  /// Microseconds since the Unix epoch.
  package var addedAt: Int64

  package init(person: String, displayName: String? = nil, loginName: String? = nil, addedAt: Int64) {
    self.person = person
    self.displayName = displayName
    self.loginName = loginName
    self.addedAt = addedAt
  }
}

/// One guardian of one person.
package struct GuardianRow: Sendable, Equatable {
  package var person: String
  /// The wire form, for example `uid:1000`.
  package var guardian: String
  package var displayName: String?
  package var loginName: String?
  /// Microseconds since the Unix epoch.
  package var addedAt: Int64

  package init(
    person: String, guardian: String, displayName: String? = nil, loginName: String? = nil, addedAt: Int64
  ) {
    self.person = person
    self.guardian = guardian
    self.displayName = displayName
    self.loginName = loginName
    self.addedAt = addedAt
  }
}

/// What somebody declared about a person's age: a birth date, or bounds that held on a date.
package struct DeclarationRow: Sendable, Equatable {
  package var id: String
  package var person: String
  package var source: String
  package var assurance: String
  package var declaredBy: String
  /// `YYYY-MM-DD`; absent where bounds were declared.
  package var birthDate: String?
  /// Years; at least one of the two where there is no birth date.
  package var lowerBound: Int?
  package var upperBound: Int?
  /// `YYYY-MM-DD`, the date on which the bounds held.
  package var asOfDate: String?
  /// Microseconds since the Unix epoch.
  package var declaredAt: Int64
  package var endedAt: Int64?
  package var endedReason: String?

  package init(
    id: String, person: String, source: String, assurance: String, declaredBy: String, birthDate: String? = nil,
    lowerBound: Int? = nil, upperBound: Int? = nil, asOfDate: String? = nil, declaredAt: Int64,
    endedAt: Int64? = nil, endedReason: String? = nil
  ) {
    self.id = id
    self.person = person
    self.source = source
    self.assurance = assurance
    self.declaredBy = declaredBy
    self.birthDate = birthDate
    self.lowerBound = lowerBound
    self.upperBound = upperBound
    self.asOfDate = asOfDate
    self.declaredAt = declaredAt
    self.endedAt = endedAt
    self.endedReason = endedReason
  }
}

extension PersonRow: Readable {
  static let columns = "person, display_name, login_name, added_at"

  init(reading columns: inout Columns) throws(StoreError) {
    person = try columns.next()
    displayName = try columns.next()
    loginName = try columns.next()
    addedAt = try columns.next()
  }
}

extension GuardianRow: Readable {
  static let columns = "person, guardian, display_name, login_name, added_at"

  init(reading columns: inout Columns) throws(StoreError) {
    person = try columns.next()
    guardian = try columns.next()
    displayName = try columns.next()
    loginName = try columns.next()
    addedAt = try columns.next()
  }
}

extension DeclarationRow: Readable {
  static let columns = """
    id, person, source, assurance, declared_by, birth_date, lower_bound, upper_bound, as_of_date, declared_at, \
    ended_at, ended_reason
    """

  init(reading columns: inout Columns) throws(StoreError) {
    id = try columns.next()
    person = try columns.next()
    source = try columns.next()
    assurance = try columns.next()
    declaredBy = try columns.next()
    birthDate = try columns.next()
    lowerBound = try columns.next()
    upperBound = try columns.next()
    asOfDate = try columns.next()
    declaredAt = try columns.next()
    endedAt = try columns.next()
    endedReason = try columns.next()
  }
}
