// SPDX-License-Identifier: Apache-2.0
//
// A person under another name: what follows, what ends, and what is refused.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct MovingTests {
  private static let moved = Person.user(2001)
  private static let chat = Asker(uid: 2001, app: .chat)
  let world: World

  init() throws {
    world = try World(accounts: FakeAccounts([1000: "ann", 1001: "mia", 1002: "bob", 2001: "maria"]))
    try world.run { [broker = world.broker] in try await broker.addPerson(.mia, displayName: "Mia") }
    try world.enrol(guardians: [.ann, .bob])
  }

  private func declare(by uid: UserID = 1000) throws {
    try world.run { [broker = world.broker] in
      _ = try await broker.declareAge(
        .bounds(lower: 9, upper: 9, asOf: .spring), of: .mia, by: .user(uid), assurance: .unchecked)
    }
  }

  @Test func `everything about a person follows, and nothing is left behind`() throws {
    try declare()
    let approved = try world.question()
    try world.answer(.of(approved))
    let denied = try world.question(.resource(), by: .game, key: "k")
    try world.answer(.of(denied, "deny"))
    try world.run { [broker = world.broker] in try await broker.acknowledge(2, of: .chat) }
    let before = (try world.events(), try world.events(of: .game))
    try world.move(.mia, to: Self.moved)
    let people = try world.broker.people(.everybody, after: nil, limit: 9).people
    #expect(
      people.first { $0.person == Self.moved }
        == EnrolledPerson(person: Self.moved, displayName: "Mia", guardians: [.ann, .bob]))
    #expect(!people.contains { $0.person == .mia })
    #expect(try world.status(by: Self.chat, about: Self.moved).status == .approved)
    #expect(try world.status(.resource(), by: Asker(uid: 2001, app: .game), about: Self.moved).status == .denied)
    #expect(try world.events(of: Self.chat).map(\.sequence) == before.0.map(\.sequence))
    #expect(try world.events(of: Self.chat).allSatisfy { $0.person == Self.moved })
    #expect(try world.broker.startingCursor(of: Self.chat, after: nil) == 2)
    #expect(try world.look(approved, asUID: 2001).state == .approved)
    #expect(throws: Refusal.self) { try world.look(approved, asUID: 1001) }
    let ages = try [Self.moved, .mia].map { try world.broker.ageRange(of: $0, gates: .baseline) }
    #expect(ages[0] != ages[1])
    #expect(try world.store.read { try !$0.isKnown("uid:1001", uid: 1001) })
    let again = try AskRequest.of(.resource(), by: Asker(uid: 2001, app: .game), about: Self.moved, key: "k")
    #expect(try world.ask(again).standing().decision.question == denied)
  }

  @Test func `the name a uid has is stored with it, and the old one forgotten`() throws {
    try world.move(.mia, to: Self.moved)
    #expect(try world.store.read { try $0.loginNames(of: "uid:2001") } == ["maria"])
    try world.move(Self.moved, to: .user(3001))
    #expect(try world.store.read { try $0.loginNames(of: "uid:3001") }.isEmpty)
    #expect(try world.status(by: Asker(uid: 3001, app: .chat), about: .user(3001)).nextAction == .ask)
  }

  @Test func `open questions end, their callers go on, and the same is asked anew under the new name`() throws {
    let question = try world.question(key: "k")
    let waiting = world.wait(for: question)
    let watcher = world.broker.watch(for: .ann, person: nil)
    let page = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9)
    _ = world.broker.changes(to: page.cards, for: watcher)
    try world.move(.mia, to: Self.moved)
    let decision = try #require(try waiting.get())
    #expect(decision.state == .moot && decision.ending?.reason == "personMoved" && decision.nextAction == .ask)
    #expect(try world.broker.changes(for: watcher)?.map(\.word) == ["removed moot"])
    #expect(try world.kinds(of: Self.chat) == [.asked, .moot])
    #expect(try world.kinds() == [])
    let anew = try world.question(by: Self.chat, about: Self.moved, key: "k")
    #expect(anew != question)
    try world.answer(.of(anew))
    #expect(try world.look(anew, asUID: 2001).state == .approved)
  }

  @Test func `a question whose time was up has expired, not moved`() throws {
    let question = try world.question(expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    try world.move(.mia, to: Self.moved)
    #expect(try world.look(question, asUID: 2001).state == .expired)
  }

  @Test func `an app that follows under the new uid already is told`() throws {
    _ = try world.question()
    let doorbell = world.broker.follow(Self.chat)
    let ring = world.start { await doorbell.wait() }
    world.runJobs()
    try world.move(.mia, to: Self.moved)
    #expect(try ring.get() == .rung)
    world.broker.unfollow(Self.chat, doorbell)
  }

  @Test func `a guardian who moves stays one, in what was answered and declared too`() throws {
    try declare()
    let answered = try world.question()
    try world.answer(.of(answered))
    let open = try world.question(.resource())
    try world.move(.user(1000), to: .user(2000))
    let ann = Viewer(peer: 2000, role: .guardian(.user(2000)))
    #expect(try world.broker.guardians(of: .mia) == [.user(2000), .bob])
    #expect(throws: Refusal.unknownQuestion(open.description)) { try world.answer(.of(open)) }
    #expect(try world.answer(.of(answered, by: ann)).decision.state == .approved)
    #expect(try world.answer(.of(open, by: ann)).decision.ending?.evidence?.guardian == "uid:2000")
    try declare(by: 2000)
    #expect(try world.store.read { try $0.declarations(of: "uid:1001").map(\.declaredBy) } == ["uid:2000"])
    #expect(try world.store.read { try !$0.isKnown("uid:1000", uid: 1000) })
  }

  @Test func `an account moves within its service`() throws {
    try world.enrol(.kim, guardians: [.nan])
    let service = Asker(uid: 989, app: .chat)
    let question = try world.question(by: service, about: .kim)
    try world.answer(.of(question, by: .bridge))
    let lou = Person.account(app: .chat, opaque: "lou")
    try world.move(.kim, to: lou)
    #expect(try world.status(by: service, about: lou).status == .approved)
    #expect(try world.status(by: service, about: .kim).reason == .noGuardian)
    #expect(try world.events(of: service).map(\.person) == Array(repeating: lou, count: 3))
  }

  @Test(arguments: [
    Person.user(1000), .user(1002), .user(1003), .user(1004), .user(1005), .account(app: .chat, opaque: "kim"),
  ])
  func `nobody moves onto somebody of whom anything is known`(other: Person) throws {
    try world.enrol(.leo, guardians: [])
    try world.enrol(.user(1004))
    _ = try world.question(by: Asker(uid: 1004, app: nil), about: .user(1004))
    try world.run { [broker = world.broker] in
      try await broker.removePerson(.user(1004))
      try await broker.removePerson(.user(1002))
    }
    try world.enrol(.user(1005), guardians: [])
    let before = try world.export().records
    let refusal = #expect(throws: Refusal.self) { try world.move(.mia, to: other) }
    guard case .invalidValue("to", _) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(try world.export().records == before)
  }

  @Test func `who is not enrolled does not move, and neither does who has moved`() throws {
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.move(.leo, to: Self.moved) }
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.move(.leo, to: .leo) }
    try world.move(.mia, to: Self.moved)
    #expect(throws: Refusal.unknownPerson("uid:1001")) { try world.move(.mia, to: Self.moved) }
  }

  @Test(arguments: 0..<9)
  func `a crash leaves a person moved or not moved, and nothing between`(steps: Int) throws {
    let approved = try world.question()
    try world.answer(.of(approved))
    let open = try world.question(.resource())
    let left = try world.cut(after: steps) { [broker = world.broker] in
      try await broker.movePerson(.mia, to: Self.moved)
    }
    let hasMoved = try left.store.read { try $0.person("uid:2001") != nil }
    let uid: UserID = hasMoved ? 2001 : 1001
    #expect(try left.status(by: Asker(uid: uid, app: .chat), about: .user(uid)).status == .approved)
    #expect(try left.look(open, asUID: uid).state == (hasMoved ? .moot : .pending))
    #expect(try left.store.read { try !$0.isKnown(hasMoved ? "uid:1001" : "uid:2001", uid: hasMoved ? 1001 : 2001) })
    if !hasMoved { try left.move(.mia, to: Self.moved) }
    #expect(try left.look(open, asUID: 2001).state == .moot)
    #expect(try left.kinds(of: Self.chat) == [.asked, .decided, .granted, .asked, .moot])
  }
}
