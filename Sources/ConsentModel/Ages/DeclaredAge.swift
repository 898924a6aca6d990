// SPDX-License-Identifier: Apache-2.0
//
// What somebody said about an age. A birth date ages exactly. Bounds age conservatively: they were true on their day,
// the birthday within the year is unknown, so the lower one rises when a full year has passed and the upper one as
// soon as any part of a year has. On a day before the birth or before the bounds' day nobody is known to be of any
// age: a clock that was set back widens nothing.

/// A declared age.
package enum DeclaredAge: Hashable, Sendable {
  case born(CivilDate)
  /// Full years on a day, both inclusive; equal ones are an age on that day.
  case bounds(lower: Int?, upper: Int?, asOf: CivilDate)

  /// The greatest age a bound may name, in full years.
  package static let boundLimit = 130

  /// Reads a declared age: a birth date, or bounds with the day they are for. Errors: `birthDate`, `lowerBound`,
  /// `upperBound`, `asOfDate`.
  package init(
    birthDate: String?, lowerBound: Int64?, upperBound: Int64?, asOfDate: String?
  ) throws(ValueError) {
    switch (birthDate, lowerBound, upperBound, asOfDate) {
    case (let birthDate?, nil, nil, nil):
      self = .born(try DeclaredAge.date(birthDate, field: "birthDate"))
    case (.some, _, _, _):
      throw ValueError(field: "birthDate", rule: "alone: either a birth date or bounds")
    case (nil, nil, nil, _):
      throw ValueError(field: "birthDate", rule: "given, or lowerBound or upperBound or both")
    case (nil, _, _, nil):
      throw ValueError(field: "asOfDate", rule: "given: the day the bounds are for")
    case (nil, _, _, let asOfDate?):
      let lower = try DeclaredAge.bound(lowerBound, field: "lowerBound")
      let upper = try DeclaredAge.bound(upperBound, field: "upperBound")
      if let lower, let upper, lower > upper { throw ValueError(field: "upperBound", rule: "at least lowerBound") }
      self = .bounds(lower: lower, upper: upper, asOf: try DeclaredAge.date(asOfDate, field: "asOfDate"))
    }
  }

  /// Reads what is declared on `today`: as above, bounds without a day being for today, and no day lying ahead.
  package init(
    declaredOn today: CivilDate, birthDate: String?, lowerBound: Int64?, upperBound: Int64?, asOfDate: String?
  ) throws(ValueError) {
    let asOfDate = birthDate == nil ? asOfDate ?? today.description : asOfDate
    try self.init(birthDate: birthDate, lowerBound: lowerBound, upperBound: upperBound, asOfDate: asOfDate)
    switch self {
    case .born(let date) where date > today: throw ValueError(field: "birthDate", rule: DeclaredAge.days)
    case .bounds(_, _, let date) where date > today: throw ValueError(field: "asOfDate", rule: DeclaredAge.days)
    case .born, .bounds: return
    }
  }

  /// The bounds of the age on `today`.
  package func bounds(on today: CivilDate) -> AgeBounds {
    switch self {
    case .born(let birth):
      let age = birth.elapsed(until: today)?.years
      return AgeBounds(lower: age, upper: age)
    case .bounds(let lower, let upper, let asOf):
      guard let (years, further) = asOf.elapsed(until: today) else { return AgeBounds(lower: nil, upper: upper) }
      return AgeBounds(lower: lower.map { $0 + years }, upper: upper.map { $0 + years + (further ? 1 : 0) })
    }
  }

  private static let days = "a day from 1900-01-01 to today"

  private static func date(_ text: String, field: String) throws(ValueError) -> CivilDate {
    let date = try CivilDate(iso: text, field: field)
    guard date >= .earliest else { throw ValueError(field: field, rule: days) }
    return date
  }

  private static func bound(_ value: Int64?, field: String) throws(ValueError) -> Int? {
    guard let value else { return nil }
    guard (0...Int64(boundLimit)).contains(value) else {
      throw ValueError(field: field, rule: "from 0 to \(boundLimit)")
    }
    return Int(value)
  }
}
