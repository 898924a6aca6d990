// SPDX-License-Identifier: Apache-2.0
//
// What an administrator says of an app: one file in apps.d.
//
// An entry is the only source of rights. Whatever else a program says of itself is a label.

import ConsentModel
import HostRuntime

/// One registered app.
struct AppEntry: Sendable, Equatable {
  let id: AppID
  /// The uid the app runs as.
  let uid: UserID
  /// The system unit it runs in; where set, a peer whose unit cannot be read does not match.
  let unit: String?
  /// The uid that answers for the service's contacts.
  let bridgeUID: UserID?
}

/// Every registered app.
struct AppRegistry: Sendable {
  private let entries: [AppEntry]

  init(_ entries: [AppEntry] = []) {
    self.entries = entries
  }

  /// The entry with this id.
  func entry(_ id: AppID) -> AppEntry? { entries.first { $0.id == id } }

  /// The one entry that matches a peer; none where several do.
  func entry(matching peer: some Peer) -> AppEntry? {
    let found = entries.filter { $0.matches(peer) }
    return found.count == 1 ? found.first : nil
  }

  /// Whether a registered app or its bridge runs as `uid`.
  func isService(_ uid: UserID) -> Bool { entries.contains { $0.uid == uid || $0.bridgeUID == uid } }

  /// Whether a registered app runs as `uid`.
  func isRegistered(_ uid: UserID) -> Bool { entries.contains { $0.uid == uid } }
}

/// What authority rests on: the kernel's word about the other end of a socket.
protocol Peer {
  var uid: UserID { get }
  /// The system unit the peer runs in; `nil` where it cannot be read.
  func systemUnit() -> String?
}

extension PeerCredentials: Peer {}

extension AppEntry {
  /// Whether a peer is this app.
  func matches(_ peer: some Peer) -> Bool {
    uid == peer.uid && (unit == nil || unit == peer.systemUnit())
  }
}
