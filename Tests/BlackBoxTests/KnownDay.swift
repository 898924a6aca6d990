// SPDX-License-Identifier: Apache-2.0
//
// A family whose daemon lives at noon (UTC) of a day the test knows. From there a test moves the clock, never the
// calendar of the machine it runs on.

import Foundation
import StrictJSON
import TestSupport

/// A family, and the date its daemon has in UTC.
struct KnownDay {
  let family: Family
  private let noon: Date
  private let calendar: Calendar

  /// Starts a daemon in the time zone `zone` and moves it to the noon after next.
  init(zone: String = "UTC", guardians: [String] = [Family.guardian]) throws {
    family = try Family(guardians: guardians, daemon: try Daemon.sandbox(environment: ["TZ": zone]))
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = .gmt
    calendar = utc
    let now = Date(timeIntervalSince1970: Double(try family.advance(0)) / 1e6)
    noon = utc.startOfDay(for: now).addingTimeInterval(1.5 * 86_400)
    try family.advance(Int64(noon.timeIntervalSince(now) * 1e6))
  }

  /// The date `yearsAgo` years before the known day and `days` days after that; negative years lie ahead.
  func date(yearsAgo: Int, days: Int = 0) -> String {
    let past = calendar.date(byAdding: .year, value: -yearsAgo, to: noon) ?? noon
    return text(calendar.date(byAdding: .day, value: days, to: past) ?? past)
  }

  /// The next year after the known day's that has no 29 February.
  var nextCommonYear: Int {
    let year = calendar.component(.year, from: noon) + 1
    return year % 4 == 0 ? year + 1 : year
  }

  /// Moves the daemon's clock forward to noon of `date` (`YYYY-MM-DD`).
  func move(to date: String) throws {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let components = DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12)
    guard let target = calendar.date(from: components) else { throw TestFailure("\(date) is no date") }
    let now = Date(timeIntervalSince1970: Double(try family.advance(0)) / 1e6)
    try family.advance(Int64(target.timeIntervalSince(now) * 1e6))
  }

  /// Declares the person's birth date on the guardians' socket.
  func declare(birthDate: String) throws {
    try declare(["birthDate": .string(birthDate)])
  }

  /// Declares the person's age on the guardians' socket.
  @discardableResult
  func declare(_ age: JSONObject) throws -> String {
    try family.desk.guardian("DeclareAge", age.with(["person": .string(Family.person)])).text("declaration")
  }

  /// What an app learns about the person.
  func ageRange(_ parameters: JSONObject = [:]) throws -> JSONObject {
    try family.app.ageRange("GetAgeRange", parameters.with(["person": .string(Family.person)]))
  }

  private func text(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
