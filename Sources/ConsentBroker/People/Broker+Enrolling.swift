// SPDX-License-Identifier: Apache-2.0
//
// Who is a person here, and who may answer for them. Doing again what is done is no error.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Enrols a person; a `displayName` replaces the one that stands.
  /// Throws `notAvailable(personChanged)` where the uid was enrolled under another login name than it has now.
  package func addPerson(_ person: Person, displayName: String?, by peer: UserID) async throws(Refusal) {
    let login = try person.user.map { uid throws(Refusal) in try enrollingLogin(of: uid) } ?? nil
    try await commit { transaction in
      try transaction.enrol(person, displayName: displayName, login: login, by: peer)
    }
  }

  /// Forgets a person with guardians and declarations. Open questions about them become moot, unless their time was up
  /// before, and grants end.
  package func removePerson(_ person: Person, by peer: UserID) async throws(Refusal) {
    try await commit { transaction in
      try transaction.remove(person, by: peer)
    }
  }

  /// Lets a guardian answer for a person. A `uid:` guardian becomes a person known to be an adult.
  /// Throws `unknownPerson`, `notAvailable(personChanged)`, and `invalidValue(guardian)` where nobody like that may be a
  /// guardian.
  package func addGuardian(
    _ guardian: Guardian, for person: Person, displayName: String?, by peer: UserID
  ) async throws(Refusal) {
    let today = clock.today
    let rules = rules
    let declaration = DeclarationID.random()
    let login = try guardian.user.map { uid throws(Refusal) in try enrollingLogin(of: uid) } ?? nil
    try await commit { transaction in
      let record = try transaction.enrolled(person)
      if !record.guardians.contains(guardian) {
        try transaction.check(guardian, for: record, today: today, rules.policy)
      }
      if let uid = guardian.user {
        try transaction.enrol(.user(uid), displayName: nil, login: login, by: peer)
        try transaction.vouchForAdult(.user(uid), declaration: declaration, today: today, rules.policy)
      }
      try transaction.rows.put(
        GuardianRow(
          person: person.description, guardian: guardian.description, displayName: displayName,
          loginName: login, addedAt: transaction.now.usec))
      if !record.guardians.contains(guardian) { try transaction.audit(.guardianAdded, guardian, of: person, by: peer) }
      try transaction.touchOpenQuestions(about: person)
    }
  }

  /// Lets a guardian no longer answer. Open questions stay open for the others.
  package func removeGuardian(
    _ guardian: Guardian, of person: Person, by peer: UserID
  ) async throws(Refusal) {
    try await commit { transaction in
      _ = try transaction.enrolled(person)
      if try transaction.rows.removeGuardian(guardian.description, of: person.description) {
        try transaction.audit(.guardianRemoved, guardian, of: person, by: peer)
      }
      try transaction.touchOpenQuestions(about: person)
    }
  }

  /// Whose people a list shows.
  package enum Circle: Sendable {
    case everybody
    /// The accounts of these apps.
    case accounts(of: [AppID])
    /// Those for whom the viewer may answer.
    case own(Viewer)
  }

  /// One page of the people of a circle, in the order of their wire form, and where the next page starts.
  package func people(
    _ circle: Circle, after: String?, limit: Int
  ) throws(Refusal) -> (people: [EnrolledPerson], next: String?) {
    let apps = rules.apps
    return try read { rows in
      let found = try rows.people(circle, apps, after: after, limit: limit + 1)
      let people = try found.prefix(limit).map { row in
        EnrolledPerson(
          person: try Person(stored: row.person), displayName: row.displayName,
          guardians: try rows.guardians(of: row.person).map { try Guardian(stored: $0.guardian) })
      }
      return (people, found.count > limit ? found[limit - 1].person : nil)
    }
  }

}

extension StoreReader {
  fileprivate func people(
    _ circle: Broker.Circle, _ apps: AppRegistry, after: String?, limit: Int
  ) throws(StoreError) -> [PersonRow] {
    switch circle {
    case .everybody: return try people(after: after, limit: limit)
    case .own(let viewer):
      guard let voices = viewer.voices(apps) else { return try people(after: after, limit: limit) }
      return try people(ofVoices: voices, after: after, limit: limit)
    case .accounts(let apps):
      var found: [PersonRow] = []
      for prefix in apps.map({ "account:\($0)/" }).sorted() where found.count < limit {
        found += try people(withPrefix: prefix, after: after, limit: limit - found.count)
      }
      return found
    }
  }
}

