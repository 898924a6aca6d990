// SPDX-License-Identifier: Apache-2.0
//
// Enrolment, declarations of age, and the people nobody enrolled.

import StrictJSON
import TestSupport
import Testing

@Suite struct EnrolmentTests {
  @Test func `doing again what is done is no error and changes nothing`() throws {
    let family = try Family()
    let people = try family.desk.administration("ListPeople")
    for _ in 0..<2 {
      #expect(try family.desk.administration("AddPerson", ["person": .string(Family.person)]) == [:])
      #expect(try family.desk.administration("AddGuardian", pair) == [:])
    }
    #expect(try family.desk.administration("ListPeople") == people)
    for _ in 0..<2 { #expect(try family.desk.administration("RemoveGuardian", pair) == [:]) }
    for _ in 0..<2 {
      #expect(try family.desk.administration("RemovePerson", ["person": .string(Family.person)]) == [:])
    }
  }

  @Test func `a person is listed with name and guardians`() throws {
    let family = try Family(guardians: ["uid:5000", "contact:org.example.Bridge/anna"])
    let people = try family.desk.administration("ListPeople").list("people")
    let person = try #require(people.first { $0["person"] == .string(Family.person) })
    #expect(person["displayName"] == "Mia")
    let guardians = try #require(person["guardians"]?.array).compactMap(\.string)
    #expect(Set(guardians) == ["uid:5000", "contact:org.example.Bridge/anna"])
    #expect(try family.desk.guardian("ListPeople").list("people").contains(person))
  }

  @Test func `people come in pages`() throws {
    let family = try Family()
    for uid in 6_000..<6_010 { try family.desk.administration("AddPerson", ["person": .string("uid:\(uid)")]) }
    let all = try family.desk.administration("ListPeople").list("people")
    let first = try family.desk.administration("ListPeople", ["limit": 7])
    let rest = try family.desk.administration("ListPeople", ["limit": 7, "after": .string(first.text("next"))])
    #expect(try first.list("people") + rest.list("people") == all)
    #expect(rest["next"] == nil)
    #expect(try family.statistics()["people"] == .integer(Int64(all.count)))
  }

  @Test func `nobody is their own guardian, and no minor anybody's`() throws {
    let family = try Family()
    try family.desk.administration("AddPerson", ["person": "uid:5010"])
    try family.desk.guardian("DeclareAge", ["person": "uid:5010", "birthDate": "2015-01-01"])
    let before = try family.desk.administration("ListPeople")
    let pairs: [(person: JSON, guardian: JSON)] = [
      ("uid:5001", "uid:5001"), ("uid:5010", "uid:5001"), ("uid:5001", "uid:5010"),
    ]
    for (person, guardian) in pairs {
      let refusal = #expect(throws: CallError.self) {
        try family.desk.administration("AddGuardian", ["person": person, "guardian": guardian])
      }
      #expect(refusal?.name == "\(Interface.administration).InvalidValue")
      #expect(refusal?.parameters["field"] == "guardian")
    }
    #expect(try family.desk.administration("ListPeople") == before)
  }

  @Test func `a guardian cannot be given to a person nobody enrolled`() throws {
    let family = try Family()
    let refusal = #expect(throws: CallError.self) {
      try family.desk.administration("AddGuardian", ["person": "uid:5777", "guardian": "uid:5000"])
    }
    #expect(refusal == CallError("\(Interface.administration).UnknownPerson", ["person": "uid:5777"]))
  }

  @Test func `a person who is removed takes their questions and grants along`() throws {
    let family = try Family()
    try family.answer(family.question(.update("1.0")), "approve")
    let waiter = try family.requester(.update("2.0"))
    let watch = try family.watch()
    #expect(try watch.backlog().count == 1)
    try family.desk.administration("RemovePerson", ["person": .string(Family.person)])
    #expect(try family.statistics()["openQuestions"] == 0)
    _ = try watch.next(change: "removed")
    let ending = try #require(try waiter.receive())
    #expect(ending.parameters["state"] != "approved" && ending.parameters["state"] != "denied")
    #expect(try family.status(.update("1.0"))["status"] == "notDetermined")
    try family.desk.administration("AddPerson", ["person": .string(Family.person)])
    try family.desk.administration("AddGuardian", pair)
    #expect(try family.ask(.update("1.0"))["state"] == "pending")
  }

  @Test func `without the last guardian nobody can be asked`() throws {
    let family = try Family()
    try family.desk.administration("RemoveGuardian", pair)
    let refusal = #expect(throws: CallError.self) { try family.ask(.update("2.0")) }
    #expect(refusal?.parameters["reason"] == "noGuardian")
  }

  private var pair: JSONObject { ["person": .string(Family.person), "guardian": .string(Family.guardian)] }
}

