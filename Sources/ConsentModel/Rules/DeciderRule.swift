// SPDX-License-Identifier: Apache-2.0
//
// Who may decide for a person (design, rule 7): one of the person's guardians, and neither the person nor the uid
// whose ask made the question, however they come. The same rule says whether there is anybody to ask at all, so that
// no question is made that nobody may answer.

/// Why somebody may not decide; the `reason` of `NotPermitted`.
package enum DeciderObjection: String, CaseIterable, Sendable {
  /// Not a guardian of this person.
  case notGuardian
  /// The person in question.
  case samePerson
  /// The uid that asked.
  case sameAsker
}

/// Who may answer a question.
package struct DeciderRule: Sendable {
  /// Whether one uid may play every role, as in a sandbox. Even there the guardian must be one of the person's.
  package let anyRole: Bool

  package init(anyRole: Bool) { self.anyRole = anyRole }

  /// What stands against `peer` answering as `guardian` a question about `person` that `asker` asked; `nil`: nothing.
  /// That a peer may speak for a guardian other than its own uid is for the caller to know.
  package func objection(
    to guardian: Guardian, spokenForBy peer: UserID, person: Person, askedBy asker: UserID, guardians: [Guardian]
  ) -> DeciderObjection? {
    guard guardians.contains(guardian) else { return .notGuardian }
    guard !anyRole else { return nil }
    if person == .user(peer) || person == guardian.user.map(Person.user) { return .samePerson }
    if peer == asker || guardian == .user(asker) { return .sameAsker }
    return nil
  }

  /// Whether any of the guardians could ever answer a question about `person` that `asker` asks.
  package func someoneMayDecide(person: Person, askedBy asker: UserID, guardians: [Guardian]) -> Bool {
    guardians.contains { guardian in
      let isExcluded = guardian == .user(asker) || person == guardian.user.map(Person.user)
      return anyRole || !isExcluded
    }
  }
}

extension Guardian {
  /// The local user this is, if it is one.
  package var user: UserID? { if case .user(let uid) = self { uid } else { nil } }
}
