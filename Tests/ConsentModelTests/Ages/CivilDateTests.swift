// SPDX-License-Identifier: Apache-2.0
//
// Days of the calendar, and the years between them.

import Testing

@testable import ConsentModel

@Suite struct CivilDateTests {
  @Test(arguments: [
    "0001-01-01", "1900-02-28", "1970-01-01", "2000-02-29", "2024-02-29", "2026-12-31", "2400-02-29", "9999-12-31",
  ])
  func `a day is written as it was read`(text: String) throws {
    #expect(try CivilDate(iso: text, field: "birthDate").description == text)
  }

  @Test(arguments: [
    "", "2014", "2014-03", "2014-3-5", "14-03-05", "2014-03-05 ", " 2014-03-05", "2014-03-05T00:00", "2014/03/05",
    "2014-00-05", "2014-13-05", "2014-03-00", "2014-03-32", "2014-04-31", "2014-02-29", "1900-02-29", "2100-02-29",
    "0000-01-01", "-014-03-05", "+014-03-05", "2014-+3-05", "2014-03--5", "20140305", "2014-03-0\u{665}",
    "\u{662}014-03-05", "99999999999999999999-01-01", "2014-03-05-01",
  ])
  func `what is no day is refused`(text: String) {
    #expect(throws: ValueError(field: "birthDate", rule: "a day of the calendar as YYYY-MM-DD")) {
      try CivilDate(iso: text, field: "birthDate")
    }
  }

  @Test func `every month has its days in common, leap and century years`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (year, isLeap) in [(1900, false), (2000, true), (2023, false), (2024, true), (2100, false)] {
      for month in 1...12 {
        let length = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
        #expect((0...32).filter { CivilDate(year: year, month: month, day: $0) != nil } == Array(1...length))
      }
    }
  }

  @Test func `numbers beyond any calendar are no day`() {
    for extreme in [Int.min, -1, 0, Int.max] {
      #expect(CivilDate(year: extreme, month: 1, day: 1) == nil)
      #expect(CivilDate(year: 2014, month: extreme, day: 1) == nil)
      #expect(CivilDate(year: 2014, month: 1, day: extreme) == nil)
    }
  }

  @Test func `days are ordered as they come`() throws {
    let days = try ["1999-12-31", "2000-01-01", "2000-01-02", "2000-02-01", "2001-01-01"].map(day)
    #expect(days.shuffled().sorted() == days)
  }
}

/// A day written as `YYYY-MM-DD`.
func day(_ text: String) throws -> CivilDate { try CivilDate(iso: text, field: "day") }
