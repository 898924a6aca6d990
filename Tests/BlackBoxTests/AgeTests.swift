// SPDX-License-Identifier: Apache-2.0
//
// Ages: between which gates, on which day, and never a guess. The daemon's clock is put to a known noon first, so that
// no test depends on the day it runs.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct AgeRangeTests {
  /// An age with the bounds and the verdicts on 13, 16 and 18.
  struct Case: Sendable, CustomTestStringConvertible {
    let age: Int
    let lower: JSON?
    let upper: JSON?
    let passed: [Int]
    var testDescription: String { "\(age)" }
  }

  @Test(arguments: [
    Case(age: 0, lower: nil, upper: 12, passed: []), Case(age: 12, lower: nil, upper: 12, passed: []),
    Case(age: 13, lower: 13, upper: 15, passed: [13]), Case(age: 15, lower: 13, upper: 15, passed: [13]),
    Case(age: 16, lower: 16, upper: 17, passed: [13, 16]), Case(age: 17, lower: 16, upper: 17, passed: [13, 16]),
    Case(age: 18, lower: 18, upper: nil, passed: [13, 16, 18]),
    Case(age: 60, lower: 18, upper: nil, passed: [13, 16, 18]),
  ])
  func `an age is given as the band between two gates`(example: Case) throws {
    let calendar = try KnownDay()
    try calendar.declare(birthDate: calendar.date(yearsAgo: example.age))
    for gates: JSONObject in [[:], ["gates": [13, 16, 18]]] {
      let reply = try calendar.ageRange(gates)
      let range = try reply.member("range")
      #expect(reply["sharing"] == "shared")
      #expect(reply["nextAction"] == "proceed")
      #expect(range["lowerBound"] == example.lower)
      #expect(range["upperBound"] == example.upper)
      #expect(range["gatesRequested"] == [13, 16, 18])
      #expect(range["gatesApplied"] == [13, 16, 18])
      let verdicts = try range.list("verdicts")
      #expect(try verdicts.map { try $0.number("gate") } == [13, 16, 18])
      #expect(verdicts.map { $0["atLeast"]?.bool } == [13, 16, 18].map { example.passed.contains($0) })
    }
  }

  @Test func `one gate tells one thing`() throws {
    let calendar = try KnownDay()
    try calendar.declare(birthDate: calendar.date(yearsAgo: 14))
    let range = try calendar.ageRange(["gates": [13]]).member("range")
    #expect(range["lowerBound"] == 13)
    #expect(range["upperBound"] == nil)
    let above = try calendar.ageRange(["gates": [15]]).member("range")
    #expect(above["lowerBound"] == nil)
    #expect(above["upperBound"] == 14)
  }

  @Test func `a birthday counts from its first minute and not before`() throws {
    let calendar = try KnownDay()
    try calendar.declare(birthDate: calendar.date(yearsAgo: 13, days: 1))
    #expect(try calendar.ageRange(["gates": [13]]).member("range")["upperBound"] == 12)
    try calendar.family.advance(Family.day / 2 - 60_000_000)
    #expect(try calendar.ageRange(["gates": [13]]).member("range")["upperBound"] == 12)
    try calendar.family.advance(120_000_000)
    #expect(try calendar.ageRange(["gates": [13]]).member("range")["lowerBound"] == 13)
  }

  @Test func `the day is the machine's own`() throws {
    let west = try KnownDay(zone: "Pacific/Pago_Pago")
    let east = try KnownDay(zone: "Pacific/Kiritimati")
    for calendar in [west, east] { try calendar.declare(birthDate: calendar.date(yearsAgo: 13, days: 1)) }
    #expect(try west.ageRange(["gates": [13]]).member("range")["upperBound"] == 12)
    #expect(try east.ageRange(["gates": [13]]).member("range")["lowerBound"] == 13)
  }

  @Test func `who was born on the twenty-ninth of February is a year older on the first of March`() throws {
    let calendar = try KnownDay()
    let year = calendar.nextCommonYear
    try calendar.declare(birthDate: "2012-02-29")
    try calendar.move(to: "\(year)-02-28")
    let gate = Int64(year - 2012)
    let before = try calendar.ageRange(["gates": [.integer(gate)]]).member("range")
    #expect(before["upperBound"] == .integer(gate - 1))
    try calendar.family.advance(Family.day)
    let after = try calendar.ageRange(["gates": [.integer(gate)]]).member("range")
    #expect(after["lowerBound"] == .integer(gate))
  }

  @Test func `an unknown age is not determined and never an adult's`() throws {
    let calendar = try KnownDay()
    for person in [Family.person, "uid:5777", "account:org.example.Chat/7"] {
      let reply = try calendar.family.app.ageRange("GetAgeRange", ["person": .string(person), "gates": [18]])
      #expect(reply["sharing"] == "notDetermined")
      #expect(reply["reason"] == "ageUnknown")
      #expect(reply["range"] == nil)
      #expect(reply["nextAction"] != "proceed")
    }
  }

  @Test func `a guardian is known to be an adult`() throws {
    let calendar = try KnownDay()
    let reply = try calendar.family.app.ageRange("GetAgeRange", ["person": .string(Family.guardian)])
    #expect(try reply.member("range")["lowerBound"] == 18)
    #expect(try reply.member("range")["source"] == "administratorDeclared")
  }

  @Test func `a declared range grows with the years and never faster`() throws {
    let calendar = try KnownDay()
    try calendar.declare(["lowerBound": 13, "upperBound": 15])
    let now = try calendar.ageRange().member("range")
    #expect(now["lowerBound"] == 13)
    #expect(now["upperBound"] == 15)
    try calendar.move(to: calendar.date(yearsAgo: -2, days: -5))
    let before = try calendar.ageRange(["gates": [15, 18]]).member("range")
    #expect(before["lowerBound"] == nil)
    #expect(before["upperBound"] == 17)
    try calendar.family.advance(10 * Family.day)
    let after = try calendar.ageRange(["gates": [15, 18]]).member("range")
    #expect(after["lowerBound"] == 15)
    #expect(after["upperBound"] == nil)
  }

  @Test func `bounds that lie across a gate pass it for nobody`() throws {
    let calendar = try KnownDay()
    try calendar.declare(["lowerBound": 10, "upperBound": 14])
    let range = try calendar.ageRange().member("range")
    #expect(range["lowerBound"] == nil)
    #expect(range["upperBound"] == 15)
    #expect(try range.list("verdicts").map { $0["atLeast"]?.bool } == [false, false, false])
  }
}

