// SPDX-License-Identifier: Apache-2.0
//
// One entry of the list of people.

/// A person with everybody who may answer for them, in the order in which they were added.
package struct EnrolledPerson: Sendable, Equatable {
  package var person: Person
  package var displayName: String?
  package var guardians: [Guardian]

  package init(person: Person, displayName: String?, guardians: [Guardian]) {
    self.person = person
    self.displayName = displayName
    self.guardians = guardians
  }
}
