// SPDX-License-Identifier: Apache-2.0
//
// Reading: one state per call, nothing that is not flushed, no way to write.

import TestSupport
import Testing

@testable import ConsentStore

@Suite struct ReadSideTests {
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  @Test func `a read sees one state from start to end, nested reads included`() throws {
    try fixture.read { reader in
      #expect(try reader.counts().people == 0)
      try fixture.write { try $0.put(.mia) }
      #expect(try reader.counts().people == 0)
      #expect(try fixture.read { try $0.counts().people } == 0)
      #expect(try reader.counts().people == 0)
    }
    #expect(try fixture.read { try $0.counts().people } == 1)
  }

  @Test func `a read sees nothing of a write in progress`() throws {
    let fixture = fixture
    let seen = try fixture.write { writer in
      try writer.put(.mia)
      return try fixture.read { try $0.counts().people }
    }
    #expect(seen == 0)
    #expect(try fixture.read { try $0.counts().people } == 1)
  }

  @Test func `a read that fails ends its transaction`() throws {
    #expect(throws: Refusal()) {
      try fixture.read { reader in
        _ = try reader.counts()
        try fixture.read { _ in throw Refusal() }
      }
    }
    try fixture.write { try $0.put(.mia) }
    #expect(try fixture.read { try $0.counts().people } == 1)
  }

  @Test func `a read may close the store`() throws {
    try fixture.read { reader in
      fixture.store.close()
      #expect(throws: StoreError.closed) { try fixture.read { _ in } }
    }
    #expect(throws: StoreError.closed) { try fixture.read { _ in } }
  }

  @Test func `the reading connection cannot write`() throws {
    #expect(throws: StoreError.self) {
      try fixture.read { try #require($0 as? Connection).put(.mia) }
    }
  }

  @Test func `reads of many threads take turns`() async throws {
    try fixture.write { try $0.put(.mia) }
    let store = fixture.store
    await withTaskGroup(of: PersonRow?.self) { group in
      for _ in 0..<200 { group.addTask { try? store.read { try $0.person("uid:1001") } } }
      for await person in group { #expect(person == .mia) }
    }
  }
}