@Suite struct AdultTests {
  @Test func `an adult is asked nobody about`() throws {
    let calendar = try KnownDay()
    try calendar.declare(birthDate: calendar.date(yearsAgo: 18))
    let family = calendar.family
    for topic in [JSONObject.update("2.0"), .talk(with: ["Ann"]), .resource()] {
      let reply = try family.ask(topic)
      #expect(reply["state"] == "notRequired")
      #expect(reply["nextAction"] == "proceed")
      #expect(reply["reason"] == "adult")
      #expect(reply["question"] == nil)
      #expect(try family.status(topic)["status"] == "notRequired")
      let request = try family.app.permission("Request", family.asking(topic))
      #expect(request["state"] == "notRequired")
    }
    #expect(try family.statistics()["openQuestions"] == 0)
  }

  @Test func `a day before that birthday the guardians are asked`() throws {
    let calendar = try KnownDay()
    try calendar.declare(birthDate: calendar.date(yearsAgo: 18, days: 1))
    #expect(try calendar.family.ask(.update("2.0"))["state"] == "pending")
  }

  @Test func `an unknown age is a minor's`() throws {
    let family = try Family()
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
  }

  @Test func `bounds that reach eighteen only above are a minor's`() throws {
    let calendar = try KnownDay()
    try calendar.declare(["lowerBound": 17, "upperBound": 40])
    #expect(try calendar.family.ask(.update("2.0"))["state"] == "pending")
  }
}
