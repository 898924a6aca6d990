// SPDX-License-Identifier: Apache-2.0
//
// What the store knows of a person, as far as the rules need it.
//
// Reading it is total: somebody nobody enrolled has a record too, with an unknown age and no guardian.

import ConsentModel
import ConsentStore

/// A person with guardians and declarations, read in one transaction.
struct PersonRecord {
  let person: Person
  /// In the order in which they were added.
  let guardians: [Guardian]
  /// In the order in which they were made; `nil` for one that does not read.
  let declarations: [Declaration?]

  init(of person: Person, in rows: any StoreReader) throws {
    self.person = person
    guardians = try rows.guardians(of: person.description).map { try Guardian(stored: $0.guardian) }
    declarations = try rows.declarations(of: person.description).map { Declaration(row: $0) }
  }

  /// The age that counts on a civil date; `nil` where it is unknown.
  func age(on today: CivilDate) -> EffectiveAge? {
    EffectiveAge(of: declarations, on: today, hasGuardian: !guardians.isEmpty)
  }

  /// Whether and by whom a question that `asker` puts could be decided.
  func standing(towards asker: Asker, on today: CivilDate, _ rules: BrokerRules) -> Standing {
    Standing(
      person: person, askedBy: asker.uid, guardians: guardians, age: age(on: today), policy: rules.policy,
      deciders: rules.deciders)
  }
}

extension StoreReader {
  /// Throws `unknownPerson` unless the person is enrolled.
  func requireEnrolled(_ person: Person) throws {
    guard try self.person(person.description) != nil else { throw Refusal.unknownPerson(person.description) }
  }
}
