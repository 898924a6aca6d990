// SPDX-License-Identifier: Apache-2.0
//
// People, guardians, declarations, and the store's own values: what goes in comes out, and nothing of somebody else.

import Testing

@testable import ConsentStore

@Suite struct PeopleTests {
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.write { try $0.put(.mia) }
  }

  @Test func `a person is read as it was put`() throws {
    #expect(try fixture.read { try $0.person("uid:1001") } == .mia)
    #expect(try fixture.read { try $0.person("uid:1002") } == nil)
  }

  @Test func `a person put again keeps what is not said`() throws {
    try fixture.write { try $0.put(PersonRow(person: "uid:1001", displayName: "Mia B", addedAt: 9)) }
    let person = try fixture.read { try $0.person("uid:1001") }
    #expect(person == PersonRow(person: "uid:1001", displayName: "Mia B", loginName: "mia", addedAt: 5))
  }

  @Test func `people are told apart by their bytes`() throws {
    let kelvin = "account:org.example/\u{212A}"
    try fixture.write {
      try $0.put(PersonRow(person: "account:org.example/K", addedAt: 1))
      try $0.put(PersonRow(person: kelvin, addedAt: 2))
    }
    #expect(try fixture.read { try $0.person("account:org.example/K") }?.addedAt == 1)
    #expect(try fixture.read { try $0.person(kelvin) }?.addedAt == 2)
  }

  @Test func `people come in pages`() throws {
    try fixture.write { for number in 1002...1004 { try $0.put(PersonRow(person: "uid:\(number)", addedAt: 1)) } }
    let first = try fixture.read { try $0.people(after: nil, limit: 3) }.map(\.person)
    let rest = try fixture.read { try $0.people(after: first.last, limit: 3) }.map(\.person)
    #expect(first == ["uid:1001", "uid:1002", "uid:1003"])
    #expect(rest == ["uid:1004"])
  }

  @Test func `guardians come in the order of their enrolment`() throws {
    try fixture.write {
      for name in ["uid:1000", "uid:999", "contact:org.example/z"] {
        try $0.put(GuardianRow(person: "uid:1001", guardian: name, addedAt: 7))
      }
      try $0.put(GuardianRow(person: "uid:1001", guardian: "uid:1000", displayName: "Ana", addedAt: 8))
    }
    let guardians = try fixture.read { try $0.guardians(of: "uid:1001") }
    #expect(guardians.map(\.guardian) == ["uid:1000", "uid:999", "contact:org.example/z"])
    #expect(guardians[0] == GuardianRow(person: "uid:1001", guardian: "uid:1000", displayName: "Ana", addedAt: 7))
  }

  @Test func `a guardian has pages of people`() throws {
    try fixture.write {
      for number in 1001...1003 {
        try $0.put(PersonRow(person: "uid:\(number)", addedAt: 1))
        try $0.put(GuardianRow(person: "uid:\(number)", guardian: "uid:1000", addedAt: 1))
      }
      try $0.put(GuardianRow(person: "uid:1002", guardian: "uid:7", addedAt: 1))
    }
    let page = try fixture.read { try $0.people(ofVoices: ["uid:1000"], after: "uid:1001", limit: 9) }
    #expect(page.map(\.person) == ["uid:1002", "uid:1003"])
    #expect(try fixture.read { try $0.people(ofVoices: ["uid:7"], after: nil, limit: 9) }.count == 1)
  }

  @Test func `a guardian is removed once`() throws {
    try fixture.write { try $0.put(GuardianRow(person: "uid:1001", guardian: "uid:1000", addedAt: 1)) }
    #expect(try fixture.write { try $0.removeGuardian("uid:1000", of: "uid:1001") })
    #expect(try !fixture.write { try $0.removeGuardian("uid:1000", of: "uid:1001") })
  }

  @Test func `a person goes with their guardians and declarations`() throws {
    try fixture.write {
      try $0.put(GuardianRow(person: "uid:1001", guardian: "uid:1000", addedAt: 1))
      try $0.insert(born("d1"))
    }
    #expect(try fixture.write { try $0.removePerson("uid:1001") })
    #expect(try !fixture.write { try $0.removePerson("uid:1001") })
    #expect(try fixture.read { try $0.guardians(of: "uid:1001") }.isEmpty)
    #expect(try fixture.read { try $0.declarations(of: "uid:1001") }.isEmpty)
  }

  @Test func `declarations are read as they were inserted`() throws {
    let bounds = DeclarationRow(
      id: "d2", person: "uid:1001", source: "administratorDeclared", assurance: "none", declaredBy: "uid:0",
      lowerBound: 12, upperBound: 14, asOfDate: "2026-01-01", declaredAt: 4)
    try fixture.write {
      try $0.insert(born("d1"))
      try $0.insert(bounds)
    }
    #expect(try fixture.read { try $0.declarations(of: "uid:1001") } == [bounds, born("d1")])
  }

  @Test func `a declaration makes room for the next of its declarer alone`() throws {
    try fixture.write {
      try $0.insert(born("d1"))
      try $0.insert(born("d2", by: "uid:999"))
    }
    let ended = try fixture.write {
      let ended = try $0.endDeclarations(
        person: "uid:1001", source: "guardianDeclared", declaredBy: "uid:1000", at: 9, reason: "replaced")
      try $0.insert(born("d3"))
      return ended
    }
    #expect(ended == 1)
    #expect(try fixture.read { try $0.declarations(of: "uid:1001") }.map(\.id) == ["d2", "d3"])
  }

  @Test func `values of the store are replaced`() throws {
    try fixture.write { try $0.setMeta("salt", []) }
    #expect(try fixture.read { try $0.meta("salt") } == [])
    try fixture.write { try $0.setMeta("salt", [0, 255]) }
    #expect(try fixture.read { try $0.meta("salt") } == [0, 255])
    #expect(try fixture.read { try $0.meta("other") } == nil)
  }
}

private func born(_ id: String, by declarer: String = "uid:1000") -> DeclarationRow {
  DeclarationRow(
    id: id, person: "uid:1001", source: "guardianDeclared", assurance: "none", declaredBy: declarer,
    birthDate: "2014-03-05", declaredAt: 5)
}
