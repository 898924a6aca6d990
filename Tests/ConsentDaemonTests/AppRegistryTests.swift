// SPDX-License-Identifier: Apache-2.0
//
// Which registered app a peer is: by its uid, narrowed to a unit where the entry says so.

import ConsentModel
import Testing

@testable import ConsentDaemon

@Suite struct AppRegistryTests {
  private let registry = AppRegistry([
    .of(.chat, uid: 990), .of(.game, uid: 992, unit: "game.service"),
  ])

  @Test func `an entry is found by its id`() throws {
    #expect(registry.entry(.chat)?.uid == 990)
    #expect(registry.entry(try AppID(parsing: "org.example.chat")) == nil)
  }

  @Test func `a peer is matched by its uid, and by its unit where the entry has one`() {
    #expect(registry.entry(matching: TestPeer(uid: 990, unit: "anything"))?.id == .chat)
    #expect(registry.entry(matching: TestPeer(uid: 992, unit: "game.service"))?.id == .game)
    #expect(registry.entry(matching: TestPeer(uid: 992)) == nil)
    #expect(registry.entry(matching: TestPeer(uid: 1001)) == nil)
  }

  @Test func `a uid is a registered app's whatever its unit`() {
    #expect(registry.isRegistered(990) && registry.isRegistered(992))
    #expect(!registry.isRegistered(991) && !AppRegistry().isRegistered(990))
  }
}
