// SPDX-License-Identifier: Apache-2.0
//
// Who a uid was enrolled as, and what happens when it is somebody else's.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct LoginTests {
  private static let changed = Refusal.notAvailable(reason: .personChanged, retryable: false)
  private static let unknown = Refusal.notAvailable(reason: .accounts, retryable: true)
  let world: World
  let accounts = FakeAccounts.family

  init() throws {
    world = try World(accounts: accounts)
    try world.enrol(guardians: [.ann, .bob])
  }

  /// Gives a uid to another account, or what is known of it; nobody has looked since.
  private func give(_ uid: UserID, _ login: PresentLogin) {
    accounts.logins[uid] = login
    world.clock.pass(10 * Span.second)
  }

  private func declareAdult(by uid: UserID) throws {
    try world.run { [broker = world.broker] in
      _ = try await broker.declareAge(
        .bounds(lower: 18, upper: nil, asOf: .spring), of: .mia, by: .user(uid), assurance: .unchecked)
    }
  }

  /// Everything an app of Mia's can call about Mia, by name.
  private func calls(_ question: QuestionID) -> [(name: String, call: () throws -> Void)] {
    [
      ("GetStatus", { _ = try world.status() }), ("Ask", { _ = try world.ask(.of(.resource())) }),
      ("GetAgeRange", { _ = try world.broker.ageRange(of: .mia, gates: .baseline) }),
      ("Await", { _ = try world.look(question) }), ("Withdraw", { try world.withdraw(question) }),
      ("Responses", { _ = try world.events() }),
      ("Acknowledge", { try world.run { [broker = world.broker] in try await broker.acknowledge(1, of: .chat) } }),
      ("DeclareAge", { try declareAdult(by: 1001) }),
    ]
  }

  /// Everything Ann can do about Mia's question.
  private func guardianCalls(_ question: QuestionID) -> [(name: String, call: () throws -> Void)] {
    [
      ("Answer", { try world.answer(.of(question)) }),
      ("Watch", { try world.broker.requireUnchanged(Viewer.ann) }),
      ("DeclareAge", { try declareAdult(by: 1000) }),
    ]
  }

  @Test func `the login names of persons and guardians are stored when they are enrolled`() throws {
    for (person, login) in [("uid:1001", "mia"), ("uid:1000", "ann"), ("uid:1002", "bob")] {
      #expect(try world.store.read { try $0.person(person)?.loginName } == login)
    }
    #expect(try world.store.read { try $0.guardians(of: "uid:1001").map(\.loginName) } == ["ann", "bob"])
  }

  @Test func `a uid of somebody else's gets nothing of the person who was enrolled`() throws {
    let question = try world.question()
    give(1001, .name("eve"))
    for (name, call) in calls(question) { #expect(throws: Self.changed, "\(name)") { try call() } }
    give(1001, .unknown)
    for (name, call) in calls(question) { #expect(throws: Self.unknown, "\(name)") { try call() } }
    give(1001, .name("mia"))
    #expect(try world.look(question).state == .pending)
    #expect(try world.kinds() == [.asked])
  }

  @Test(arguments: [PresentLogin.none, .name("mia")])
  func `a uid without an account, or with the same one, is who it was`(login: PresentLogin) throws {
    let question = try world.question()
    give(1001, login)
    for (name, call) in calls(question) where name != "DeclareAge" {
      #expect(throws: Never.self, "\(name)") { try call() }
    }
  }

  @Test func `who was enrolled without a name is not judged by one`() throws {
    let nameless = try World()
    try nameless.enrol()
    let later = try World(in: try nameless.crash(), accounts: accounts)
    let before = accounts.lookUps
    _ = try later.question()
    #expect(try later.status().status == .pending)
    #expect(accounts.lookUps == before)
    try later.enrol()
    #expect(try later.store.read { try $0.person("uid:1001")?.loginName } == "mia")
  }

  @Test func `a guardian whose uid is somebody else's neither sees nor answers nor decides`() throws {
    let question = try world.question()
    let watcher = world.broker.watch(for: .ann, person: nil)
    let page = try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9)
    _ = world.broker.changes(to: page.cards, for: watcher)
    #expect(page.cards.map(\.canAnswer) == [true])
    give(1000, .name("eve"))
    for (name, call) in guardianCalls(question) { #expect(throws: Self.changed, "\(name)") { try call() } }
    #expect(throws: Refusal.unknownQuestion(question.description)) {
      try world.run { [broker = world.broker] in _ = try await broker.describe(question.description, for: .ann) }
    }
    #expect(
      try world.broker.cards(for: .ann, person: nil, app: nil, state: .pending, after: nil, limit: 9).cards.isEmpty)
    watcher.touch(question)
    let told = try #require(try world.broker.changes(for: watcher))
    #expect(told.map(\.word) == ["removed notGuardian"])
    #expect(try world.status().nextAction == .wait)
    try world.answer(.of(question, by: .bob))
    #expect(try world.look(question).state == .approved)
  }

  @Test func `where every guardian's uid is somebody else's there is nobody to ask`() throws {
    give(1000, .name("eve"))
    give(1002, .name("dan"))
    #expect(try world.status().reason == .noGuardian)
    #expect(throws: Refusal.notAvailable(reason: .noGuardian, retryable: false)) { try world.ask(.of()) }
    give(1002, .unknown)
    #expect(throws: Self.unknown) { try world.ask(.of()) }
    #expect(throws: Self.unknown) { try world.status() }
  }

  @Test func `a guardian who is somebody else still keeps a person's own word about their age from counting`() throws {
    give(1000, .name("eve"))
    give(1002, .name("dan"))
    #expect(throws: Refusal.self) { try declareAdult(by: 1001) }
    #expect(try world.status().reason == .noGuardian)
  }

  @Test func `to answer just when the uid is given away is too late`() throws {
    let question = try world.question()
    let call = world.start { [world] in try await world.broker.answer(.of(question)) }
    world.runJobs()
    give(1000, .name("eve"))
    world.settle()
    #expect(try call.get().decision.state == .approved)
    let second = try world.question(.resource())
    #expect(throws: Self.changed) { try world.answer(.of(second)) }
    #expect(try world.look(second).state == .pending)
  }

  @Test func `nobody is enrolled again as somebody else, and the name that stood stays`() throws {
    accounts.logins[1001] = .name("eve")
    accounts.logins[1000] = .name("zoe")
    #expect(throws: Self.changed) { try world.enrol() }
    #expect(throws: Self.changed) { try world.enrol(.leo, guardians: [.ann]) }
    accounts.logins[1001] = .unknown
    #expect(throws: Self.unknown) { try world.enrol() }
    #expect(try world.store.read { try $0.person("uid:1001")?.loginName } == "mia")
    #expect(try world.broker.guardians(of: .leo).isEmpty)
    accounts.logins[1001] = PresentLogin.none
    try world.enrol(guardians: [])
    #expect(try world.store.read { try $0.person("uid:1001")?.loginName } == "mia")
  }

  @Test func `the present login name of a uid is accepted, as a person and as a guardian`() throws {
    accounts.logins[1001] = .name("maria")
    accounts.logins[1000] = .name("anna")
    try world.move(.mia, to: .mia)
    try world.move(.user(1000), to: .user(1000))
    world.clock.pass(10 * Span.second)
    let question = try world.question()
    try world.answer(.of(question))
    #expect(try world.store.read { try $0.loginNames(of: "uid:1000") } == ["anna", "anna"])
  }

  @Test func `a person who is gone makes room for the next`() throws {
    accounts.logins[1001] = .name("eve")
    try world.run { [broker = world.broker] in try await broker.removePerson(.mia) }
    try world.enrol()
    #expect(try world.status().nextAction == .ask)
  }

  @Test func `a status asks the name service once in ten seconds and no more`() throws {
    let question = try world.question()
    world.clock.pass(10 * Span.second)
    let before = accounts.lookUps
    for _ in 0..<1_000 {
      _ = try world.status()
      _ = try world.look(question)
      _ = try world.broker.ageRange(of: .mia, gates: .baseline)
    }
    try world.answer(.of(question))
    #expect(accounts.lookUps == before + 3)
    world.clock.bootUSec += 10 * Span.second - 1
    _ = try world.status()
    #expect(accounts.lookUps == before + 3)
    world.clock.bootUSec += 1
    _ = try world.status()
    #expect(accounts.lookUps == before + 6)
  }

  @Test func `nobody who is not enrolled is looked up`() throws {
    let before = accounts.lookUps
    for uid in 5_000..<5_100 as Range<UserID> {
      _ = try world.status(by: Asker(uid: uid, app: nil), about: .user(uid))
      _ = try world.broker.ageRange(of: .user(uid), gates: .baseline)
      #expect(throws: Refusal.self) { try world.ask(.of(by: Asker(uid: uid, app: nil), about: .user(uid))) }
    }
    #expect(accounts.lookUps == before)
  }
}
