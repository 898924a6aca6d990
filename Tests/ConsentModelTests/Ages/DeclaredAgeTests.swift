// SPDX-License-Identifier: Apache-2.0
//
// What can be declared, and how it ages.

import Testing

@testable import ConsentModel

@Suite struct DeclaredAgeTests {
  @Test(arguments: [
    ("2014-03-05", "2027-03-04", 12), ("2014-03-05", "2027-03-05", 13), ("2014-03-05", "2014-03-05", 0),
    ("2014-12-31", "2015-01-01", 0), ("1900-01-01", "2026-01-01", 126), ("1969-12-31", "1970-01-01", 0),
    // Born on a leap day: an age is reached on 1 March of a common year, on the day itself in a leap year.
    ("2012-02-29", "2025-02-28", 12), ("2012-02-29", "2025-03-01", 13), ("2012-02-29", "2028-02-28", 15),
    ("2012-02-29", "2028-02-29", 16), ("2096-02-29", "2100-02-28", 3), ("2096-02-29", "2100-03-01", 4),
    ("2012-02-28", "2025-02-28", 13), ("2012-03-01", "2025-02-28", 12), ("2012-03-01", "2025-03-01", 13),
  ])
  func `a birth date ages by the calendar`(birth: String, today: String, age: Int) throws {
    #expect(try DeclaredAge.born(day(birth)).bounds(on: day(today)) == AgeBounds(lower: age, upper: age))
  }

  @Test(arguments: [
    ("2026-06-01", 12, 12), ("2026-06-02", 12, 13), ("2027-05-31", 12, 13), ("2027-06-01", 13, 13),
    ("2027-06-02", 13, 14), ("2032-06-01", 18, 18), ("2032-06-02", 18, 19),
  ])
  func `an age on a day ages conservatively`(today: String, lower: Int, upper: Int) throws {
    let age = DeclaredAge.bounds(lower: 12, upper: 12, asOf: try day("2026-06-01"))
    #expect(try age.bounds(on: day(today)) == AgeBounds(lower: lower, upper: upper))
  }

  @Test func `a bound that was not declared never appears`() throws {
    let lower = DeclaredAge.bounds(lower: 18, upper: nil, asOf: try day("2026-06-01"))
    #expect(try lower.bounds(on: day("2030-01-01")) == AgeBounds(lower: 21, upper: nil))
    let upper = DeclaredAge.bounds(lower: nil, upper: 12, asOf: try day("2026-06-01"))
    #expect(try upper.bounds(on: day("2030-01-01")) == AgeBounds(lower: nil, upper: 16))
  }

  @Test func `a clock before the declaration makes nobody older`() throws {
    let born = DeclaredAge.born(try day("2014-03-05"))
    #expect(try born.bounds(on: day("2014-03-04")) == .unknown)
    let adult = DeclaredAge.bounds(lower: 18, upper: 30, asOf: try day("2026-06-01"))
    #expect(try adult.bounds(on: day("2026-05-31")) == AgeBounds(lower: nil, upper: 30))
  }

  /// Whoever states a true age on a day is still right on every later day.
  @Test func `aged bounds always hold the true age`() throws {
    var random = SplitMix(seed: 29)
    for _ in 0..<20_000 {
      let birth = try random.day(years: 1996...2016)
      let asOf = try random.day(years: 2016...2026)
      let today = try random.day(years: 2026...2060)
      guard birth <= asOf, asOf <= today, let stated = DeclaredAge.born(birth).bounds(on: asOf).lower,
        let age = DeclaredAge.born(birth).bounds(on: today).lower
      else { continue }
      let bounds = DeclaredAge.bounds(lower: stated, upper: stated, asOf: asOf).bounds(on: today)
      let lower = try #require(bounds.lower)
      let upper = try #require(bounds.upper)
      #expect((lower...upper).contains(age), "born \(birth), \(stated) on \(asOf), seen on \(today)")
      #expect(upper - lower <= 1)
    }
  }

  @Test func `a declaration is a birth date or bounds`() throws {
    let today = try day("2026-10-01")
    #expect(try declare("1900-01-01") == .born(day("1900-01-01")))
    #expect(try declare("2026-10-01") == .born(today))
    #expect(try declare(nil, 12, 12) == .bounds(lower: 12, upper: 12, asOf: today))
    #expect(try declare(nil, nil, 0, "2026-09-30") == .bounds(lower: nil, upper: 0, asOf: day("2026-09-30")))
    #expect(try declare(nil, 130, nil) == .bounds(lower: 130, upper: nil, asOf: today))
  }

  @Test(
    arguments: [
      ("2026-10-02", nil, nil, nil, "birthDate"), ("1899-12-31", nil, nil, nil, "birthDate"),
      ("2014-02-30", nil, nil, nil, "birthDate"), ("2014-03-05", 12, nil, nil, "birthDate"),
      ("2014-03-05", nil, nil, "2026-01-01", "birthDate"), (nil, nil, nil, nil, "birthDate"),
      (nil, nil, nil, "2026-01-01", "birthDate"), (nil, -1, nil, nil, "lowerBound"), (nil, 131, nil, nil, "lowerBound"),
      (nil, .max, .max, nil, "lowerBound"), (nil, nil, -1, nil, "upperBound"), (nil, nil, .max, nil, "upperBound"),
      (nil, 13, 12, nil, "upperBound"), (nil, 12, 12, "2026-10-02", "asOfDate"),
      (nil, 12, 12, "1899-12-31", "asOfDate"),
      (nil, 12, 12, "yesterday", "asOfDate"),
    ] as [(String?, Int64?, Int64?, String?, String)])
  func `what cannot be declared is refused by its field`(
    birth: String?, lower: Int64?, upper: Int64?, asOf: String?, field: String
  ) {
    let error = #expect(throws: ValueError.self) { try declare(birth, lower, upper, asOf) }
    #expect(error?.field == field)
  }

  @Test func `a stored declaration may lie ahead of a clock that was set back`() throws {
    let age = try DeclaredAge(birthDate: "2999-01-01", lowerBound: nil, upperBound: nil, asOfDate: nil)
    #expect(try age.bounds(on: day("2026-10-01")) == .unknown)
    #expect(throws: ValueError.self) {
      try DeclaredAge(birthDate: nil, lowerBound: 3, upperBound: nil, asOfDate: nil)
    }
  }

  private func declare(
    _ birth: String?, _ lower: Int64? = nil, _ upper: Int64? = nil, _ asOf: String? = nil
  ) throws -> DeclaredAge {
    try DeclaredAge(
      declaredOn: day("2026-10-01"), birthDate: birth, lowerBound: lower, upperBound: upper, asOfDate: asOf)
  }
}

/// The same random numbers on every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A day, a leap day or a neighbour of one in one case of four.
  mutating func day(years: ClosedRange<Int>) throws -> CivilDate {
    while true {
      let nearLeapDay = Bool.random(using: &self) && Bool.random(using: &self)
      let month = nearLeapDay ? Int.random(in: 2...3, using: &self) : Int.random(in: 1...12, using: &self)
      let date = nearLeapDay && month == 2 ? 28...29 : 1...(nearLeapDay ? 1 : 31)
      let year = Int.random(in: years, using: &self)
      if let day = CivilDate(year: year, month: month, day: Int.random(in: date, using: &self)) { return day }
    }
  }
}
