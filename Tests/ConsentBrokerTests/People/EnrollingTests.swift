// SPDX-License-Identifier: Apache-2.0
//
// Who is a person and who may answer for them.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct EnrollingTests {
  let world: World

  init() throws {
    world = try World()
  }

  private func add(_ person: Person, _ name: String? = nil) throws {
    try world.run { [world] in try await world.broker.addPerson(person, displayName: name) }
  }

  private func add(_ guardian: Guardian, for person: Person, _ name: String? = nil) throws {
    try world.run { [world] in try await world.broker.addGuardian(guardian, for: person, displayName: name) }
  }

  private func remove(_ guardian: Guardian, of person: Person) throws {
    try world.run { [world] in try await world.broker.removeGuardian(guardian, of: person) }
  }

  private func remove(_ person: Person) throws {
    try world.run { [world] in try await world.broker.removePerson(person) }
  }

  private func people() throws -> [EnrolledPerson] {
    try world.broker.people(.everybody, after: nil, limit: 100).people
  }

  @Test func `doing again what is done is no error, and a name that is left out stays`() throws {
    for _ in 0..<2 {
      try add(.mia, "Mia")
      try add(.mia)
      try add(.ann, for: .mia)
    }
    #expect(
      try people().first { $0.person == .mia } == EnrolledPerson(person: .mia, displayName: "Mia", guardians: [.ann]))
    for _ in 0..<2 { try remove(.ann, of: .mia) }
    for _ in 0..<2 { try remove(.mia) }
    #expect(try people().map(\.person) == [.user(1000)])
  }

  @Test func `guardians stand in the order in which they came`() throws {
    try add(.mia)
    for guardian in [Guardian.nan, .bob, .ann, .bob] { try add(guardian, for: .mia) }
    #expect(try world.broker.guardians(of: .mia) == [.nan, .bob, .ann])
  }

  @Test func `a person has only so many guardians, and the last of them may be named again`() throws {
    try add(.mia)
    let many = (1...GuardianRule.most).map { Guardian.user(UserID(2000 + $0)) }
    for guardian in many { try add(guardian, for: .mia) }
    #expect(throws: Refusal.invalidValue(field: "guardian", rule: "one of at most 64 of a person")) {
      try add(.nan, for: .mia)
    }
    try add(many[63], for: .mia)
    #expect(try world.broker.guardians(of: .mia) == many)
    try remove(many[0], of: .mia)
    try add(.nan, for: .mia)
  }

  @Test func `a local guardian becomes a person known to be an adult, and a contact does not`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    try add(.nan, for: .mia)
    #expect(try people().map(\.person) == [.user(1000), .mia])
    guard case .shared(let age) = try world.broker.ageRange(of: .user(1000), gates: .baseline) else {
      Issue.record("not shared")
      return
    }
    #expect(age.range.lowerBound == 18)
    #expect(age.source == .administratorDeclared)
    #expect(try world.store.read { try $0.declarations(of: "uid:1000").count } == 1)
    try add(.ann, for: .mia)
    #expect(try world.store.read { try $0.declarations(of: "uid:1000").count } == 1)
  }

  @Test func `a guardian who is enrolled again has not lost what was declared of them`() throws {
    try add(.user(1000), "Ann")
    try world.declare(.born(#require(CivilDate(year: 1980, month: 1, day: 1))), of: .user(1000))
    try add(.mia)
    try add(.ann, for: .mia)
    #expect(try world.store.read { try $0.declarations(of: "uid:1000").map(\.birthDate) } == ["1980-01-01"])
    #expect(try people().first?.displayName == "Ann")
  }

  @Test func `nobody is their own guardian`() throws {
    try add(.mia)
    try refused("guardian") { try add(.user(1001), for: .mia) }
  }

  @Test func `a minor is nobody's guardian`() throws {
    try add(.mia)
    try add(.leo)
    try world.declare(.born(#require(CivilDate(year: 2008, month: 5, day: 3))), of: .leo)
    try refused("guardian") { try add(.user(1003), for: .mia) }
  }

  @Test func `who has guardians is nobody's guardian, and whose guardian is asked has none`() throws {
    try add(.mia)
    try add(.leo)
    try add(.ann, for: .leo)
    try refused("guardian") { try add(.user(1003), for: .mia) }
    try add(.user(1000))
    try refused("person") { try add(.bob, for: .user(1000)) }
  }

  @Test func `a guardian who stands is not judged again`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    try add(.user(1000))
    try world.force(.bob, for: .user(1000))
    try add(.ann, for: .mia, "Ann")
    #expect(try world.broker.guardians(of: .mia) == [.ann])
  }

  @Test func `nobody is made the guardian of somebody who is not enrolled`() throws {
    #expect(throws: Refusal.unknownPerson("uid:1001")) { try add(.ann, for: .mia) }
    #expect(throws: Refusal.unknownPerson("uid:1001")) { try remove(.ann, of: .mia) }
    #expect(try people().isEmpty)
  }

  @Test func `an account is a person too`() throws {
    try add(.kim)
    try add(.nan, for: .kim)
    #expect(try people() == [EnrolledPerson(person: .kim, displayName: nil, guardians: [.nan])])
    let service = Asker(uid: 989, app: .chat)
    let question = try world.question(by: service, about: .kim)
    #expect(try world.answer(.of(question, by: .bridge)).decision.state == .approved)
  }

  @Test func `a removed person's open questions are moot, and whoever waited is told to ask later`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    let (first, second) = (try world.question(), try world.question(.resource(), by: .game))
    let waiting = [world.wait(for: first), world.wait(for: second)]
    try remove(.mia)
    for call in waiting {
      let decision = try #require(try call.get())
      #expect(decision.state == .moot)
      #expect(decision.ending?.reason == "personRemoved")
      #expect(decision.nextAction == .askLater)
    }
    #expect(try world.kinds() == [.asked, .moot])
    #expect(try world.kinds(of: .game) == [.asked, .moot])
    #expect(try world.status().reason == .noGuardian)
    #expect(throws: Refusal.notAvailable(reason: .noGuardian, retryable: false)) { try world.ask(.of()) }
  }

  @Test func `a removed person's question past its deadline has expired, as whoever looked was told`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    let question = try world.question(expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    let seen = try world.look(question)
    try remove(.mia)
    #expect(try world.look(question) == seen)
    #expect(try world.kinds() == [.asked, .expired])
  }

  @Test func `a removed person's answered questions stay answered`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    let question = try world.question()
    try world.answer(.of(question, "deny"))
    try remove(.mia)
    #expect(try world.look(question).state == .denied)
    #expect(try world.kinds() == [.asked, .decided])
  }

  @Test func `who comes back comes back without guardians and declarations`() throws {
    try add(.mia, "Mia")
    try add(.ann, for: .mia)
    try world.declare(.born(#require(CivilDate(year: 2014, month: 3, day: 5))))
    try remove(.mia)
    try add(.mia)
    #expect(try people().first { $0.person == .mia } == EnrolledPerson(person: .mia, displayName: nil, guardians: []))
    #expect(
      try world.broker.ageRange(of: .mia, gates: .baseline)
        == .notDetermined(nextAction: .askLater, reason: .ageUnknown))
  }

  @Test func `without the last guardian the question stays open`() throws {
    try add(.mia)
    try add(.ann, for: .mia)
    let question = try world.question()
    let waiting = world.wait(for: question)
    try remove(.ann, of: .mia)
    #expect(!waiting.isOver)
    #expect(try world.look(question).state == .pending)
    #expect(try world.status().nextAction == .wait)
    try add(.bob, for: .mia)
    try world.answer(.of(question, by: .bob))
    #expect(try waiting.get()?.state == .approved)
  }

  @Test(arguments: 1...4)
  func `pages of people neither skip nor repeat anybody`(limit: Int) throws {
    let uids = [1001, 1003, 1004, 1007, 1010] as [UserID]
    for uid in uids {
      try add(.user(uid))
      try add(.ann, for: .user(uid))
    }
    let lists: [(Broker.Circle, [UserID])] = [
      (.everybody, uids + [1000]), (.own(.tester), uids + [1000]), (.own(.ann), uids), (.own(.bob), []),
    ]
    for (circle, expected) in lists {
      var found: [Person] = []
      var place: String?
      repeat {
        let page = try world.broker.people(circle, after: place, limit: limit)
        #expect(page.people.count <= limit)
        found += page.people.map(\.person)
        place = page.next
      } while place != nil
      #expect(found == expected.map(Person.user).sorted { $0.description < $1.description })
    }
  }

  @Test func `who is enrolled is known, and others are not`() throws {
    try add(.mia)
    try world.broker.requireSight(of: .mia, for: .tester)
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try world.broker.requireSight(of: .leo, for: .tester) }
  }

  private func refused(_ field: String, _ body: () throws -> Void) throws {
    do {
      try body()
      Issue.record("not refused")
    } catch Refusal.invalidValue(field, _) {
    }
  }
}
