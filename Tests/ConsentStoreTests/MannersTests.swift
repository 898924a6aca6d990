// SPDX-License-Identifier: Apache-2.0
//
// Cool-downs, budgets, first versions, settings and reminders: each is read as it was put, is nobody else's, follows
// whoever moves and goes with whoever is removed or forgotten.

import Testing

@testable import ConsentStore

@Suite struct MannersTests {
  private let fixture: StoreFixture
  private let scope = "uid:1001"
  private let coolDown = CoolDownRow(
    person: "uid:1001", scope: "uid:1001", subject: "resource/a.b", denials: 2, deniedAt: 30, lapsedAt: 20, newsAt: 40)
  private let neverAsk = SettingRow(
    person: "uid:1001", app: "org.example.Chat", name: "neverAsk", value: "true", setBy: "uid:1000", setAt: 5)
  private let rule = SettingRow(
    person: "uid:1001", name: "guardianRule", value: "all", setBy: "uid:1000", setAt: 6)

  init() throws {
    fixture = try StoreFixture()
    try fixture.write { [coolDown, neverAsk, rule, scope] in
      try $0.put(.mia)
      try $0.insert(.sample(1))
      for row in [coolDown, other(coolDown, scope: "app:a.b"), other(coolDown, person: "uid:1002")] { try $0.put(row) }
      for (number, instant) in [(1, 90), (2, 70), (3, 80)] as [(Int, Int64)] {
        try $0.insertRecentQuestion(person: "uid:1001", scope: scope, askedAt: instant, question: sampleID(number))
      }
      try $0.insertRecentQuestion(person: "uid:1002", scope: scope, askedAt: 75, question: sampleID(1))
      try $0.insertRecentQuestion(person: "uid:1001", scope: "app:a.b", askedAt: 75, question: sampleID(4))
      try $0.recordFirstVersion(person: "uid:1001", asker: .chat, version: "1.0", at: 5)
      try $0.put(neverAsk)
      try $0.put(rule)
    }
  }

