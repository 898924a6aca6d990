// SPDX-License-Identifier: Apache-2.0
//
// Spans of time as people type them (30s, 15m, 2h, 7d) and instants as people read them. One unit a span: what the
// daemon allows is the daemon's to say, so nothing is checked here but that the number fits.

import Glibc
import HostRuntime

/// A span of time in microseconds, zero or more.
struct TimeSpan: Equatable, Sendable {
  let usec: Int64

  private static let units: [(letter: UInt8, usec: Int64)] = [
    (UInt8(ascii: "s"), 1_000_000), (UInt8(ascii: "m"), 60_000_000), (UInt8(ascii: "h"), 3_600_000_000),
    (UInt8(ascii: "d"), 86_400_000_000),
  ]

  /// A span of that many microseconds.
  init(usec: Int64) { self.usec = usec }

  /// Reads a whole number and one of the units `s`, `m`, `h`, `d`; a bare `0` needs none.
  init?(typed text: String) {
    var digits = Array(text.utf8)
    if digits == [UInt8(ascii: "0")] {
      usec = 0
      return
    }
    guard let letter = digits.popLast(), let unit = TimeSpan.units.first(where: { $0.letter == letter }),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let product = count.multipliedReportingOverflow(by: unit.usec)
    guard !product.overflow else { return nil }
    usec = product.partialValue
  }
}

/// When an approval ends, as people type it.
struct ApprovalEnd: Equatable, Sendable {
  let usec: Int64

  /// Reads a span from now on, or the last day `YYYY-MM-DD` on which it holds, in the machine's local time.
  init(typed text: String, nowUSec: Int64 = HostClock.wallUSec()) throws(CommandFailure) {
    if let span = TimeSpan(typed: text) {
      let (end, overflow) = nowUSec.addingReportingOverflow(span.usec)
      usec = overflow ? .max : end
    } else if let end = ApprovalEnd.endOfDay(text) {
      usec = end
    } else {
      throw .usage("--until takes a span such as 2h or 7d, or the last day as YYYY-MM-DD")
    }
  }

  private static func endOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int32(parts[0]), let month = Int32(parts[1]),
      let day = Int32(parts[2])
    else { return nil }
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday, fields.tm_isdst) = (year - 1900, month - 1, day, -1)
    var midnight = fields
    guard mktime(&midnight) != -1, midnight.tm_mon == fields.tm_mon, midnight.tm_mday == day else { return nil }
    fields.tm_mday += 1
    return Int64(mktime(&fields)) * 1_000_000
  }
}

/// An instant as it is shown: the machine's local time, to the minute.
enum Moment {
  /// `YYYY-MM-DD HH:MM` for microseconds since the Unix epoch; the number itself where the calendar does not reach.
  static func text(usec: Int64) -> String {
    var seconds = time_t(usec / 1_000_000)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return "\(usec) µs" }
    return "\(Int(fields.tm_year) + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday)) "
      + "\(two(fields.tm_hour)):\(two(fields.tm_min))"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
