// SPDX-License-Identifier: Apache-2.0
//
// Ages: what is declared, by whom, and what an app is told of it.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct DeclaringTests {
  let world: World

  init() throws {
    world = try .family()
  }

  @discardableResult
  private func declare(
    _ age: DeclaredAge, by declarer: Declarer = .user(1000), of person: Person = .mia
  ) throws -> DeclarationID {
    try world.run { [world] in
      try await world.broker.declareAge(age, of: person, by: declarer, assurance: .localAccount)
    }
  }

  private func shared(_ gates: Gates = .baseline) throws -> SharedAge.Shared? {
    guard case .shared(let age) = try world.broker.ageRange(of: .mia, gates: gates) else { return nil }
    return age
  }

  private func born(_ year: Int) throws -> DeclaredAge {
    .born(try #require(CivilDate(year: year, month: 5, day: 2)))
  }

  @Test func `an app learns between which gates an age lies, and on what it rests`() throws {
    try declare(born(2012))
    let age = try #require(try shared())
    #expect(age.range == AgeRange(AgeBounds(lower: 14, upper: 14), gates: .baseline))
    #expect(age.gates == [13, 16, 18])
    #expect(age.source == .guardianDeclared)
    #expect(age.assurance == .localAccount)
    #expect(age.asOf == ManualClock.start)
    #expect(age.controls == ["guardianConsent"])
  }

  @Test func `nobody decides for an adult, nor for somebody without guardians`() throws {
    try declare(born(2008))
    #expect(try shared()?.controls == [])
    try declare(born(2012))
    try world.run { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    #expect(try shared()?.controls == [])
  }

  @Test func `an unknown age is not determined, and the guardians are the ones to ask`() throws {
    #expect(
      try world.broker.ageRange(of: .mia, gates: .baseline)
        == .notDetermined(nextAction: .askGuardian, reason: .ageUnknown))
    #expect(
      try world.broker.ageRange(of: .leo, gates: .baseline)
        == .notDetermined(nextAction: .askLater, reason: .ageUnknown))
  }

  @Test func `an age that says nothing at these gates is not determined`() throws {
    try declare(.bounds(lower: 5, upper: nil, asOf: .spring))
    #expect(try shared() == nil)
  }

  @Test func `a declarer's word replaces their own earlier one and nobody else's`() throws {
    let first = try declare(born(2012))
    let second = try declare(born(2014))
    try declare(born(2010), by: .root)
    let rows = try world.store.read { try $0.declarations(of: "uid:1001") }
    #expect(
      rows.map(\.birthDate) == ["2014-05-02", "2010-05-02"] || rows.map(\.birthDate) == ["2010-05-02", "2014-05-02"])
    #expect(first != second)
    #expect(try shared()?.range.lowerBound == 16)
  }

  @Test func `a minor's own word makes no adult once a guardian is enrolled`() throws {
    try world.run { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    try declare(born(1980), by: .user(1001))
    #expect(try shared()?.range.lowerBound == 18)
    try world.enrol()
    #expect(
      try world.broker.ageRange(of: .mia, gates: .baseline)
        == .notDetermined(nextAction: .askGuardian, reason: .ageUnknown))
    #expect(try world.ask(.of()).standing().decision.state == .pending)
  }

  @Test(arguments: [Declarer.user(1001), .user(1002), .user(1009)])
  func `who is neither guardian nor administrator declares nothing about somebody who has guardians`(
    declarer: Declarer
  ) throws {
    let reason = "only a guardian, an administrator, or the service of an account may declare this person's age"
    #expect(throws: Refusal.notPermitted(reason: reason)) { try declare(born(1980), by: declarer) }
    #expect(throws: Refusal.notPermitted(reason: reason)) { try declare(born(1980), by: .user(1009), of: .leo) }
    #expect(try world.store.read { try $0.declarations(of: "uid:1001") } == [])
  }

  @Test func `a guardian who is removed in the same commit declares nothing any more`() throws {
    let removal = world.start { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    let age = try born(1980)
    let declaration = world.start { [world] in
      try await world.broker.declareAge(age, of: .mia, by: .user(1000), assurance: .unchecked)
    }
    world.settle()
    try removal.get()
    #expect(throws: Refusal.self) { try declaration.get() }
  }

  @Test func `in what capacity an age was declared is kept`() throws {
    try declare(born(2012))
    try declare(born(2013), by: .root)
    let rows = try world.store.read { try $0.declarations(of: "uid:1001") }
    #expect(
      Set(rows.map { "\($0.source) \($0.declaredBy)" }) == ["guardianDeclared uid:1000", "administratorDeclared uid:0"])
  }

  @Test func `nobody waits for an answer about somebody who is an adult from now on`() throws {
    let (question, answered) = (try world.question(), try world.question(.resource()))
    try world.answer(.of(answered, "deny"))
    let late = try world.question(.communication(), expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    let waiting = world.wait(for: question)
    try declare(born(2008))
    let decision = try #require(try waiting.get())
    #expect(decision.state == .moot)
    #expect(decision.ending?.reason == "adult")
    #expect(decision.nextAction == .proceed)
    #expect(try world.look(answered).state == .denied)
    #expect(try world.look(late).state == .expired)
    #expect(try world.broker.statistics().openQuestions == 0)
  }

  @Test func `a minor's questions stay open when their age is declared`() throws {
    let question = try world.question()
    try declare(born(2009))
    #expect(try world.look(question).state == .pending)
  }

  @Test func `a declaration that does not read widens nothing`() throws {
    try declare(born(1980), by: .root)
    #expect(try world.status().status == .notRequired)
    try world.run { [world] in
      try await world.store.write { rows in
        try rows.insert(
          DeclarationRow(
            id: String(repeating: "a", count: 32), person: "uid:1001", source: "oracle", assurance: "none",
            declaredBy: "uid:7", birthDate: "2014-01-01", declaredAt: 0))
      }
    }
    #expect(try world.status().status == .notDetermined)
    #expect(try shared() == nil)
  }

  @Test func `only a person's age is declared, and no guardian is made a minor`() throws {
    #expect(throws: Refusal.unknownPerson("uid:1003")) { try declare(born(2012), by: .root, of: .leo) }
    let rule = "nobody who is a guardian: a guardian is at least 18"
    for age in [
      try born(2012), .bounds(lower: nil, upper: 30, asOf: .spring), .bounds(lower: 17, upper: nil, asOf: .spring),
    ] {
      #expect(throws: Refusal.invalidValue(field: "person", rule: rule)) {
        try declare(age, by: .root, of: .user(1000))
      }
    }
    try declare(born(1980), by: .root, of: .user(1000))
  }

  @Test func `an adult by the policy is an adult, whatever the law elsewhere`() throws {
    let world = try World(policy: Policy(id: "late", version: "2", gates: .baseline, adultAge: 21))
    try world.enrol()
    try world.declare(born(2008))
    #expect(try world.status().status == .notDetermined)
    try world.declare(born(2005))
    #expect(try world.status().reason == .adult)
    let evidence = try world.answer(
      .of(world.question(about: .mia, declaring: .bounds(lower: 3, upper: 3, asOf: .spring)))
    )
    .decision.ending?.evidence
    #expect(evidence?.policy == "late/2")
  }
}

extension World {
  /// Declares an age, then asks.
  fileprivate func question(about person: Person, declaring age: DeclaredAge) throws -> QuestionID {
    try declare(age, of: person)
    return try question(about: person)
  }
}
