// SPDX-License-Identifier: Apache-2.0
//
// In which capacity each uid may declare an age. In the tables: 1 and 2 are guardians, 7 is the person, 0 and 9
// administrators, 5 a stranger.

import Testing

@testable import ConsentModel

@Suite struct DeclarerRuleTests {
  private let person = Person.user(7)
  private let administrators: Set<UserID> = [0, 9]

  @Test(
    arguments: [
      (1, .guardianDeclared), (2, .guardianDeclared), (0, .administratorDeclared), (9, .administratorDeclared),
      (7, nil),
      (5, nil),
    ] as [(UserID, DeclarationSource?)])
  func `for a person with guardians they and administrators declare`(peer: UserID, source: DeclarationSource?) {
    #expect(declared(by: peer, guardians: [.user(1), .user(2)]) == source)
  }

  @Test(
    arguments: [
      (1, nil), (0, .administratorDeclared), (9, .administratorDeclared), (7, .selfDeclared), (5, nil),
    ] as [(UserID, DeclarationSource?)])
  func `a person without guardians declares for themself`(peer: UserID, source: DeclarationSource?) {
    #expect(declared(by: peer, guardians: []) == source)
  }

  @Test func `a person with guardians declares nothing even as an administrator`() {
    let rule = DeclarerRule(anyRole: false)
    #expect(rule.source(peer: 7, isAdministrator: true, person: person, guardians: [.user(1)]) == nil)
    #expect(rule.source(peer: 7, isAdministrator: true, person: person, guardians: []) == .administratorDeclared)
  }

  @Test func `a guardian who is an administrator speaks as guardian`() {
    #expect(declared(by: 9, guardians: [.user(9)]) == .guardianDeclared)
  }

  @Test func `a contact among the guardians lets no uid speak`() throws {
    let contact = try Guardian(parsing: "contact:org.example/5")
    #expect(declared(by: 5, guardians: [contact]) == nil)
    #expect(declared(by: 7, guardians: [contact]) == nil)
  }

  @Test func `nobody declares for themself about an account`() throws {
    let account = try Person(parsing: "account:org.example/7")
    let rule = DeclarerRule(anyRole: false)
    #expect(rule.source(peer: 7, isAdministrator: false, person: account, guardians: []) == nil)
  }

  @Test func `in a sandbox anybody is a guardian where there is one, else an administrator`() {
    let rule = DeclarerRule(anyRole: true)
    #expect(rule.source(peer: 7, isAdministrator: false, person: person, guardians: [.user(1)]) == .guardianDeclared)
    #expect(rule.source(peer: 7, isAdministrator: false, person: person, guardians: []) == .administratorDeclared)
  }

  @Test(arguments: [false, true])
  func `a service declares its own accounts' ages and nobody else's`(anyRole: Bool) throws {
    let rule = DeclarerRule(anyRole: anyRole)
    let app = try AppID(parsing: "org.example")
    #expect(rule.source(service: app, person: try Person(parsing: "account:org.example/7")) == .serviceDeclared)
    for other in ["account:org.example2/7", "account:org.exampl/e", "uid:7"] {
      #expect(rule.source(service: app, person: try Person(parsing: other)) == nil)
    }
  }

  private func declared(by peer: UserID, guardians: [Guardian]) -> DeclarationSource? {
    DeclarerRule(anyRole: false).source(
      peer: peer, isAdministrator: administrators.contains(peer), person: person, guardians: guardians)
  }
}
