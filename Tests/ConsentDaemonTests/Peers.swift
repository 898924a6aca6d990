// SPDX-License-Identifier: Apache-2.0
//
// Who is at the other end of a socket in these tests, and what an administrator registered.

import ConsentModel

@testable import ConsentDaemon

/// A peer as the kernel would describe it.
struct TestPeer: Peer {
  let uid: UserID
  var unit: String?

  func systemUnit() -> String? { unit }

  static let root = TestPeer(uid: 0)
  static let ann = TestPeer(uid: 1000)
  static let mia = TestPeer(uid: 1001)
  /// The chat's service.
  static let chat = TestPeer(uid: 990)
  /// The chat's bridge to guardians elsewhere.
  static let bridge = TestPeer(uid: 991)
}

extension AppID {
  static let chat = AppID(known: "org.example.Chat")
  static let game = AppID(known: "org.example.Game")

  private init(known text: String) {
    do { self = try AppID(parsing: text) } catch { fatalError("\(error)") }
  }
}

extension AppEntry {
  static func of(_ id: AppID, uid: UserID, unit: String? = nil, bridgeUID: UserID? = nil) -> AppEntry {
    do {
      return try AppEntry(id: id, uid: uid, unit: unit, bridgeUID: bridgeUID)
    } catch {
      fatalError("\(error)")
    }
  }
}

extension Authority {
  /// The chat runs as uid 990, its bridge as 991; uid 1000 administers.
  static func of(
    _ entries: [AppEntry] = [.of(.chat, uid: 990, bridgeUID: 991)], isSandbox: Bool = false
  ) -> Authority {
    Authority(isSandbox: isSandbox, administrators: [1000], apps: AppRegistry(entries))
  }
}
