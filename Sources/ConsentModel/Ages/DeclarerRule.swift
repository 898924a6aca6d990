// SPDX-License-Identifier: Apache-2.0
//
// In which capacity somebody declares an age. A person who has guardians has no say in their own age, not even as an
// administrator: no child declares itself an adult. A registered service declares its own accounts' and nobody else's.

/// Who may declare a person's age, and as what.
package struct DeclarerRule: Sendable {
  /// Whether one uid may play every role, as in a sandbox.
  package let anyRole: Bool

  package init(anyRole: Bool) { self.anyRole = anyRole }

  /// The source of a declaration by `peer` about `person`; `nil`: not permitted. A guardian who is also an
  /// administrator speaks as guardian, so that the other guardians' word counts as much.
  package func source(
    peer: UserID, isAdministrator: Bool, person: Person, guardians: [Guardian]
  ) -> DeclarationSource? {
    if anyRole { return guardians.isEmpty ? .administratorDeclared : .guardianDeclared }
    if person == .user(peer) && !guardians.isEmpty { return nil }
    if guardians.contains(.user(peer)) { return .guardianDeclared }
    if isAdministrator { return .administratorDeclared }
    return person == .user(peer) ? .selfDeclared : nil
  }

  /// The source of a declaration by the registered service `app` about `person`; `nil`: not permitted, in a sandbox
  /// either.
  package func source(service app: AppID, person: Person) -> DeclarationSource? {
    guard case .account(app, _) = person else { return nil }
    return .serviceDeclared
  }
}
