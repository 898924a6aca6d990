// SPDX-License-Identifier: Apache-2.0
//
// What is erased is overwritten in the database and gone from its log, also where a reader stood in the way at first.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct ErasingTests {
  private static let secret = "the secret of the blue house"
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.write { rows in
      for number in 1...3 {
        var question = QuestionRow.sample(
          number, asker: number == 3 ? AskerKey(uid: 7, app: "") : .chat, topicKey: "resource/a.b\(number)",
          ending: number == 2 ? nil : .denied)
        question.content = "{\"x\":\"\(Self.secret)\(String(repeating: ".", count: 9_000))\"}"
        question.topicKey = "\(Self.secret) \(number)"
        try rows.insert(question)
        try rows.put(
          AnswerRow(question: question.id, guardian: "uid:1000", choice: "deny", note: Self.secret, answeredAt: 5))
        try rows.put(
          AskKeyRow(
            asker: question.asker, person: "uid:1001", key: "\(Self.secret) \(number)", topicHash: "h",
            question: question.id, askedAt: 5))
        try rows.appendEvent(
          EventRow(
            asker: question.asker, event: "asked", person: "uid:1001", topicKey: question.topicKey,
            question: question.id, at: 5))
      }
      try rows.insert(.sample(), items: [GrantItemRow(subject: Self.secret, action: "message")])
    }
  }

  private func count() throws -> Int {
    try ["consentd.db", "consentd.db-wal"].reduce(0) { sum, name in
      let data = try Data(contentsOf: URL(fileURLWithPath: fixture.directory.file(name)))
      var (found, from) = (0, data.startIndex)
      while let range = data.range(of: Data(Self.secret.utf8), in: from..<data.endIndex) {
        (found, from) = (found + 1, range.upperBound)
      }
      return sum + found
    }
  }

  private func erase(_ asker: AskerKey = .chat) throws {
    try fixture.write { try $0.erase("uid:1001", for: asker, at: 77) }
  }

  @Test func `what has ended is erased and keeps its id, state and events`() throws {
    try erase()
    let (ended, open, others) = try fixture.read { rows in
      (try rows.question(sampleID(1)), try rows.question(sampleID(2)), try rows.question(sampleID(3)))
    }
    #expect(ended?.content == "" && ended?.erasedAt == 77 && ended?.state == "denied" && ended?.ending?.choice == nil)
    #expect(open?.erasedAt == nil && open?.content.contains(Self.secret) == true)
    #expect(others?.content.contains(Self.secret) == true)
    #expect(try fixture.read { try $0.answers(question: sampleID(1)) }.isEmpty)
    #expect(try fixture.read { try $0.events(asker: .chat, after: 0, limit: 9) }.map(\.topicKey) == [nil, nil])
    #expect(try fixture.read { try $0.items(ofGrant: GrantRow.sample().id) }.isEmpty)
    #expect(try fixture.read { try $0.askKey(asker: .chat, person: "uid:1001", key: "\(Self.secret) 1") } == nil)
  }

  @Test func `nothing of it is left in the files`() throws {
    try fixture.write { _ = try $0.endQuestion(sampleID(2), .denied, unexpiredAt: nil) }
    #expect(try count() > 0)
    try erase()
    try erase(AskerKey(uid: 7, app: ""))
    #expect(try count() == 0)
  }

  @Test func `where a reader keeps the log from being emptied, the next commit does it`() throws {
    try fixture.write { _ = try $0.endQuestion(sampleID(2), .denied, unexpiredAt: nil) }
    let reader = try Database(path: fixture.path, mode: .reading)
    try reader.execute("BEGIN; SELECT * FROM question")
    try erase()
    try erase(AskerKey(uid: 7, app: ""))
    #expect(try count() > 0)
    try reader.execute("COMMIT")
    try fixture.write { try $0.setMeta("x", [1]) }
    #expect(try count() == 0)
  }

  @Test func `no commit waits for a reader that takes its time`() throws {
    let reader = try Database(path: fixture.path, mode: .reading)
    try reader.execute("BEGIN; SELECT * FROM question")
    let start = ContinuousClock.now
    try erase()
    for number in 0..<5 { try fixture.write { try $0.setMeta("\(number)", [1]) } }
    #expect(ContinuousClock.now - start < .seconds(2))
    try reader.execute("COMMIT")
  }

  @Test func `a copy that was in the way leaves a commit behind that empties the log`() async throws {
    try fixture.write { _ = try $0.endQuestion(sampleID(2), .denied, unexpiredAt: nil) }
    let reader = try Database(path: fixture.path, mode: .reading)
    try reader.execute("BEGIN; SELECT * FROM question")
    try erase()
    try erase(AskerKey(uid: 7, app: ""))
    try reader.execute("COMMIT")
    _ = try await fixture.store.copy(takenAtUSec: 1)
    #expect(try count() > 0)
    #expect(fixture.store.commitWaiting() == 1)
    #expect(try count() == 0)
  }

  @Test func `an open question cannot be said to be erased`() throws {
    let database = try Database(path: fixture.path, mode: .writing)
    #expect(throws: StoreError.self) {
      try database.execute("UPDATE question SET erased_at = 1, content = '' WHERE state = 'pending'")
    }
    #expect(throws: StoreError.self) {
      try database.execute("UPDATE question SET erased_at = 1 WHERE state <> 'pending'")
    }
  }
}
