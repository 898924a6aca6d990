// SPDX-License-Identifier: Apache-2.0
//
// What authority rests on: the kernel's word about the other end of a socket, held against the administrator's entries.

import ConsentModel
import HostRuntime

/// The other end of a socket.
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

extension AppRegistry {
  /// The entries that match a peer.
  func entries(matching peer: some Peer) -> [AppEntry] { entries.filter { $0.matches(peer) } }

  /// The one entry that matches a peer; none where several do.
  func entry(matching peer: some Peer) -> AppEntry? {
    let found = entries(matching: peer)
    return found.count == 1 ? found.first : nil
  }
}
