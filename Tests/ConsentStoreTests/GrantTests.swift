// SPDX-License-Identifier: Apache-2.0
//
// Grants: what one covers, until when, and that it covers nothing beside that.

import Testing

@testable import ConsentStore

@Suite struct GrantTests {
  let fixture: StoreFixture
  let message = GrantItemRow(subject: "+34600", action: "message")
  let call = GrantItemRow(subject: "+34600", action: "audioCall")

  init() throws {
    fixture = try StoreFixture()
  }

  @Test func `a grant is read as it was inserted`() throws {
    var grant = GrantRow.sample(expiresAt: 900)
    grant.question = sampleID(5)
    (grant.guardian, grant.note) = ("uid:1000", "for now")
    let inserted = grant
    try fixture.write {
      try $0.insert(.sample(5))
      try $0.insert(inserted, items: [])
    }
    #expect(try fixture.read { try $0.grant(sampleID(1)) } == inserted)
    #expect(try fixture.read { try $0.grant(sampleID(2)) } == nil)
  }

  @Test func `a grant covers its items and nothing else`() throws {
    try fixture.write { [message] in try $0.insert(.sample(), items: [message]) }
    #expect(try covering(message) == sampleID(1))
    #expect(try covering(call) == nil)
    #expect(try covering(GrantItemRow(subject: "+34601", action: "message")) == nil)
    #expect(try covering(message, person: "uid:1002") == nil)
    #expect(try covering(message, asker: AskerKey(uid: 1001, app: "")) == nil)
    #expect(try covering(message, asker: AskerKey(uid: 1000, app: "org.example.Chat")) == nil)
    #expect(try covering(message, kind: "resource") == nil)
  }

  @Test func `subjects are told apart by their bytes`() throws {
    try fixture.write { try $0.insert(.sample(), items: [GrantItemRow(subject: "K", action: "chat")]) }
    #expect(try covering(GrantItemRow(subject: "\u{212A}", action: "chat")) == nil)
  }

  @Test(arguments: [(899, true), (900, false)])
  func `a grant lives until it expires`(now: Int64, lives: Bool) throws {
    try fixture.write { [message] in try $0.insert(.sample(expiresAt: 900), items: [message]) }
    #expect(try covering(message, now: now) == (lives ? sampleID(1) : nil))
  }

  @Test func `a grant ends once and covers nothing more`() throws {
    try fixture.write { [message] in try $0.insert(.sample(), items: [message]) }
    #expect(try fixture.write { try $0.endGrant(sampleID(1), at: 300, reason: "revoked", by: "uid:1000", note: "no") })
    #expect(try !fixture.write { try $0.endGrant(sampleID(1), at: 400, reason: "again", by: nil, note: nil) })
    #expect(try covering(message) == nil)
    let grant = try fixture.read { try $0.grant(sampleID(1)) }
    #expect(grant?.endedAt == 300 && grant?.endedReason == "revoked")
    #expect(grant?.endedBy == "uid:1000" && grant?.endNote == "no")
  }

  @Test func `of several grants the longest is found`() throws {
    try fixture.write { [message] in
      try $0.insert(.sample(1, expiresAt: 800), items: [message])
      try $0.insert(.sample(2, expiresAt: 900), items: [message])
    }
    #expect(try covering(message) == sampleID(2))
    try fixture.write { [message] in
      try $0.insert(.sample(3), items: [message])
      try $0.insert(.sample(4, expiresAt: 990), items: [message])
    }
    #expect(try covering(message) == sampleID(3))
  }

  @Test func `the grants of a topic come oldest first, ended ones too`() throws {
    try fixture.write {
      try $0.insert(.sample(1, grantedAt: 200), items: [])
      try $0.insert(.sample(2, grantedAt: 100), items: [])
      try $0.insert(.sample(3, person: "uid:1002"), items: [])
    }
    #expect(try fixture.write { try $0.endGrant(sampleID(2), at: 300, reason: "revoked", by: nil, note: nil) })
    let grants = try fixture.read {
      try $0.grants(person: "uid:1001", asker: .chat, topicKey: "communication/x")
    }
    #expect(grants.map(\.id) == [sampleID(2), sampleID(1)])
  }

