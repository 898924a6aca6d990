// SPDX-License-Identifier: Apache-2.0
//
// What the store knows of a person, as far as the rules need it.
//
// Reading it is total: somebody nobody enrolled has a record too, with an unknown age and no guardian. A guardian whose
// uid is somebody else's now still is one, so that a self-declared age does not begin to count, but decides nothing.

import ConsentModel
import ConsentStore

/// A person with guardians and declarations, read in one transaction.
struct PersonRecord {
  let person: Person
  /// In the order in which they were added.
  let guardians: [Guardian]
  /// Those of them whose uid is not somebody else's now.
  let deciders: [Guardian]
  /// In the order in which they were made; `nil` for one that does not read.
  let declarations: [Declaration?]

  /// Reads the record. Whose the guardians' uids are matters where somebody is to decide; `login` says it.
  init(of person: Person, in rows: any StoreReader, _ login: LoginLookUp = { _ in .none }) throws {
    self.person = person
    var (guardians, deciders): ([Guardian], [Guardian]) = ([], [])
    for row in try rows.guardians(of: person.description) {
      let guardian = try Guardian(stored: row.guardian)
      guardians.append(guardian)
      if try row.isUnchanged(guardian, login) { deciders.append(guardian) }
    }
    (self.guardians, self.deciders) = (guardians, deciders)
    declarations = try rows.declarations(of: person.description).map { Declaration(row: $0) }
  }

  /// The age that counts on a civil date; `nil` where it is unknown.
  func age(on today: CivilDate) -> EffectiveAge? {
    EffectiveAge(of: declarations, on: today, hasGuardian: !guardians.isEmpty)
  }

  /// Whether and by whom a question that `asker` puts could be decided.
  func standing(towards asker: Asker, on today: CivilDate, _ rules: BrokerRules) -> Standing {
    Standing(
      person: person, askedBy: asker.uid, guardians: deciders, age: age(on: today), policy: rules.policy,
      deciders: rules.deciders)
  }
}

extension GuardianRow {
  /// Whether the guardian is the one who was enrolled. Throws `notAvailable(accounts)` where that is not known.
  fileprivate func isUnchanged(_ guardian: Guardian, _ login: LoginLookUp) throws -> Bool {
    guard let loginName, let uid = guardian.user else { return true }
    switch LoginRule.objection(enrolledAs: loginName, present: login(uid)) {
    case nil: return true
    case .notAvailable(.personChanged, _)?: return false
    case let unknown?: throw unknown
    }
  }
}

extension StoreReader {
  /// Throws `unknownPerson` unless the person is enrolled.
  func requireEnrolled(_ person: Person) throws {
    guard try self.person(person.description) != nil else { throw Refusal.unknownPerson(person.description) }
  }
}
