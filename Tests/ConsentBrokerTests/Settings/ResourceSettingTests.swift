// SPDX-License-Identifier: Apache-2.0
//
// A resource that a guardian settles: what the app had, what it waits for and what it is told.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct ResourceSettingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  @Test(arguments: ["denied", "restricted"])
  func `what is refused ends what was granted, and the app is told`(value: String) throws {
    try world.answer(.of(try world.question(.resource())))
    #expect(try world.status(.resource()).status == .approved)
    #expect(try world.set(.screenTime, value).value == value)
    #expect(try world.status(.resource()).nextAction != .proceed)
    #expect(try world.kinds().suffix(2) == [.granted, .revoked])
    #expect(try world.set(.screenTime, value, by: .bob).setBy == .ann)
    #expect(try world.kinds().last == .revoked)
  }

  @Test(arguments: ["denied", "restricted"])
  func `what is refused denies the open question, as this guardian's answer`(value: String) throws {
    let question = try world.question(.resource())
    let waiting = world.wait(for: question)
    try world.set(.screenTime, value, by: .bob)
    let decision = try waiting.get()
    #expect(decision?.state == .denied)
    #expect(decision?.ending?.choice == "deny")
    #expect(decision?.ending?.decidedBy == .guardian)
    #expect(try world.kinds() == [.asked, .decided])
    #expect(throws: Refusal.self) { try world.answer(.of(question)) }
  }

  @Test func `what is approved approves the open question and grants for good`() throws {
    let question = try world.question(.resource())
    let waiting = world.wait(for: question)
    let setting = try world.set(.screenTime, "approved")
    #expect(setting.value == "approved")
    #expect(setting.setAt == world.clock.now)
    #expect(try waiting.get()?.state == .approved)
    #expect(try waiting.get()?.ending?.grant != nil)
    #expect(try world.kinds() == [.asked, .decided, .granted])
    #expect(try world.status(.resource()).grant == waiting.get()?.ending?.grant)
  }

  @Test func `what is approved beforehand needs no question`() throws {
    try world.set(.screenTime, "approved", app: .game)
    #expect(try world.settings(app: .game).first { $0.name == .screenTime }?.setBy == .ann)
    let events = try world.events(of: .game)
    #expect(events.map(\.kind) == [.granted])
    #expect(events.first?.topicKey == "resource/org.example.screenTime" && events.first?.question == nil)
    #expect(try world.status(.resource(), by: .game).status == .approved)
    #expect(try world.status(.resource(), by: .nameless).status == .notDetermined)
    guard case .granted? = try? world.ask(.of(.resource(), by: .game)).verdict else {
      Issue.record("it was asked")
      return
    }
    try world.set(.screenTime, "approved", app: .game, by: .bob)
    #expect(try world.events(of: .game) == events)
  }

  @Test func `what is approved ends what was refused, and the other way round`() throws {
    for value in ["denied", "approved", "restricted", "approved", "notDetermined", "denied"] {
      let setting = try world.set(.screenTime, value, app: .game)
      #expect(setting.value == value)
      #expect(setting.isDefault == (value == "notDetermined"))
      #expect(try (world.status(.resource(), by: .game).nextAction == .proceed) == (value == "approved"))
      let listed = try world.settings(of: .mia, app: .game).first { $0.name == .screenTime }
      #expect(listed?.value == (value == "notDetermined" ? nil : value))
    }
    #expect(try world.kinds(of: .game) == [.granted, .revoked, .granted, .grantEnded])
  }

  @Test func `what may be asked again loses its grant and takes a question`() throws {
    try world.answer(.of(try world.question(.resource())))
    let setting = try world.set(.screenTime, "notDetermined")
    #expect(setting.isDefault && setting.setBy == nil)
    #expect(try world.kinds().last == .grantEnded)
    #expect(try world.status(.resource()).status == .notDetermined)
    #expect(try world.look(try world.question(.resource())).state == .pending)
  }

  @Test func `an open question about something else stays open`() throws {
    let others = [
      try world.question(.resource("org.example.other")), try world.question(.update()),
      try world.question(.resource(), by: .game), try world.question(.resource(), by: .nameless),
    ]
    for value in ["denied", "approved", "notDetermined", "restricted"] { try world.set(.screenTime, value) }
    #expect(try others.allSatisfy { try world.look($0).state == .pending })
  }

  @Test(arguments: ["approved", "denied", "restricted"])
  func `a question whose time was up has expired and is not answered`(value: String) throws {
    let question = try world.question(.resource(), expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    try world.set(.screenTime, value)
    #expect(try world.look(question).state == .expired)
    #expect(try !world.kinds(about: question).contains(.decided))
  }

  @Test func `where an approval needs everybody one guardian settles no approval alone, and any denial`() throws {
    try world.set(.guardianRule, "all", app: nil)
    let question = try world.question(.resource())
    #expect(throws: Refusal.self) { try world.set(.screenTime, "approved") }
    #expect(try world.look(question).state == .pending)
    #expect(try world.status(.resource()).nextAction == .wait)
    try world.set(.screenTime, "denied")
    #expect(try world.look(question).state == .denied)
  }

  @Test func `nothing is approved for an app that cannot ask about the person`() throws {
    try world.enrol(.kim, guardians: [.nan])
    #expect(throws: Refusal.self) { try world.set(.screenTime, "approved", app: .chat) }
    #expect(throws: Refusal.self) { try world.set(.screenTime, "approved", for: .kim, app: .game, by: .nan) }
    try world.set(.screenTime, "approved", for: .kim, app: .chat, by: .nan)
    #expect(try world.kinds(of: Asker(uid: 989, app: .chat)) == [.granted])
  }

  @Test func `the end of what was given without a question is told like any other`() throws {
    try world.set(.screenTime, "approved", app: .game)
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    #expect(try world.kinds(of: .game) == [.granted, .grantEnded])
  }

  @Test func `every change is in the audit, and what is no change is not`() throws {
    for value in ["approved", "approved", "denied", "denied", "notDetermined", "notDetermined"] {
      try world.set(.screenTime, value, app: .game)
    }
    try world.set(.neverAsk, "true", app: nil, by: .bob)
    let entries = try world.store.read { try $0.auditEntries(about: "uid:1001", app: nil, after: 0, limit: 100) }
    let told = entries.filter { ["setting", "granted", "revoked", "grantEnded"].contains($0.kind) }
    #expect(told.map(\.kind) == ["granted", "setting", "revoked", "setting", "setting", "setting"])
    let last = try JSONObject(parsing: Array(try #require(told.last?.payload).utf8))
    let facts = try #require(last["facts"]?.object)
    #expect(facts["setting"] == "neverAsk" && facts["value"] == "true" && facts["before"] == "false")
    #expect(facts["guardian"] == "uid:1002")
  }

  @Test func `a change is on disk before it is told, and whole or not there`() throws {
    let question = try world.question(.resource())
    for steps in 0..<12 {
      let left = try world.cut(after: steps) { [world] in
        _ = try await world.broker.change(
          SettingChange(person: .mia, app: .chat, name: .screenTime, value: "denied", viewer: .ann))
      }
      let isStored = try left.settings(of: .mia, app: .chat).first { $0.name == .screenTime }?.value == "denied"
      #expect(try (left.look(question).state == .denied) == isStored)
    }
    #expect(try world.look(question).state == .denied)
  }
}