  @Test func `the grants about a person are those that have not ended, of every asker`() throws {
    try fixture.write {
      try $0.insert(.sample(1, grantedAt: 200), items: [])
      try $0.insert(.sample(2, asker: AskerKey(uid: 7, app: ""), grantedAt: 100), items: [])
      try $0.insert(.sample(3), items: [])
      try $0.insert(.sample(4, person: "uid:1002"), items: [])
    }
    #expect(try fixture.write { try $0.endGrant(sampleID(3), at: 300, reason: "revoked", by: nil, note: nil) })
    #expect(try fixture.read { try $0.liveGrants(of: "uid:1001") }.map(\.id) == [sampleID(2), sampleID(1)])
  }

  @Test func `a person's grants come in pages, of one app or of all`() throws {
    let bare = AskerKey(uid: 7, app: "")
    try fixture.write {
      for (number, instant) in [(1, 300), (2, 100), (3, 300), (4, 200)] as [(Int, Int64)] {
        try $0.insert(.sample(number, asker: number == 4 ? bare : .chat, grantedAt: instant), items: [])
      }
      try $0.insert(.sample(5, person: "uid:1002"), items: [])
      _ = try $0.endGrant(sampleID(1), at: 400, reason: "revoked", by: nil, note: nil)
    }
    func list(
      app: String? = nil, onlyLive: Bool = true, after: GrantPlace? = nil, limit: Int = 9
    ) throws -> [String] {
      try fixture.read {
        try $0.grants(of: "uid:1001", app: app, onlyLive: onlyLive, after: after, limit: limit)
      }.map(\.id)
    }
    #expect(try list() == [2, 4, 3].map(sampleID))
    #expect(try list(onlyLive: false) == [2, 4, 1, 3].map(sampleID))
    #expect(try list(app: "") == [sampleID(4)])
    #expect(try list(app: "org.example.Chat", onlyLive: false) == [2, 1, 3].map(sampleID))
    #expect(try list(onlyLive: false, limit: 2) == [2, 4].map(sampleID))
    #expect(try list(onlyLive: false, after: GrantPlace(grantedAt: 200, id: sampleID(4))) == [1, 3].map(sampleID))
    #expect(try list(onlyLive: false, after: GrantPlace(grantedAt: 300, id: sampleID(1))) == [sampleID(3)])
  }

  @Test func `grants are due from their expiry on until they have ended`() throws {
    func due(at now: Int64, limit: Int = 9) throws -> [String] {
      try fixture.read { try $0.dueGrants(at: now, limit: limit) }.map(\.id)
    }
    #expect(try fixture.read { try $0.earliestGrantEnd() } == nil)
    try fixture.write {
      try $0.insert(.sample(1, expiresAt: 900), items: [])
      try $0.insert(.sample(2, expiresAt: 800), items: [])
      try $0.insert(.sample(3), items: [])
    }
    #expect(try due(at: 799) == [])
    #expect(try due(at: 900) == [2, 1].map(sampleID))
    #expect(try due(at: 900, limit: 1) == [sampleID(2)])
    #expect(try fixture.read { try $0.earliestGrantEnd() } == 800)
    #expect(try fixture.write { try $0.endGrant(sampleID(2), at: 800, reason: "expired", by: nil, note: nil) })
    #expect(try due(at: 900) == [sampleID(1)])
    #expect(try fixture.read { try $0.earliestGrantEnd() } == 900)
  }

  private func covering(
    _ item: GrantItemRow, person: String = "uid:1001", asker: AskerKey = .chat, kind: String = "communication",
    now: Int64 = 500
  ) throws -> String? {
    try fixture.read { try $0.liveGrant(covering: item, person: person, asker: asker, kind: kind, now: now) }
  }
}
