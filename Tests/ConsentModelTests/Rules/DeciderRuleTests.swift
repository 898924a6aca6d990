// SPDX-License-Identifier: Apache-2.0
//
// Who may decide. In the tables: 1 and 2 are guardians of person 7, 5 is a stranger, 8 a service that asks, and a
// contact is spoken for by the bridge 9.

import Testing

@testable import ConsentModel

@Suite struct DeciderRuleTests {
  private static let contact = (try? Guardian(parsing: "contact:org.example/mum")) ?? .user(0)
  /// A contact of a service that has no bridge.
  private static let foreign = (try? Guardian(parsing: "contact:org.example.mute/mum")) ?? .user(0)
  private static let guardians: [Guardian] = [.user(1), .user(2), contact, foreign]

  @Test(
    arguments: [
      (.user(1), 1, 7, nil), (.user(2), 2, 7, nil), (contact, 9, 7, nil), (.user(1), 1, 8, nil),
      (.user(5), 5, 7, .notGuardian), (.user(7), 7, 7, .notGuardian), (.user(8), 8, 8, .notGuardian),
      (.user(1), 1, 1, .sameAsker), (.user(2), 2, 1, nil), (contact, 8, 8, .notSpeaker), (contact, 7, 8, .notSpeaker),
      (.user(1), 9, 1, .notSpeaker), (.user(1), 7, 7, .notSpeaker), (contact, 9, 9, .sameAsker),
      (foreign, 9, 8, .notSpeaker), (foreign, 5, 8, .notSpeaker),
    ] as [(Guardian, UserID, UserID, DeciderObjection?)])
  func `neither the person nor the asker decides, however they come`(
    guardian: Guardian, peer: UserID, asker: UserID, expected: DeciderObjection?
  ) {
    let objection = DeciderRule(anyRole: false, apps: .bridged).objection(
      to: guardian, spokenForBy: peer, person: .user(7), askedBy: asker, guardians: DeciderRuleTests.guardians)
    #expect(objection == expected)
  }

  @Test func `a bridge that is the person decides nothing, either`() {
    let objection = DeciderRule(anyRole: false, apps: .bridged).objection(
      to: DeciderRuleTests.contact, spokenForBy: 9, person: .user(9), askedBy: 8, guardians: DeciderRuleTests.guardians)
    #expect(objection == .samePerson)
  }

  @Test func `a person listed as their own guardian decides nothing`() {
    let objection = DeciderRule(anyRole: false, apps: .bridged).objection(
      to: .user(7), spokenForBy: 7, person: .user(7), askedBy: 8, guardians: [.user(7)])
    #expect(objection == .samePerson)
  }

  @Test func `in a sandbox one uid plays every role but must speak for a guardian`() {
    let rule = DeciderRule(anyRole: true, apps: .bridged)
    let guardians: [Guardian] = [.user(1)]
    #expect(
      rule.objection(to: .user(1), spokenForBy: 7, person: .user(7), askedBy: 7, guardians: guardians) == nil)
    #expect(
      rule.objection(to: .user(2), spokenForBy: 7, person: .user(7), askedBy: 7, guardians: guardians) == .notGuardian)
  }

  @Test(
    arguments: [
      ([], 7, false), ([.user(1)], 7, true), ([.user(1)], 1, false), ([.user(1), .user(2)], 1, true),
      ([.user(7)], 8, false), ([contact], 8, true), ([.user(1), contact], 1, true),
      ([contact], 9, false), ([foreign], 8, false), ([foreign, contact], 8, true), ([.user(1), contact], 9, true),
    ] as [([Guardian], UserID, Bool)])
  func `a question is made only where somebody may decide it`(guardians: [Guardian], asker: UserID, expected: Bool) {
    let rule = DeciderRule(anyRole: false, apps: .bridged)
    #expect(rule.someoneMayDecide(person: .user(7), askedBy: asker, guardians: guardians) == expected)
    let free = DeciderRule(anyRole: true, apps: .bridged).someoneMayDecide(
      person: .user(7), askedBy: asker, guardians: guardians)
    #expect(free == !guardians.isEmpty)
  }
}

@Suite struct StandingTests {
  @Test(
    arguments: [
      (nil, [], .unguarded), (nil, [.user(1)], .guarded), (12, [.user(1)], .guarded), (12, [], .unguarded),
      (17, [.user(1)], .guarded), (18, [.user(1)], .adult), (18, [], .adult), (12, [.user(8)], .unguarded),
    ] as [(Int?, [Guardian], Standing)])
  func `age and guardians make the standing`(age: Int?, guardians: [Guardian], expected: Standing) throws {
    let standing = Standing(
      person: .user(7), askedBy: 8, guardians: guardians, age: try age.map(effectiveAge), policy: .baseline,
      deciders: DeciderRule(anyRole: false, apps: .bridged))
    #expect(standing == expected)
  }
}

@Suite struct GuardianRuleTests {
  @Test(arguments: [nil, 18, 40])
  func `an adult, or somebody of unknown age, becomes a guardian`(age: Int?) throws {
    try GuardianRule.check(
      .user(1), for: .user(7), hasGuardians: false, age: try age.map(effectiveAge), policy: .baseline)
  }

  @Test func `a minor, somebody with guardians and the person are refused`() throws {
    let minor = try effectiveAge(17)
    for (candidate, hasGuardians, age) in [(7, false, nil), (1, true, nil), (1, false, minor)] as [(UserID, Bool, _)] {
      let error = #expect(throws: ValueError.self) {
        try GuardianRule.check(.user(candidate), for: .user(7), hasGuardians: hasGuardians, age: age, policy: .baseline)
      }
      #expect(error?.field == "guardian")
    }
  }

  @Test func `a contact of the same digits is not the person`() throws {
    try GuardianRule.check(
      try Guardian(parsing: "contact:org.example/7"), for: .user(7), hasGuardians: false, age: nil, policy: .baseline)
  }
}

extension AppRegistry {
  /// The bridge 9 speaks for the contacts of `org.example`, nobody for those of `org.example.mute`.
  static let bridged = AppRegistry(
    ["org.example", "org.example.mute"].compactMap { id in
      try? AppEntry(id: AppID(parsing: id), uid: 8, bridgeUID: id == "org.example" ? 9 : nil)
    })
}

/// An administrator's word for an age.
func effectiveAge(_ years: Int) throws -> EffectiveAge {
  let declaration = Declaration(
    source: "administratorDeclared", assurance: "none", declaredBy: "uid:0", birthDate: "\(2026 - years)-01-01",
    lowerBound: nil, upperBound: nil, asOfDate: nil, declaredAt: Instant(usec: 0))
  return try #require(EffectiveAge(of: [declaration], on: day("2026-10-01"), hasGuardian: true))
}
