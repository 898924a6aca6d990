// SPDX-License-Identifier: Apache-2.0
//
// `coolDowns` in a file: any of the numbers, each within its range. What a file does not say stays as it was. In a sandbox
// nobody minds how often is asked, until a file speaks of it at all.

import ConsentModel

/// The waits that one file sets.
struct CoolDownsFile: Decodable {
  /// A year, in seconds: longer is a `neverAsk`.
  private static let longest: Int64 = 365 * 86_400
  private static let mostDenials = 16

  private let afterDenialSec: [Int64]?
  private let afterLapseSec: Int64?
  private let newQuestionsPerDay: Int?

  private enum CodingKeys: String, CodingKey, CaseIterable { case afterDenialSec, afterLapseSec, newQuestionsPerDay }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    afterDenialSec = try members.decodeIfPresent([Int64].self, forKey: .afterDenialSec)
    afterLapseSec = try members.decodeIfPresent(Int64.self, forKey: .afterLapseSec)
    newQuestionsPerDay = try members.decodeIfPresent(Int.self, forKey: .newQuestionsPerDay)
    func object(_ key: CodingKeys, _ rule: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: members, debugDescription: rule)
    }
    let seconds = 0...Self.longest
    if let afterDenialSec, afterDenialSec.count > Self.mostDenials || !afterDenialSec.allSatisfy(seconds.contains) {
      throw object(.afterDenialSec, "at most \(Self.mostDenials) numbers from 0 to \(Self.longest)")
    }
    if let afterLapseSec, !seconds.contains(afterLapseSec) { throw object(.afterLapseSec, "from 0 to \(Self.longest)") }
    if let newQuestionsPerDay, !(1...1_000_000).contains(newQuestionsPerDay) {
      throw object(.newQuestionsPerDay, "from 1 to 1000000")
    }
  }

  /// Puts what the file says into `coolDowns`.
  func apply(to coolDowns: inout CoolDowns?) {
    var numbers = coolDowns ?? .standard
    if let afterDenialSec { numbers.afterDenialUSec = afterDenialSec.map { $0 * Span.second } }
    if let afterLapseSec { numbers.afterLapseUSec = afterLapseSec * Span.second }
    if let newQuestionsPerDay { numbers.newQuestionsPerDay = newQuestionsPerDay }
    coolDowns = numbers
  }
}
