// SPDX-License-Identifier: Apache-2.0
//
// A declaration of an age: a birth date, or bounds on a day, and never one that lies ahead.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing

@Suite struct DeclareAgeCallTests {
  private let today = CivilDate(year: 2026, month: 5, day: 2) ?? .earliest

  private func declare(_ parameters: JSONObject) throws -> DeclaredAge {
    var parameters = parameters
    parameters["person"] = "uid:1001"
    return try DeclareAgeCall(parameters).age(today: today)
  }

  @Test func `an age is a birth date, or bounds on a day`() throws {
    #expect(try declare(["birthDate": "2014-03-05"]) == .born(#require(CivilDate(year: 2014, month: 3, day: 5))))
    #expect(try declare(["lowerBound": 13]) == .bounds(lower: 13, upper: nil, asOf: today))
    #expect(
      try declare(["lowerBound": 13, "upperBound": 15, "asOfDate": "2026-01-31"])
        == .bounds(lower: 13, upper: 15, asOf: #require(CivilDate(year: 2026, month: 1, day: 31))))
  }

  @Test(arguments: Assurance.allCases)
  func `an age says how strongly it was checked`(assurance: Assurance) throws {
    #expect(
      try DeclareAgeCall(["person": "uid:1001", "assurance": .string(assurance.rawValue)]).assurance == assurance)
    #expect(try DeclareAgeCall(["person": "uid:1001"]).assurance == .unchecked)
  }

  @Test(arguments: ["", "None", "oracle", "unchecked"])
  func `a strength that is not known is refused`(assurance: String) throws {
    try BadValue("assurance", .string(assurance)).isRefused(in: ["person": "uid:1001"]) { _ = try DeclareAgeCall($0) }
  }

  @Test(
    arguments: [
      ("birthDate", [:]), ("birthDate", ["birthDate": "2026-05-03"]), ("birthDate", ["birthDate": "1899-12-31"]),
      ("birthDate", ["birthDate": "2014-02-30"]), ("birthDate", ["birthDate": "5.3.2014"]),
      ("birthDate", ["birthDate": "2014-03-05", "lowerBound": 3]), ("lowerBound", ["lowerBound": -1]),
      ("lowerBound", ["lowerBound": .integer(.max)]), ("upperBound", ["upperBound": 131]),
      ("upperBound", ["lowerBound": 13, "upperBound": 12]), ("asOfDate", ["lowerBound": 13, "asOfDate": "2026-05-03"]),
      ("asOfDate", ["lowerBound": 13, "asOfDate": "now"]), ("birthDate", ["asOfDate": "2026-01-01"]),
    ] as [(String, JSONObject)])
  func `an age that cannot be is refused with its field`(field: String, parameters: JSONObject) {
    do {
      _ = try declare(parameters)
      Issue.record("not refused")
    } catch Refusal.invalidValue(let found, let rule) {
      #expect(found == field)
      #expect(!rule.isEmpty)
    } catch {
      Issue.record("\(error)")
    }
  }
}
