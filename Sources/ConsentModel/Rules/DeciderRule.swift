// SPDX-License-Identifier: Apache-2.0
//
// Who may decide for a person (design, rule 7): one of the person's guardians, and neither the person nor the uid
// whose ask made the question, however they come. For a contact its service's bridge answers; without one nobody does.
// The same rule says whether there is anybody to ask at all, so that no question is made that nobody may answer.
//
// It judges by the entries that stand now. An entry that changes while a question is open ends no question: whoever may
// no longer answer is refused, and whoever else may still answers.

/// Why somebody may not decide; the `reason` of `NotPermitted`.
package enum DeciderObjection: String, CaseIterable, Sendable {
  /// Not a guardian of this person.
  case notGuardian
  /// Not the one who speaks for this guardian.
  case notSpeaker
  /// The person in question.
  case samePerson
  /// The uid that asked.
  case sameAsker
}

/// Who may answer a question.
package struct DeciderRule: Sendable {
  /// Whether one uid may play every role, as in a sandbox. Even there the guardian must be one of the person's.
  package let anyRole: Bool

  private let apps: AppRegistry

  package init(anyRole: Bool, apps: AppRegistry) {
    self.anyRole = anyRole
    self.apps = apps
  }

  /// What stands against `peer` answering as `guardian` a question about `person` that `asker` asked, or settling what
  /// it may ask; `nil`: nothing.
  package func objection(
    to guardian: Guardian, spokenForBy peer: UserID, person: Person, askedBy asker: UserID?, guardians: [Guardian]
  ) -> DeciderObjection? {
    guard guardians.contains(guardian) else { return .notGuardian }
    guard !anyRole else { return nil }
    guard apps.speaker(for: guardian) == peer else { return .notSpeaker }
    if person == .user(peer) { return .samePerson }
    return peer == asker ? .sameAsker : nil
  }

  /// Whether any of the guardians could ever answer a question about `person` that `asker` asks.
  package func someoneMayDecide(person: Person, askedBy asker: UserID, guardians: [Guardian]) -> Bool {
    guardians.contains { mayDecide($0, person: person, askedBy: asker) }
  }

  /// Those of the guardians who can answer a question about `person` that `asker` asked.
  package func deciders(person: Person, askedBy asker: UserID, guardians: [Guardian]) -> [Guardian] {
    guardians.filter { mayDecide($0, person: person, askedBy: asker) }
  }

  private func mayDecide(_ guardian: Guardian, person: Person, askedBy asker: UserID) -> Bool {
    guard !anyRole else { return true }
    guard let speaker = apps.speaker(for: guardian) else { return false }
    return speaker != asker && person != .user(speaker)
  }
}