  @Test func `a cool-down is read as it was put, and put in place of the one before`() throws {
    #expect(try found() == coolDown)
    #expect(try found(scope: "app:other") == nil)
    #expect(try found(subject: "resource/a.c") == nil)
    let bare = CoolDownRow(person: "uid:1001", scope: scope, subject: "resource/a.b")
    try fixture.write { try $0.put(bare) }
    #expect(try found() == bare)
    #expect(throws: StoreError.self) {
      try fixture.write { [scope] in
        try $0.put(CoolDownRow(person: "uid:1001", scope: scope, subject: "x", denials: -1))
      }
    }
  }

  @Test func `cool-downs are forgotten by scope, by subject or all`() throws {
    try fixture.write { try $0.deleteCoolDowns(person: "uid:1001", scope: nil, subject: "resource/a.c") }
    #expect(try found() != nil)
    try fixture.write { [scope] in try $0.deleteCoolDowns(person: "uid:1001", scope: scope, subject: nil) }
    #expect(try found() == nil)
    #expect(try found(scope: "app:a.b") != nil)
    try fixture.write { try $0.deleteCoolDowns(person: "uid:1001", scope: nil, subject: nil) }
    #expect(try found(scope: "app:a.b") == nil)
    #expect(try found(person: "uid:1002") != nil)
  }

  @Test func `the questions of a scope are counted from an instant on, in their order`() throws {
    #expect(try recent(after: 0) == [70, 80, 90])
    #expect(try recent(after: 70) == [80, 90])
    #expect(try fixture.write { try $0.deleteRecentQuestions(before: 80) } == 3)
    #expect(try recent(after: 0) == [80, 90])
  }

  @Test func `the first version stays the first`() throws {
    try fixture.write { try $0.recordFirstVersion(person: "uid:1001", asker: .chat, version: "2.0", at: 9) }
    #expect(try firstVersion() == "1.0")
    #expect(try fixture.read { try $0.firstVersion(person: "uid:1002", asker: .chat) } == nil)
    #expect(try fixture.read { try $0.firstVersion(person: "uid:1001", asker: AskerKey(uid: 1, app: "")) } == nil)
  }

  @Test func `a setting of every app and one of an app stand beside each other`() throws {
    #expect(try fixture.read { try $0.settings(of: "uid:1001") } == [rule, neverAsk])
    #expect(try fixture.read { try $0.setting(person: "uid:1001", app: "", name: "guardianRule") } == rule)
    #expect(try fixture.read { try $0.setting(person: "uid:1001", app: "", name: "neverAsk") } == nil)
    var changed = rule
    (changed.value, changed.setAt) = ("any", 7)
    let again = changed
    try fixture.write { try $0.put(again) }
    #expect(try fixture.read { try $0.settings(of: "uid:1001") } == [again, neverAsk])
    #expect(try fixture.write { try $0.deleteSetting(person: "uid:1001", app: "", name: "guardianRule") })
    #expect(try !fixture.write { try $0.deleteSetting(person: "uid:1001", app: "", name: "guardianRule") })
    #expect(try fixture.read { try $0.settings(of: "uid:1001") } == [neverAsk])
  }

  @Test func `a reminder is due until it is set anew or the question ends`() throws {
    try fixture.write {
      try $0.insert(.sample(2, topicKey: "b"))
      try $0.setReminder(sampleID(1), at: 300)
      try $0.setReminder(sampleID(2), at: 200)
    }
    #expect(try due(at: 199) == [])
    #expect(try due(at: 300) == [sampleID(2), sampleID(1)])
    #expect(try fixture.read { try $0.dueReminders(at: 300, limit: 1) }.map(\.remindAt) == [200])
    #expect(try fixture.read { try $0.earliestReminder() } == 200)
    #expect(try fixture.write { try $0.setReminder(sampleID(2), at: nil) })
    #expect(try fixture.read { try $0.earliestReminder() } == 300)
    #expect(try fixture.write { try $0.endQuestion(sampleID(1), .denied, unexpiredAt: nil) })
    #expect(try due(at: 300) == [])
    #expect(try fixture.read { try $0.earliestReminder() } == nil)
    #expect(try fixture.read { try $0.question(sampleID(1)) }?.remindAt == nil)
    #expect(try !fixture.write { try $0.setReminder(sampleID(1), at: 400) })
  }

  @Test func `everything follows a person who moves`() throws {
    try fixture.write { try $0.movePerson("uid:1001", to: "uid:1009") }
    #expect(try found(person: "uid:1009") == other(coolDown, person: "uid:1009"))
    #expect(try fixture.read { try $0.recentQuestions(person: "uid:1009", scope: "uid:1001", after: 0) }.count == 3)
    #expect(try fixture.read { try $0.firstVersion(person: "uid:1009", asker: .chat) } == "1.0")
    #expect(try fixture.read { try $0.settings(of: "uid:1009") }.map(\.name) == ["guardianRule", "neverAsk"])
    #expect(try nothingOf("uid:1001"))
  }

  @Test func `a user who moves takes along the scope and what they set`() throws {
    #expect(try fixture.read { try $0.isKnown("uid:1000", uid: 1_000) })
    try fixture.write {
      try $0.moveUser(1_001, to: 1_009)
      try $0.moveUser(1_000, to: 1_008)
    }
    #expect(try found(scope: "uid:1009") == other(coolDown, scope: "uid:1009"))
    #expect(try found() == nil)
    #expect(try fixture.read { try $0.recentQuestions(person: "uid:1001", scope: "uid:1009", after: 0) }.count == 3)
    #expect(try fixture.read { try $0.settings(of: "uid:1001") }.map(\.setBy) == ["uid:1008", "uid:1008"])
    #expect(try !fixture.read { try $0.isKnown("uid:1000", uid: 1_000) })
  }

  @Test func `everything goes with a person who is removed`() throws {
    #expect(try fixture.write { try $0.removePerson("uid:1001") })
    #expect(try nothingOf("uid:1001"))
    #expect(try found(person: "uid:1002") != nil)
  }

  @Test func `what is forgotten of an asker is the scope it asked in and its app's settings`() throws {
    try fixture.write { try $0.put(other(coolDown, scope: "app:org.example.Chat")) }
    try fixture.write { _ = try $0.endQuestion(sampleID(1), .denied, unexpiredAt: nil) }
    try fixture.write { try $0.erase("uid:1001", for: .chat, at: 99) }
    #expect(try found(scope: "app:org.example.Chat") == nil)
    #expect(try found() != nil, "it asked as a registered app")
    #expect(try recent(after: 0) == [70, 80], "those of other questions stay")
    #expect(try firstVersion() == nil)
    #expect(try fixture.read { try $0.settings(of: "uid:1001") } == [rule])
  }

  @Test func `an asker without a registered app is forgotten by its uid`() throws {
    try fixture.write {
      var question = QuestionRow.sample(2, asker: AskerKey(uid: 1_001, app: "a.b"), topicKey: "b", ending: .denied)
      question.provenance = "claimed"
      try $0.insert(question)
      try $0.erase("uid:1001", for: question.asker, at: 99)
    }
    #expect(try found() == nil)
    #expect(try found(scope: "app:a.b") != nil)
  }

  private func found(
    person: String = "uid:1001", scope: String = "uid:1001", subject: String = "resource/a.b"
  ) throws -> CoolDownRow? {
    try fixture.read { try $0.coolDown(person: person, scope: scope, subject: subject) }
  }

  private func recent(after: Int64) throws -> [Int64] {
    try fixture.read { try $0.recentQuestions(person: "uid:1001", scope: scope, after: after) }
  }

  private func firstVersion() throws -> String? {
    try fixture.read { try $0.firstVersion(person: "uid:1001", asker: .chat) }
  }

  private func due(at now: Int64) throws -> [String] {
    try fixture.read { try $0.dueReminders(at: now, limit: 9) }.map(\.id)
  }

  private func nothingOf(_ person: String) throws -> Bool {
    try fixture.read { rows in
      try rows.coolDown(person: person, scope: scope, subject: "resource/a.b") == nil
        && rows.recentQuestions(person: person, scope: scope, after: 0).isEmpty
        && rows.firstVersion(person: person, asker: .chat) == nil && rows.settings(of: person).isEmpty
    }
  }
}

/// The row with another person or scope.
private func other(_ row: CoolDownRow, person: String? = nil, scope: String? = nil) -> CoolDownRow {
  var row = row
  if let person { row.person = person }
  if let scope { row.scope = scope }
  return row
}
