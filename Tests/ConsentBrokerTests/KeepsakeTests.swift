// SPDX-License-Identifier: Apache-2.0
//
// What a daemon keeps for itself outlives it, and what does not read is a fault.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct KeepsakeTests {
  @Test(arguments: [false, true])
  func `a store made for one kind of daemon is refused by the other`(isSandbox: Bool) throws {
    let world = try World(isSandbox: isSandbox)
    try world.run { try await Keepsake.claim(world.store, forSandbox: isSandbox) }
    let after = try world.afterCrash()
    try after.run { try await Keepsake.claim(after.store, forSandbox: isSandbox) }
    do {
      try after.run { try await Keepsake.claim(after.store, forSandbox: !isSandbox) }
      Issue.record("not refused")
    } catch let error as Keepsake.OtherPurpose {
      #expect(error.purpose == (isSandbox ? "sandbox" : "service"))
    }
  }

  @Test func `a store keeps the salt it was made with`() throws {
    let world = try World()
    let first = try world.run { try await Keepsake.salt(in: world.store) }
    let second = try world.run { try await Keepsake.salt(in: world.store) }
    #expect(first.bytes == second.bytes)
    let after = try world.afterCrash()
    #expect(try after.run { try await Keepsake.salt(in: after.store) }.bytes == first.bytes)
    let other = try World()
    #expect(try other.run { try await Keepsake.salt(in: other.store) }.bytes != first.bytes)
  }

  @Test func `a salt that does not read is a fault`() throws {
    let world = try World()
    try world.run { try await world.store.write { try $0.setMeta("salt", [1, 2, 3]) } }
    #expect(throws: StoreError.damaged(detail: "its salt is not 32 bytes")) {
      try world.run { try await Keepsake.salt(in: world.store) }
    }
  }

  @Test func `how far a sandbox's clocks were moved outlives a crash`() throws {
    let world = try World(isSandbox: true)
    #expect(try Keepsake.clockOffset(in: world.store) == 0)
    for offset in [5, 7_000_000] as [Int64] {
      try world.run { try await world.broker.keepClockOffset(offset) }
      let after = try world.afterCrash()
      #expect(try Keepsake.clockOffset(in: after.store) == offset)
    }
  }

  @Test func `an offset that does not read is a fault`() throws {
    let world = try World()
    try world.run { try await world.store.write { try $0.setMeta("sandboxClockOffsetUSec", Array("soon".utf8)) } }
    #expect(throws: StoreError.damaged(detail: "its clock offset does not read")) {
      try Keepsake.clockOffset(in: world.store)
    }
  }
}
