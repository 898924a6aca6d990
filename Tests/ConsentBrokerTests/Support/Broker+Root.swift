// SPDX-License-Identifier: Apache-2.0
//
// Where it does not matter who administers, root does.

import ConsentBroker
import ConsentModel

extension Broker {
  func addPerson(_ person: Person, displayName: String?) async throws(Refusal) {
    try await addPerson(person, displayName: displayName, by: 0)
  }

  func removePerson(_ person: Person) async throws(Refusal) { try await removePerson(person, by: 0) }

  func addGuardian(_ guardian: Guardian, for person: Person, displayName: String?) async throws(Refusal) {
    try await addGuardian(guardian, for: person, displayName: displayName, by: 0)
  }

  func removeGuardian(_ guardian: Guardian, of person: Person) async throws(Refusal) {
    try await removeGuardian(guardian, of: person, by: 0)
  }

  func movePerson(_ person: Person, to other: Person) async throws(Refusal) {
    try await movePerson(person, to: other, by: 0)
  }

  func forget(_ person: Person, app: AppID) async throws(Refusal) { try await forget(person, app: app, by: 0) }

  func erase(_ person: Person) async throws(Refusal) { try await erase(person, by: 0) }
}
