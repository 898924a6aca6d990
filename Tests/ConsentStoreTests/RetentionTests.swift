// SPDX-License-Identifier: Apache-2.0
//
// What is kept no longer than its class: only what is old enough and over goes, a batch at a time; of events always
// the oldest, without a gap; and nothing of it is left in the files.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct RetentionTests {
  private let fixture: StoreFixture
  private let bare = AskerKey(uid: 7, app: "")

  init() throws {
    fixture = try StoreFixture()
  }

  private func tell(_ asker: AskerKey, at instants: Int64...) throws {
    try fixture.write {
      for instant in instants {
        try $0.appendEvent(EventRow(asker: asker, event: "asked", person: "uid:1001", topicKey: "t", at: instant))
      }
    }
  }

  private func kept(_ asker: AskerKey) throws -> [Int64] {
    try fixture.read { try $0.events(asker: asker, after: 0, limit: 99) }.map(\.sequence)
  }

  @Test func `events go from the oldest on, as many as a batch has`() throws {
    try tell(.chat, at: 10, 20, 30, 40)
    try tell(bare, at: 15, 50)
    #expect(try fixture.write { try $0.deleteEvents(before: 40, limit: 2) } == 2)
    #expect(try kept(.chat) == [3, 4] && kept(bare) == [1, 2])
    #expect(try fixture.write { try $0.deleteEvents(before: 40, limit: 9) } == 2)
    #expect(try kept(.chat) == [4] && kept(bare) == [2])
    #expect(try fixture.write { try $0.deleteEvents(before: 40, limit: 9) } == 0)
    #expect(try fixture.read { try $0.oldestEvent(of: .chat) } == 4)
    #expect(try fixture.read { try $0.oldestEvent(of: AskerKey(uid: 8, app: "")) } == nil)
  }

  @Test func `an old event behind a younger one stays, so that there is no gap`() throws {
    try tell(.chat, at: 10, 90, 20, 95)
    #expect(try fixture.write { try $0.deleteEvents(before: 50, limit: 9) } == 1)
    #expect(try kept(.chat) == [2, 3, 4])
  }

  @Test func `where every event went, sequences go on`() throws {
    try tell(.chat, at: 10, 20)
    try fixture.write { try $0.acknowledge(.chat, sequence: 1) }
    #expect(try fixture.write { try $0.deleteEvents(before: 21, limit: 9) } == 2)
    #expect(try fixture.read { try $0.oldestEvent(of: .chat) } == nil)
    #expect(try fixture.read { try $0.asker(.chat) } == AskerRow(asker: .chat, lastSequence: 2, acknowledged: 1))
    try tell(.chat, at: 30)
    #expect(try kept(.chat) == [3])
  }

  @Test func `a question that is over is emptied, with its answers, keys and events`() throws {
    try fixture.write {
      try $0.insert(.sample(1, topicKey: "a", ending: .denied))
      try $0.insert(.sample(2, topicKey: "b"))
      for number in 1...2 {
        try $0.put(AnswerRow(question: sampleID(number), guardian: "uid:1000", choice: "deny", answeredAt: 1))
        try $0.put(
          AskKeyRow(
            asker: .chat, person: "uid:1001", key: "\(number)", topicHash: "h", question: sampleID(number), askedAt: 1))
        try $0.appendEvent(
          EventRow(
            asker: .chat, event: "asked", person: "uid:1001", topicKey: "k", question: sampleID(number), at: 1))
      }
    }
    #expect(try erase(before: 501) == 0, "it ended at 501")
    #expect(try erase(before: 502) == 1)
    #expect(try erase(before: 502) == 0)
    let (ended, open) = try fixture.read { (try $0.question(sampleID(1)), try $0.question(sampleID(2))) }
    #expect(ended?.content == "" && ended?.topicKey == "" && ended?.state == "denied" && ended?.erasedAt == 777)
    #expect(open?.content == "{}" && open?.topicKey == "b")
    #expect(try fixture.read { try $0.answers(question: sampleID(1)) } == [])
    #expect(try fixture.read { try $0.answers(question: sampleID(2)) }.count == 1)
    #expect(try fixture.read { try $0.askKey(asker: .chat, person: "uid:1001", key: "1") } == nil)
    #expect(try fixture.read { try $0.askKey(asker: .chat, person: "uid:1001", key: "2") } != nil)
    #expect(try fixture.read { try $0.events(asker: .chat, after: 0, limit: 9) }.map(\.topicKey) == [nil, "k"])
  }

  @Test func `a question whose grant lives stays until that has ended`() throws {
    try approve(endedAt: nil)
    #expect(try erase(before: .max) == 0)
    #expect(try fixture.write { try $0.endGrant(sampleID(9), at: 600, reason: "revoked", by: "uid:1000", note: "no") })
    #expect(try erase(before: .max) == 1)
  }

  @Test func `a grant goes when it has ended for long enough, and nothing names it any more`() throws {
    try approve(endedAt: 600)
    try fixture.write { try $0.insert(.sample(3), items: []) }
    #expect(try fixture.write { try $0.deleteGrants(endedBefore: 600, limit: 9) } == 0)
    #expect(try fixture.write { try $0.deleteGrants(endedBefore: 601, limit: 9) } == 0, "its question is kept")
    #expect(try erase(before: .max) == 1)
    #expect(try fixture.write { try $0.deleteGrants(endedBefore: 601, limit: 9) } == 1)
    #expect(try fixture.read { try $0.grant(sampleID(9)) } == nil)
    #expect(try fixture.read { try $0.items(ofGrant: sampleID(9)) } == [])
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.ending?.grant == nil)
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.state == "approved")
    #expect(try fixture.read { try $0.events(asker: .chat, after: 0, limit: 9) }.map(\.grant) == [nil])
    #expect(try fixture.read { try $0.grant(sampleID(3)) } != nil)
  }

  @Test func `batches end where they are told to`() throws {
    try fixture.write {
      for number in 1...3 {
        try $0.insert(.sample(number, ending: .denied))
        try $0.insert(.sample(number), items: [])
        _ = try $0.endGrant(sampleID(number), at: 300, reason: "revoked", by: nil, note: nil)
      }
    }
    #expect(try fixture.write { try $0.eraseQuestions(endedBefore: .max, at: 777, limit: 2) } == 2)
    #expect(try fixture.write { try $0.eraseQuestions(endedBefore: .max, at: 777, limit: 2) } == 1)
    #expect(try fixture.write { try $0.deleteGrants(endedBefore: .max, limit: 2) } == 2)
    #expect(try fixture.write { try $0.deleteGrants(endedBefore: .max, limit: 2) } == 1)
  }

  @Test func `nothing of what went is left in the files`() throws {
    let secret = "the secret of the blue house"
    try fixture.write {
      var question = QuestionRow.sample(1, ending: .denied)
      question.content = "{\"x\":\"\(secret)\(String(repeating: ".", count: 9_000))\"}"
      try $0.insert(question)
      try $0.append(
        AuditRow(seq: 1, at: 1, kind: "k", payload: "{\"x\":\"\(secret)\"}", salt: [1], commitment: [1], hash: [1]))
    }
    #expect(try places(of: secret) > 0)
    try fixture.write {
      _ = try $0.eraseQuestions(endedBefore: .max, at: 777, limit: 9)
      try $0.eraseAudit(seqs: [1])
    }
    #expect(try places(of: secret) == 0)
  }

  private func erase(before instant: Int64) throws -> Int {
    try fixture.write { try $0.eraseQuestions(endedBefore: instant, at: 777, limit: 9) }
  }

  /// An approved question, its grant and the event that told it.
  private func approve(endedAt: Int64?) throws {
    try fixture.write {
      var grant = GrantRow.sample(9)
      grant.question = sampleID(1)
      try $0.insert(.sample(1))
      try $0.insert(grant, items: [GrantItemRow(subject: "s", action: "message")])
      var ending = EndingRow.approved
      ending.grant = grant.id
      _ = try $0.endQuestion(sampleID(1), ending, unexpiredAt: nil)
      try $0.appendEvent(
        EventRow(
          asker: .chat, event: "granted", person: "uid:1001", question: sampleID(1), grant: grant.id, at: 500))
      if let endedAt { _ = try $0.endGrant(grant.id, at: endedAt, reason: "revoked", by: nil, note: nil) }
    }
  }

  private func places(of text: String) throws -> Int {
    try ["consentd.db", "consentd.db-wal"].filter { name in
      try Data(contentsOf: URL(fileURLWithPath: fixture.directory.file(name))).range(of: Data(text.utf8)) != nil
    }.count
  }
}
