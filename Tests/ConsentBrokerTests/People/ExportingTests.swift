// SPDX-License-Identifier: Apache-2.0
//
// An export is all of it, each thing once, in the order of the kinds, however much there is.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct ExportingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  private func records(_ kind: ExportedRecord.Kind, of person: Person = .mia) throws -> [JSONObject] {
    try world.export(person).records.filter { $0.kind == kind }.map(\.content)
  }

  @Test func `everything that is kept about a person is in their export`() throws {
    try world.declare(.bounds(lower: 9, upper: 9, asOf: .spring))
    world.clock.pass(1)
    try world.declare(.bounds(lower: 10, upper: 10, asOf: .spring))
    let question = try world.question(.communication(["kim"]), key: "k")
    try world.answer(.of(question, note: "fine"))
    _ = try world.question(.resource(), by: .game)
    let kinds = try world.export().records.map(\.kind)
    #expect(kinds == ExportedRecord.Kind.allCases.flatMap { kind in kinds.filter { $0 == kind } })
    #expect(try records(.person).first?["person"] == "uid:1001")
    #expect(try records(.guardian).map { $0["guardian"] } == ["uid:1000", "uid:1002"])
    #expect(try records(.declaration).map { $0["endedReason"] } == ["replaced", nil])
    #expect(try records(.asker).map { $0["app"] } == ["org.example.Chat", "org.example.Game"])
    let exported = try #require(try records(.question).first)
    #expect(exported["question"] == .string(question.description) && exported["state"] == "approved")
    #expect(exported["content"]?.object?["topic"]?.object?["people"] != nil)
    #expect(exported["answers"]?.array?.first?.object?["note"] == "fine")
    #expect(exported["grant"]?.object?["items"]?.array?.count == 1)
    #expect(exported["decision"]?.object?["guardian"] == "uid:1000")
    #expect(try records(.event).map { $0["event"] } == ["asked", "decided", "granted", "asked"])
    #expect(try records(.guardianship, of: .user(1000)) == [["person": "uid:1001"]])
  }

  @Test func `settings, what was turned down and grants without a question are exported too`() throws {
    try world.run { [store = world.store] in
      try await store.write { rows in
        try rows.put(SettingRow(person: "uid:1001", name: "guardianRule", value: "all", setBy: "uid:1000", setAt: 7))
        try rows.put(CoolDownRow(person: "uid:1001", scope: "uid:1001", subject: "resource/x", denials: 2, deniedAt: 7))
        try rows.insert(
          GrantRow(
            id: String(repeating: "a", count: 32), person: "uid:1001", asker: AskerKey(uid: 1001, app: ""),
            provenance: "unidentified", topicKey: "resource/x", kind: "resource", lifetime: "persistent", grantedAt: 7,
            guardian: "uid:1000"),
          items: [GrantItemRow(subject: "x", action: "full")])
      }
    }
    #expect(
      try records(.setting) == [
        ["setting": "guardianRule", "value": "all", "setBy": "uid:1000", "setAtUSec": 7]
      ])
    #expect(try records(.coolDown).map { $0["denials"] } == [2])
    #expect(try records(.grant).map { $0["guardian"] } == ["uid:1000"])
  }

  @Test func `an erased question is exported as what is left of it`() throws {
    try world.answer(.of(world.question()))
    try world.forget()
    let question = try #require(try records(.question).first)
    #expect(question["erasedAtUSec"] != nil && question["state"] == "approved")
    for gone in ["content", "contentHash", "topicKey"] { #expect(question[gone] == nil) }
    #expect(question["answers"] == [])
  }

  @Test func `an export of somebody who moves meanwhile is not taken for complete`() throws {
    _ = try world.question()
    let next = try #require(try world.broker.export(of: .mia, from: .start).next)
    try world.move(.mia, to: .user(2001))
    #expect(throws: Refusal.unknownPerson("uid:1001")) { try world.broker.export(of: .mia, from: next) }
  }

  @Test func `pages neither skip nor repeat, and hold little`() throws {
    for number in 0..<40 {
      let question = try world.question(.update("\(number)"), by: number.isMultiple(of: 2) ? .chat : .game)
      try world.answer(.of(question, "deny"))
    }
    for number in 0..<300 { try world.withdraw(world.question(.resource("org.example.r\(number)"), by: .nameless)) }
    let export = try world.export()
    let questions = export.records.filter { $0.kind == .question }.compactMap { $0.content["question"]?.string }
    let events = export.records.filter { $0.kind == .event }
    #expect(questions.count == 340 && Set(questions).count == 340)
    #expect(events.count == 680)
    #expect(export.pages > 22)
    #expect(try world.export(.user(1000)).records.filter { $0.kind == .question }.isEmpty)
  }
}
