// SPDX-License-Identifier: Apache-2.0
//
// Every app an administrator registered, and who speaks for whom because of it. Several entries may run as one uid;
// an id has one entry.

/// The registered apps.
package struct AppRegistry: Sendable {
  /// In the order of their ids.
  package let entries: [AppEntry]
  private let byID: [AppID: AppEntry]

  package init(_ entries: [AppEntry] = []) {
    self.entries = entries.sorted { $0.id.text < $1.id.text }
    byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The entry with this id.
  package func entry(_ id: AppID) -> AppEntry? { byID[id] }

  /// Whether a registered app or its bridge runs as `uid`.
  package func isService(_ uid: UserID) -> Bool { entries.contains { $0.uid == uid || $0.bridgeUID == uid } }

  /// Whether a registered app runs as `uid`.
  package func isRegistered(_ uid: UserID) -> Bool { entries.contains { $0.uid == uid } }

  /// The uid that answers as `guardian`: a local user does so themself, a contact's service through its bridge. `nil`:
  /// nobody does.
  package func speaker(for guardian: Guardian) -> UserID? {
    switch guardian {
    case .user(let uid): uid
    case .contact(let app, _): entry(app)?.bridgeUID
    }
  }

  /// The apps for whose contacts `uid` answers.
  package func bridged(by uid: UserID) -> [AppID] { entries.filter { $0.bridgeUID == uid }.map(\.id) }
}
