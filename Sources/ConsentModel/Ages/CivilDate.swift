// SPDX-License-Identifier: Apache-2.0
//
// Days as people count them (proleptic Gregorian calendar). There is no time of day and no zone here: "today" is
// given by whoever knows the machine's zone. Years are counted by month and day, so that who was born on 29 February
// reaches an age on 1 March of a common year (design, rule 9).

/// A day of the years 1 to 9999.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int

  /// The first day a birth can be declared for.
  package static let earliest = CivilDate(checkedYear: 1900, month: 1, day: 1)

  private init(checkedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// `nil` where there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `YYYY-MM-DD`; `field` is the name under which the caller got it.
  package init(iso text: String, field: String) throws(ValueError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.map { $0.allSatisfy(\.isDigit) ? Int(String(decoding: $0, as: UTF8.self)) : nil }
    guard parts.map(\.count) == [4, 2, 2], let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let date = CivilDate(year: year, month: month, day: day)
    else { throw ValueError(field: field, rule: "a day of the calendar as YYYY-MM-DD") }
    self = date
  }

  /// `YYYY-MM-DD`.
  package var description: String {
    "\(CivilDate.digits(year, 4))-\(CivilDate.digits(month, 2))-\(CivilDate.digits(day, 2))"
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The full years from this day to `later`, and whether a further part of a year has passed since; `nil` where
  /// `later` comes before this day.
  func elapsed(until later: CivilDate) -> (years: Int, further: Bool)? {
    guard self <= later else { return nil }
    let isBeforeAnniversary = (later.month, later.day) < (month, day)
    let years = later.year - year - (isBeforeAnniversary ? 1 : 0)
    return (years, (later.month, later.day) != (month, day))
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}
