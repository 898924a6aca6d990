// SPDX-License-Identifier: Apache-2.0
//
// Who looks at questions from the guardians' side, and which of them are theirs.

package import ConsentModel

/// A caller on the guardians' socket.
package struct Viewer: Sendable, Equatable {
  /// For whom the caller speaks.
  package enum Role: Sendable, Equatable {
    /// For this guardian and nobody else.
    case guardian(Guardian)
    /// For everybody, as in a sandbox: for `speaker` where one is named, else for the person's first guardian.
    case everyone(speaker: Guardian?)
  }

  package let peer: UserID
  package let role: Role

  package init(peer: UserID, role: Role) {
    self.peer = peer
    self.role = role
  }

  /// The one guardian the caller speaks for; `nil` where it speaks for everybody.
  package var onlyGuardian: Guardian? { if case .guardian(let guardian) = role { guardian } else { nil } }

  /// As which guardian the caller would answer about `person`; `nil` where it can be none.
  func guardian(for person: PersonRecord) -> Guardian? {
    switch role {
    case .guardian(let guardian): guardian
    case .everyone(let speaker): speaker ?? person.guardians.first
    }
  }

  /// Whether the caller may see questions about `person`.
  func maySee(_ person: PersonRecord) -> Bool {
    switch role {
    case .guardian(let guardian): person.deciders.contains(guardian)
    case .everyone: true
    }
  }
}
