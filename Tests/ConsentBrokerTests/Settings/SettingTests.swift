// SPDX-License-Identifier: Apache-2.0
//
// Who may settle what for whom, what is stored, and what a guardian is shown.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct SettingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  @Test func `where nobody chose, what holds by itself is shown`() throws {
    #expect(try world.settingLines() == ["uid:1001 - guardianRule any", "uid:1001 - neverAsk false"])
  }

  @Test func `a choice is kept with who made it and when`() throws {
    world.clock.pass(7)
    let setting = try world.set(.neverAsk, "true")
    #expect(
      setting
        == Setting(
          person: .mia, app: .chat, name: .neverAsk, value: "true", isDefault: false, setBy: .ann,
          setAt: world.clock.now))
    world.clock.pass(7)
    #expect(try world.set(.neverAsk, "true", by: .bob) == setting)
    #expect(try world.set(.neverAsk, "false", by: .bob).setBy == .bob)
    #expect(try world.afterCrash().settings() == world.settings())
  }

  @Test func `what holds for every app holds for the apps without a word of their own`() throws {
    _ = try world.question(by: .chat)
    _ = try world.question(by: .game)
    try world.set(.neverAsk, "false", app: .chat)
    try world.set(.neverAsk, "true", app: nil, by: .bob)
    #expect(
      try world.settingLines() == [
        "uid:1001 - guardianRule any", "uid:1001 - neverAsk true by uid:1002",
        "uid:1001 org.example.Chat neverAsk false by uid:1000", "uid:1001 org.example.Game neverAsk true",
      ])
  }

  @Test func `apps that have asked are listed with the resources they asked for`() throws {
    _ = try world.question(.resource("org.example.b"))
    _ = try world.question(.resource("org.example.a"))
    _ = try world.question(.communication(), by: .game)
    _ = try world.question(.update(), by: .nameless)
    try world.set(.resource("org.example.c"), "denied", app: .game)
    #expect(
      try world.settingLines() == [
        "uid:1001 - guardianRule any", "uid:1001 - neverAsk false", "uid:1001 org.example.Chat neverAsk false",
        "uid:1001 org.example.Chat resource/org.example.a notDetermined",
        "uid:1001 org.example.Chat resource/org.example.b notDetermined", "uid:1001 org.example.Game neverAsk false",
        "uid:1001 org.example.Game resource/org.example.c denied by uid:1000",
      ])
  }

  @Test func `a list may be of one person or one app`() throws {
    try world.enrol(.leo)
    _ = try world.question(.resource())
    let all = try world.settings()
    #expect(Set(all.map(\.person)) == [.mia, .leo])
    #expect(try world.settings(of: .leo) == all.filter { $0.person == .leo })
    #expect(try world.settings(of: .mia, app: .chat) == all.filter { $0.app == .chat })
    #expect(try world.settingLines(of: .mia, app: .game) == ["uid:1001 org.example.Game neverAsk false"])
  }

  @Test(arguments: 1...9)
  func `a list comes in pages, each setting once`(limit: Int) throws {
    try world.enrol(.leo)
    try world.enrol(.user(1_010), guardians: [.bob])
    _ = try world.question(.resource())
    try world.set(.guardianRule, "all", for: .leo, app: nil)
    let all = try world.settings()
    #expect(all.count == 6)
    #expect(try world.settings(limit: limit) == all)
    #expect(all.map(\.place) == all.map(\.place).sorted())
  }

  @Test func `a sandbox shows whoever has guardians`() throws {
    let world = try World.family(isSandbox: true)
    try world.enrol(.leo, guardians: [.bob])
    #expect(try Set(world.settings(by: .tester).map(\.person)) == [.mia, .leo])
    #expect(try world.set(.neverAsk, "true", for: .leo, by: .tester).setBy == .bob)
  }

  /// Who may not, for whom, and what they are told.
  @Test(
    arguments: [
      (.stranger, .mia, nil), (.mia, .mia, nil), (.ann, .leo, nil), (.nan, .mia, nil),
      (.ann, .user(4_000), nil), (.tester, .user(4_000), .unknownPerson("uid:4000")),
    ] as [(Viewer, Person, Refusal?)])
  func `nobody else sees or settles anything`(viewer: Viewer, person: Person, refusal: Refusal?) throws {
    try world.enrol(.leo, guardians: [.bob])
    let before = try world.settings(by: .bob)
    for (name, value) in [(SettingName.neverAsk, "true"), (.guardianRule, "all"), (.screenTime, "approved")] {
      let app: AppID? = name == .guardianRule ? nil : .chat
      let thrown = #expect(throws: Refusal.self) {
        try world.set(name, value, for: person, app: app, by: viewer)
      }
      if let refusal { #expect(thrown == refusal) } else { #expect(thrown?.isNotPermitted == true) }
    }
    #expect(try world.settings(by: .bob) == before)
    if viewer != .ann, viewer != .tester { #expect(try world.settings(by: viewer).isEmpty) }
  }

  @Test func `a bridge settles for its contacts, and says for which where it could be several`() throws {
    let world = try World.family()
    try world.enrol(.kim, guardians: [.nan, .contact(app: .chat, opaque: "pop")])
    #expect(try world.set(.neverAsk, "true", for: .kim, app: nil, by: .nan).setBy == .nan)
    #expect(throws: Refusal.self) { try world.set(.neverAsk, "false", for: .kim, app: nil, by: .bridge) }
    #expect(try world.settings(by: .bridge).allSatisfy { $0.person == .kim })
    #expect(throws: Refusal.self) { try world.set(.neverAsk, "true", by: .nan) }
  }

  @Test func `open questions stay open whatever neverAsk says`() throws {
    let question = try world.question()
    let waiting = world.wait(for: question)
    try world.set(.neverAsk, "true")
    try world.set(.neverAsk, "true", app: nil)
    #expect(!waiting.isOver)
    try world.answer(.of(question))
    #expect(try waiting.get()?.state == .approved)
  }

  @Test func `settings go with the person`() throws {
    try world.set(.neverAsk, "true")
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    try world.enrol(guardians: [.ann])
    #expect(try world.settingLines() == ["uid:1001 - guardianRule any", "uid:1001 - neverAsk false"])
  }
}

extension Refusal {
  fileprivate var isNotPermitted: Bool { if case .notPermitted = self { true } else { false } }
}
