// SPDX-License-Identifier: Apache-2.0
//
// Questions: what goes in comes out, the first end wins, deadlines count to the microsecond, lists hold what they say.

import Testing

@testable import ConsentStore

@Suite struct QuestionTests {
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  @Test func `a question is read as it was inserted`() throws {
    var question = QuestionRow.sample()
    question.appVersion = "2.0"
    question.plan = "first"
    question.content = "{\"text\":\"\u{1F600} \\u0000\"}"
    question.deliveredAt = 200
    question.seenAt = 300
    let inserted = question
    question.seq = try fixture.write { try $0.insert(inserted) }
    #expect(try fixture.read { try $0.question(sampleID(1)) } == question)
    #expect(try fixture.read { try $0.question(sampleID(2)) } == nil)
    #expect(question.state == "pending")
  }

  @Test func `an ended question has every field of its ending`() throws {
    try fixture.write {
      try $0.insert(.sample())
      try $0.insert(.sample(7), items: [])
    }
    var ending = EndingRow.approved
    ending.grant = sampleID(7)
    let approved = ending
    #expect(try fixture.write { try $0.endQuestion(sampleID(1), approved, unexpiredAt: nil) })
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.ending == approved)
  }

  @Test func `the first end wins and stays`() throws {
    try fixture.write { try $0.insert(.sample()) }
    #expect(try fixture.write { try $0.endQuestion(sampleID(1), .denied, unexpiredAt: nil) })
    #expect(try !fixture.write { try $0.endQuestion(sampleID(1), .approved, unexpiredAt: nil) })
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.ending == .denied)
  }

  @Test(arguments: [(999, true), (1_000, false), (1_001, false)])
  func `an answer counts before the deadline and never at it`(now: Int64, counts: Bool) throws {
    try fixture.write { try $0.insert(.sample(expiresAt: 1_000)) }
    #expect(try fixture.write { try $0.endQuestion(sampleID(1), .approved, unexpiredAt: now) } == counts)
  }

  @Test func `a topic has one open question and any number of ended ones`() throws {
    try fixture.write { try $0.insert(.sample(1)) }
    #expect(throws: StoreError.self) { try fixture.write { try $0.insert(.sample(2)) } }
    try end(1)
    try fixture.write { try $0.insert(.sample(2)) }
    #expect(try open()?.id == sampleID(2))
    #expect(try latest()?.id == sampleID(2))
    try end(2)
    #expect(try open() == nil)
    #expect(try latest()?.id == sampleID(2))
  }

  @Test func `the topics of other people, askers and keys are others`() throws {
    let other = AskerKey(uid: 1001, app: "")
    try fixture.write {
      try $0.insert(.sample(1))
      try $0.insert(.sample(2, person: "uid:1002"))
      try $0.insert(.sample(3, asker: other))
      try $0.insert(.sample(4, topicKey: "resource/c.d"))
    }
    #expect(try open()?.id == sampleID(1))
    #expect(try open(asker: other)?.id == sampleID(3))
    #expect(try open(asker: AskerKey(uid: 9, app: "org.example.Chat")) == nil)
  }

  @Test func `a successor takes the place of the superseded question in one transaction`() throws {
    try fixture.write { try $0.insert(.sample(1)) }
    let isEnded = try fixture.write {
      let ending = EndingRow(state: "superseded", endedAt: 5, successor: sampleID(2))
      let isEnded = try $0.endQuestion(sampleID(1), ending, unexpiredAt: nil)
      try $0.insert(.sample(2))
      return isEnded
    }
    #expect(isEnded)
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.ending?.successor == sampleID(2))
  }

  @Test func `a deadline only moves back, and not after the end`() throws {
    try fixture.write { try $0.insert(.sample(expiresAt: 1_000)) }
    #expect(try fixture.write { try $0.extendQuestion(sampleID(1), expiresAt: 900) })
    #expect(try open()?.expiresAt == 1_000)
    #expect(try fixture.write { try $0.extendQuestion(sampleID(1), expiresAt: 1_100) })
    #expect(try open()?.expiresAt == 1_100)
    try end(1)
    #expect(try !fixture.write { try $0.extendQuestion(sampleID(1), expiresAt: 2_000) })
  }

  @Test func `delivery and sight are noted once`() throws {
    try fixture.write { try $0.insert(.sample()) }
    #expect(try fixture.write { try $0.markDelivered(sampleID(1), at: 200) })
    #expect(try !fixture.write { try $0.markDelivered(sampleID(1), at: 201) })
    #expect(try fixture.write { try $0.markSeen(sampleID(1), at: 300) })
    #expect(try !fixture.write { try $0.markSeen(sampleID(1), at: 301) })
    let question = try fixture.read { try $0.question(sampleID(1)) }
    #expect(question?.deliveredAt == 200 && question?.seenAt == 300)
  }

  @Test func `due questions come by deadline`() throws {
    try fixture.write {
      for (number, deadline) in [(1, 300), (2, 200), (3, 400), (4, 150)] as [(Int, Int64)] {
        try $0.insert(.sample(number, topicKey: "resource/n.\(number)", expiresAt: deadline))
      }
    }
    try end(4)
    #expect(try fixture.read { try $0.dueQuestions(at: 300, limit: 9) }.map(\.id) == [sampleID(2), sampleID(1)])
    #expect(try fixture.read { try $0.dueQuestions(at: 300, limit: 1) }.map(\.id) == [sampleID(2)])
    #expect(try fixture.read { try $0.earliestDeadline() } == 200)
  }

  @Test func `without open questions there is no deadline`() throws {
    #expect(try fixture.read { try $0.earliestDeadline() } == nil)
  }

  @Test func `ids are found by their beginning`() throws {
    try fixture.write {
      for number in [0x11, 0x12, 0x20] { try $0.insert(.sample(number, topicKey: "resource/n.\(number)")) }
    }
    let prefix = String(repeating: "0", count: 28)
    #expect(try ids("\(prefix)001") == [sampleID(0x11), sampleID(0x12)])
    #expect(try ids("\(prefix)002") == [sampleID(0x20)])
    #expect(try ids(sampleID(0x11)) == [sampleID(0x11)])
    #expect(try ids("1") == [])
    #expect(try ids("%") == [])
  }

  @Test func `lists are narrowed and paged`() throws {
    let bare = AskerKey(uid: 1002, app: "")
    try fixture.write {
      try $0.insert(.sample(1))
      try $0.insert(.sample(2, person: "uid:1002", asker: bare))
      try $0.insert(.sample(3, topicKey: "resource/c.d", ending: .denied))
      try $0.insert(.sample(4, person: "uid:1003"))
    }
    #expect(try list() == [1, 2, 3, 4])
    #expect(try list(state: "pending") == [1, 2, 4])
    #expect(try list(state: "denied") == [3])
    #expect(try list(app: "org.example.Chat") == [1, 3, 4])
    #expect(try list(app: "org.example.Chat", state: "pending") == [1, 4])
    #expect(try list(people: ["uid:1003", "uid:1001"]) == [1, 3, 4])
    #expect(try list(people: ["uid:1003", "uid:1001"], state: "pending") == [1, 4])
    #expect(try list(people: ["uid:1001", "uid:1002"], app: "", state: "pending") == [2])
    #expect(try list(people: []) == [])
    #expect(try list(after: 2, limit: 1) == [3])
    #expect(try list(people: ["uid:1003", "uid:1001"], after: 1, limit: 1) == [3])
  }

  @Test func `an answer is read as it was put, one per guardian`() throws {
    let full = AnswerRow(
      question: sampleID(1), guardian: "uid:1000", choice: "approveUntil", untilUSec: 9, items: "[]", note: "ok",
      answeredAt: 7)
    let bare = AnswerRow(question: sampleID(1), guardian: "contact:a.b/c", choice: "deny", answeredAt: 8)
    try fixture.write {
      try $0.insert(.sample())
      try $0.put(full)
      try $0.put(bare)
    }
    #expect(try fixture.read { try $0.answer(question: sampleID(1), guardian: "uid:1000") } == full)
    #expect(try fixture.read { try $0.answer(question: sampleID(1), guardian: "uid:7") } == nil)
    #expect(try fixture.read { try $0.answers(question: sampleID(1)) } == [bare, full])
    var changed = bare
    (changed.choice, changed.note) = ("approve", "after all")
    let second = changed
    try fixture.write { try $0.put(second) }
    #expect(try fixture.read { try $0.answers(question: sampleID(1)) } == [second, full])
    #expect(try fixture.write { try $0.deleteAnswer(question: sampleID(1), guardian: "contact:a.b/c") })
    #expect(try !fixture.write { try $0.deleteAnswer(question: sampleID(1), guardian: "contact:a.b/c") })
    #expect(try fixture.read { try $0.answers(question: sampleID(1)) } == [full])
  }

  @Test func `the newest question of a kind in a state is found, and the open updates in their order`() throws {
    let bare = AskerKey(uid: 1_001, app: "")
    func update(_ number: Int, asker: AskerKey = .chat, ending: EndingRow? = nil) -> QuestionRow {
      var row = QuestionRow.sample(number, asker: asker, topicKey: "significantUpdate/\(number)", ending: ending)
      row.kind = "significantUpdate"
      return row
    }
    let questions = [
      update(1, ending: .approved), update(2, ending: .approved), update(3, ending: .denied), update(4), update(5),
      update(6, asker: bare, ending: .approved), .sample(7, ending: .approved), .sample(8),
    ]
    try fixture.write { for question in questions { try $0.insert(question) } }
    func latest(_ kind: String, _ state: String) throws -> String? {
      try fixture.read { try $0.latestQuestion(person: "uid:1001", asker: .chat, kind: kind, state: state) }?.id
    }
    #expect(try latest("significantUpdate", "approved") == sampleID(2))
    #expect(try latest("significantUpdate", "pending") == sampleID(5))
    #expect(try latest("resource", "approved") == sampleID(7))
    #expect(try latest("communication", "approved") == nil)
    let open = try fixture.read { try $0.openUpdates(person: "uid:1001", asker: .chat) }
    #expect(open.map(\.id) == [4, 5].map(sampleID))
    #expect(try fixture.read { try $0.openUpdates(person: "uid:1001", asker: bare) } == [])
  }

  @Test func `people and open questions are counted`() throws {
    try fixture.write {
      try $0.put(.mia)
      try $0.insert(.sample(1))
      try $0.insert(.sample(2, ending: .denied))
    }
    #expect(try fixture.read { try $0.counts() } == StoreCounts(people: 1, openQuestions: 1))
  }

  private func end(_ number: Int) throws {
    #expect(try fixture.write { try $0.endQuestion(sampleID(number), .denied, unexpiredAt: nil) })
  }

  private func open(asker: AskerKey = .chat) throws -> QuestionRow? {
    try fixture.read { try $0.openQuestion(person: "uid:1001", asker: asker, topicKey: "resource/a.b") }
  }

  private func latest() throws -> QuestionRow? {
    try fixture.read { try $0.latestQuestion(person: "uid:1001", asker: .chat, topicKey: "resource/a.b") }
  }

  private func ids(_ prefix: String) throws -> [String] {
    try fixture.read { try $0.questionIDs(withPrefix: prefix, limit: 9) }
  }

  /// The numbers of the samples that a filter lets through.
  private func list(
    people: [String]? = nil, app: String? = nil, state: String? = nil, after: Int64? = nil, limit: Int = 9
  ) throws -> [Int] {
    let filter = QuestionFilter(people: people, app: app, state: state)
    return try fixture.read { try $0.questions(filter, after: after, limit: limit) }
      .compactMap { Int($0.id, radix: 16) }
  }
}
