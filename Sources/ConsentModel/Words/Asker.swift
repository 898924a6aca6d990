// SPDX-License-Identifier: Apache-2.0
//
// Who asks, how sure the name is, and who decides. The uid comes from the kernel and is the boundary; the app id may
// be no more than a label, and provenance says so. Provenance is shown and stored, never part of a key.

/// The owner of questions, keys and cursors: a peer's uid and the app it goes by.
package struct Asker: Hashable, Sendable {
  package let uid: UserID
  /// `nil` where no app is named.
  package let app: AppID?

  package init(uid: UserID, app: AppID?) {
    self.uid = uid
    self.app = app
  }
}

/// How sure the asker's app id is.
package enum Provenance: String, CaseIterable, Sendable {
  /// An entry of the administrator's matches the peer.
  case registered
  /// The peer says so.
  case claimed
  /// The peer named none.
  case unidentified
}

/// To whom a question is put.
package enum Decider: String, CaseIterable, Sendable {
  case guardians
  /// The person alone; it proves nothing against other programs of that uid.
  case selfDecided = "self"
}

/// Who brought a decision about.
package enum DecidedBy: String, CaseIterable, Sendable {
  case guardian
  case selfDecided = "self"
  case policy
}