@Suite struct UnknownPersonTests {
  @Test(arguments: ["uid:5777", "account:org.example.Chat/7"])
  func `for a person nobody enrolled there is nobody to ask, and that is said at once`(person: String) throws {
    let family = try Family()
    let who: JSONObject = ["person": .string(person)]
    let status = try family.status(.update("2.0"), who)
    #expect(status["status"] == "notDetermined")
    #expect(status["reason"] == "noGuardian")
    #expect(status["nextAction"] == "askLater")
    for method in ["Ask", "Request"] {
      let refusal = #expect(throws: CallError.self) {
        try family.app.permission(method, family.asking(.update("2.0"), who))
      }
      #expect(refusal?.name == "\(Interface.permission).NotAvailable")
      #expect(refusal?.parameters["reason"] == "noGuardian")
    }
    #expect(try family.statistics()["openQuestions"] == 0)
    #expect(try family.app.ageRange("GetAgeRange", who)["reason"] == "ageUnknown")
  }

  @Test func `without a person the caller itself is meant`() throws {
    let family = try Family()
    let status = try family.app.permission("GetStatus", ["topic": .object(.update("2.0"))])
    #expect(status["reason"] == "noGuardian")
    #expect(try family.app.ageRange("GetAgeRange")["sharing"] == "notDetermined")
  }
}

@Suite struct DeclarationTests {
  @Test func `without a guardian the administrator declares, with one the guardian`() throws {
    let alone = try KnownDay(guardians: [])
    try alone.declare(birthDate: alone.date(yearsAgo: 14))
    #expect(try alone.ageRange().member("range")["source"] == "administratorDeclared")
    let family = try KnownDay()
    try family.declare(birthDate: family.date(yearsAgo: 14))
    let range = try family.ageRange().member("range")
    #expect(range["source"] == "guardianDeclared")
    #expect(range["assurance"] == "none")
  }

  @Test func `a guardian's later word replaces the earlier one, older or younger`() throws {
    let calendar = try KnownDay()
    for (age, lower) in [(17, JSON.integer(16)), (14, .integer(13)), (18, .integer(18))] {
      try calendar.declare(birthDate: calendar.date(yearsAgo: age))
      #expect(try calendar.ageRange().member("range")["lowerBound"] == lower)
    }
  }

  @Test func `the administrator's word outranks the guardian's`() throws {
    let calendar = try KnownDay(guardians: [])
    try calendar.declare(birthDate: calendar.date(yearsAgo: 14))
    try calendar.family.desk.administration(
      "AddGuardian", ["person": .string(Family.person), "guardian": .string(Family.guardian)])
    try calendar.declare(birthDate: calendar.date(yearsAgo: 20))
    let range = try calendar.ageRange().member("range")
    #expect(range["source"] == "administratorDeclared")
    #expect(range["lowerBound"] == 13)
  }

  @Test func `a declaration carries the assurance it was given`() throws {
    let calendar = try KnownDay()
    try calendar.declare(["birthDate": .string(calendar.date(yearsAgo: 14)), "assurance": "governmentIDChecked"])
    #expect(try calendar.ageRange().member("range")["assurance"] == "governmentIDChecked")
  }

  @Test func `a declaration outlives a kill`() throws {
    let calendar = try KnownDay()
    try calendar.declare(["lowerBound": 13, "upperBound": 15, "asOfDate": .string(calendar.date(yearsAgo: 1))])
    let before = try calendar.ageRange().without("asOfUSec")
    try calendar.family.daemon.kill()
    try calendar.family.startAgain()
    let after = try calendar.ageRange()
    #expect(try after.member("range")["lowerBound"] == before.member("range")["lowerBound"])
    #expect(try after.member("range")["upperBound"] == before.member("range")["upperBound"])
  }

  @Test func `nobody declares a local user's age on the apps' socket`() throws {
    let calendar = try KnownDay()
    let refusal = #expect(throws: CallError.self) {
      try calendar.family.app.ageRange("DeclareAge", ["person": .string(Family.person), "birthDate": "1990-01-01"])
    }
    #expect(refusal?.name == "\(Interface.ageRange).NotPermitted")
    #expect(try calendar.ageRange()["sharing"] == "notDetermined")
  }
}
