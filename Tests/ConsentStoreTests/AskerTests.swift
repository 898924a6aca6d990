// SPDX-License-Identifier: Apache-2.0
//
// Askers: events count without gaps, cursors stay within them, keys stand for one question.

import Testing

@testable import ConsentStore

@Suite struct AskerTests {
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  @Test func `events count per asker and are read as they were appended`() throws {
    let bare = AskerKey(uid: 4_294_967_294, app: "")
    let event = EventRow(
      asker: .chat, event: "granted", person: "uid:1001", topicKey: "t", question: sampleID(1), grant: sampleID(2),
      at: 9)
    let sequences = try fixture.write { writer in
      try writer.insert(.sample(1))
      try writer.insert(.sample(2), items: [])
      return try [
        writer.appendEvent(event), writer.appendEvent(EventRow(asker: bare, event: "e", person: "p", at: 1)),
        writer.appendEvent(event),
      ]
    }
    #expect(sequences == [1, 1, 2])
    var first = event
    first.sequence = 1
    #expect(try fixture.read { try $0.events(asker: .chat, after: 0, limit: 1) } == [first])
    #expect(try fixture.read { try $0.events(asker: .chat, after: 1, limit: 9) }.map(\.sequence) == [2])
    #expect(try fixture.read { try $0.events(asker: bare, after: 0, limit: 9) }.map(\.asker) == [bare])
    #expect(try fixture.read { try $0.asker(.chat) }.lastSequence == 2)
  }

  @Test func `a sequence of an undone write is used again`() throws {
    #expect(throws: Refusal()) {
      try fixture.write {
        try $0.appendEvent(EventRow(asker: .chat, event: "e", person: "p", at: 1))
        throw Refusal()
      }
    }
    #expect(try fixture.read { try $0.asker(.chat) }.lastSequence == 0)
    let sequence = try fixture.write { try $0.appendEvent(EventRow(asker: .chat, event: "e", person: "p", at: 1)) }
    #expect(sequence == 1)
  }

  @Test func `a cursor moves within the events of its asker`() throws {
    #expect(try !fixture.write { try $0.acknowledge(.chat, sequence: 0) })
    try fixture.write { try $0.appendEvent(EventRow(asker: .chat, event: "e", person: "p", at: 1)) }
    #expect(try fixture.write { try $0.acknowledge(.chat, sequence: 1) })
    #expect(try fixture.read { try $0.asker(.chat) } == AskerRow(asker: .chat, lastSequence: 1, acknowledged: 1))
    #expect(throws: StoreError.self) { try fixture.write { try $0.acknowledge(.chat, sequence: 2) } }
  }

  @Test func `a key stands for one question until it is old`() throws {
    let key = AskKeyRow(
      asker: .chat, person: "uid:1001", key: "k", topicHash: "h", question: sampleID(1), askedAt: 100)
    let later = AskKeyRow(
      asker: .chat, person: "uid:1001", key: "k", topicHash: "i", question: sampleID(2), askedAt: 200)
    try fixture.write {
      try $0.insert(.sample(1))
      try $0.insert(.sample(2, topicKey: "other"))
      try $0.put(key)
    }
    #expect(try find("k") == key)
    #expect(try find("other") == nil)
    try fixture.write { try $0.put(later) }
    #expect(try find("k") == later)
    #expect(try fixture.write { try $0.deleteAskKeys(before: 200) } == 0)
    #expect(try fixture.write { try $0.deleteAskKeys(before: 201) } == 1)
    #expect(try find("k") == nil)
  }

  private func find(_ key: String) throws -> AskKeyRow? {
    try fixture.read { try $0.askKey(asker: .chat, person: "uid:1001", key: key) }
  }
}
