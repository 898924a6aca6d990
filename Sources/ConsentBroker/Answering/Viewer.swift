// SPDX-License-Identifier: Apache-2.0
//
// Who looks at questions from the guardians' side, and which of them are theirs.
//
// For whom a peer speaks is looked up whenever it matters, not when it connects: a bridge that loses its entry sees no
// more from then on, also on a stream that was open before.

package import ConsentModel

/// A caller on the guardians' socket.
package struct Viewer: Sendable, Equatable {
  /// For whom the caller speaks.
  package enum Role: Sendable, Equatable {
    /// For everybody whose answers are its to give: itself, and a bridge's contacts.
    case peer
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

  var seesEverybody: Bool { if case .everyone = role { true } else { false } }

  /// The local user as whom the caller answers, where it answers as one.
  var user: UserID? {
    switch role {
    case .peer: peer
    case .guardian(let guardian): guardian.user
    case .everyone: nil
    }
  }

  /// As which guardians the caller may answer about `person`.
  func guardians(for person: PersonRecord, _ apps: AppRegistry) -> [Guardian] {
    switch role {
    case .peer: person.deciders.filter { apps.speaker(for: $0) == peer }
    case .guardian(let guardian), .everyone(let guardian?): [guardian]
    case .everyone(nil): person.guardians
    }
  }

  /// As which guardian an answer counts that names none. Throws `invalidValue` where that could be several.
  func guardian(for person: PersonRecord, _ apps: AppRegistry) throws(Refusal) -> Guardian? {
    let guardians = guardians(for: person, apps)
    if seesEverybody || guardians.count <= 1 { return guardians.first }
    guard !guardians.contains(.user(peer)) else { return .user(peer) }
    let names = guardians.map(\.description).joined(separator: ", ")
    throw .invalidValue(field: "guardian", rule: "given: it could be \(names)")
  }

  /// Whether the caller may see questions about `person`.
  func maySee(_ person: PersonRecord, _ apps: AppRegistry) -> Bool {
    seesEverybody || guardians(for: person, apps).contains { person.deciders.contains($0) }
  }

  /// The voices of the guardians the caller speaks for (`Guardian.voice`); `nil`: everybody's.
  func voices(_ apps: AppRegistry) -> [String]? {
    switch role {
    case .peer: [Guardian.user(peer).voice] + apps.bridged(by: peer).map(Guardian.voice(ofContacts:))
    case .guardian(let guardian): [guardian.voice]
    case .everyone: nil
    }
  }
}

extension Guardian {
  /// Under what the store finds the people of everybody for whom one program speaks: a local user's own form, or
  /// `contact:` and the app's id.
  var voice: String {
    switch self {
    case .user: description
    case .contact(let app, _): Guardian.voice(ofContacts: app)
    }
  }

  static func voice(ofContacts app: AppID) -> String { "contact:\(app)" }
}
