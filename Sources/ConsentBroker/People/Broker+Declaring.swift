// SPDX-License-Identifier: Apache-2.0
//
// Ages: who declares them, and what an app is told.

package import ConsentModel
import ConsentStore

/// Who declares an age.
package enum Declarer: Sendable {
  /// A uid. In which capacity depends on who the person's guardians are when it is stored.
  case peer(UserID, isAdministrator: Bool)
  /// A registered service. It stays the same declarer when its uid changes.
  case service(AppID)

  /// The same for the same declarer.
  fileprivate var name: String {
    switch self {
    case .peer(let uid, _): Guardian.user(uid).description
    case .service(let app): app.description
    }
  }
}

extension Broker {
  /// Declares a person's age, in place of what the same declarer said before.
  /// Open questions about somebody who is an adult from now on become moot.
  /// Throws `notPermitted`, `unknownPerson`, `notAvailable(personChanged)`, and `invalidValue` where a guardian would be
  /// declared a minor.
  package func declareAge(
    _ age: DeclaredAge, of person: Person, by declarer: Declarer, assurance: Assurance
  ) async throws(Refusal) -> DeclarationID {
    let id = DeclarationID.random()
    let today = clock.today
    let rules = rules
    if case .peer(let uid, isAdministrator: false) = declarer { try requireUnchanged(uid) }
    try await commit { transaction in
      let source = try transaction.capacity(of: declarer, towards: person, rules)
      try transaction.rows.requireEnrolled(person)
      if try transaction.isGuardian(person), !age.bounds(on: today).isAtLeast(rules.policy.adultAge) {
        throw Refusal.invalidValue(
          field: "person", rule: "nobody who is a guardian: a guardian is at least \(rules.policy.adultAge)")
      }
      try transaction.declare(age, of: person, as: source, declarer.name, assurance, id: id)
      try transaction.endQuestionsOfAdult(person, today: today, rules.policy)
    }
    return id
  }

  /// Between which of an app's gates the person's age lies. Throws `notAvailable(personChanged)`.
  package func ageRange(of person: Person, gates: Gates) throws(Refusal) -> SharedAge {
    let record = try read { rows in
      if let uid = person.user { try rows.requireUnchanged(uid, self.login) }
      return try PersonRecord(of: person, in: rows)
    }
    guard let age = record.age(on: clock.today), let range = AgeRange(age.bounds, gates: gates) else {
      let nextAction: NextAction = record.guardians.isEmpty ? .askLater : .askGuardian
      return .notDetermined(nextAction: nextAction, reason: .ageUnknown)
    }
    let isGuarded = !record.guardians.isEmpty && !age.bounds.isAtLeast(rules.policy.adultAge)
    return .shared(
      SharedAge.Shared(
        range: range, gates: gates.ages, source: age.source, assurance: age.assurance, asOf: clock.now,
        controls: isGuarded ? ["guardianConsent"] : []))
  }

  /// Everybody who may answer for the person.
  package func guardians(of person: Person) throws(Refusal) -> [Guardian] {
    try read { try PersonRecord(of: person, in: $0) }.guardians
  }
}

extension Transaction {
  /// As what a peer declares the person's age. Throws `notPermitted` where it is none of the peer's business.
  fileprivate func capacity(
    of declarer: Declarer, towards person: Person, _ rules: BrokerRules
  ) throws -> DeclarationSource {
    let rule = DeclarerRule(anyRole: rules.isSandbox)
    let source: DeclarationSource? =
      switch declarer {
      case .peer(let uid, let isAdministrator):
        rule.source(
          peer: uid, isAdministrator: isAdministrator, person: person,
          guardians: try PersonRecord(of: person, in: rows).guardians)
      case .service(let app): rule.source(service: app, person: person)
      }
    guard let source else {
      throw Refusal.notPermitted(
        reason: "only a guardian, an administrator, or the service of an account may declare this person's age")
    }
    return source
  }

  /// Puts a declaration in the place of the same declarer's earlier one. `name` is the same for the same declarer.
  func declare(
    _ age: DeclaredAge, of person: Person, as source: DeclarationSource, _ name: String, _ assurance: Assurance,
    id: DeclarationID
  ) throws {
    let replaced = try rows.endDeclarations(
      person: person.description, source: source.rawValue, declaredBy: name, at: now.usec, reason: "replaced")
    let row = DeclarationRow(age, of: person, as: source, name, assurance: assurance, id: id, at: now)
    try rows.insert(row)
    try audit(.declaration(row, replaces: replaced > 0))
  }

  /// Nobody is asked about an adult, so nobody waits for an answer either.
  fileprivate mutating func endQuestionsOfAdult(_ person: Person, today: CivilDate, _ policy: Policy) throws {
    let age = try PersonRecord(of: person, in: rows).age(on: today)
    guard age?.bounds.isAtLeast(policy.adultAge) == true else { return }
    try endQuestions(about: person, reason: .adult)
  }
}