extension Transaction {
  /// The record of an enrolled person.
  func enrolled(_ person: Person) throws -> PersonRecord {
    try rows.requireEnrolled(person)
    return try PersonRecord(of: person, in: rows)
  }

  /// Enrols a person, a local user under the present login name of the uid.
  fileprivate func enrol(_ person: Person, displayName: String?, login: String?, by peer: UserID) throws {
    if let uid = person.user { try rows.requireUnchanged(uid) { _ in login.map(PresentLogin.name) ?? .none } }
    let row = PersonRow(person: person.description, displayName: displayName, loginName: login, addedAt: now.usec)
    if try rows.person(row.person) == nil { try audit(.personAdded(row, by: peer)) }
    try rows.put(row)
  }

  fileprivate mutating func remove(_ person: Person, by peer: UserID) throws {
    try endEverything(about: person, reason: .personRemoved)
    guard try rows.removePerson(person.description) else { return }
    try audit(AuditEntry(.personRemoved, about: person, by: peer))
  }

  /// Ends what is open and what was granted about a person, all of it or what one app asked.
  mutating func endEverything(about person: Person, of app: AppID? = nil, reason: Reason) throws {
    try endQuestions(about: person, of: app, reason: reason)
    for grant in try rows.liveGrants(of: person.description) where app == nil || grant.asker.app == app?.text {
      guard try rows.endGrant(grant.id, at: now.usec, reason: reason.rawValue, by: nil, note: nil) else { continue }
      try audit(.grantEnded, grant: grant.id)
      guard let question = try grant.question.flatMap({ try rows.question($0) }) else { continue }
      try record(.grantEnded, about: question, grant: grant.id)
    }
  }

  /// Ends what is open about somebody of whom it needs not be asked any more.
  mutating func endQuestions(about person: Person, of app: AppID? = nil, reason: Reason) throws {
    for question in try openQuestions(about: person) where app == nil || question.asker.app == app?.text {
      let isOver = question.expiresAt <= now.usec
      _ = try end(question, isOver ? .expired(question) : .moot(at: now, reason: reason.rawValue))
    }
  }

  /// Tells companions that who may answer has changed.
  mutating func touchOpenQuestions(about person: Person) throws {
    for question in try openQuestions(about: person) { touch(try question.identity) }
  }

  func openQuestions(about person: Person) throws -> [QuestionRow] {
    try rows.questions(
      QuestionFilter(people: [person.description], state: QuestionState.pending.rawValue), after: nil, limit: .max)
  }

  fileprivate func check(
    _ guardian: Guardian, for record: PersonRecord, today: CivilDate, _ policy: Policy
  ) throws {
    let candidate = try guardian.user.map { try PersonRecord(of: .user($0), in: rows) }
    let age = candidate?.age(on: today)
    guard record.guardians.count < GuardianRule.most else {
      throw Refusal.invalidValue(field: "guardian", rule: "one of at most \(GuardianRule.most) of a person")
    }
    do throws(ValueError) {
      try GuardianRule.check(
        guardian, for: record.person, hasGuardians: candidate?.guardians.isEmpty == false,
        age: age, policy: policy)
    } catch {
      throw Refusal.invalidValue(field: error.field, rule: error.rule)
    }
    if try isGuardian(record.person) {
      throw Refusal.invalidValue(field: "person", rule: "nobody who is a guardian of somebody else")
    }
  }

  /// Whether this local user may answer for somebody.
  func isGuardian(_ person: Person) throws -> Bool {
    guard let uid = person.user else { return false }
    return try !rows.people(ofVoices: [Guardian.user(uid).voice], after: nil, limit: 1).isEmpty
  }

  /// A guardian's own age gates must not stand in their way: whoever enrols them says that they are of age.
  fileprivate func vouchForAdult(
    _ person: Person, declaration id: DeclarationID, today: CivilDate, _ policy: Policy
  ) throws {
    guard try PersonRecord(of: person, in: rows).age(on: today)?.bounds.isAtLeast(policy.adultAge) != true else {
      return
    }
    let age = DeclaredAge.bounds(lower: policy.adultAge, upper: nil, asOf: today)
    try declare(age, of: person, as: .administratorDeclared, "enrolment", .unchecked, id: id)
  }
}
