// SPDX-License-Identifier: Apache-2.0
//
// A year of family life on a real daemon, against a model of the rules that shares nothing with it: asks, answers,
// changes of mind, guardians who come and go, time that passes and kills. After every step the reply must be what the
// model says, after every day every status, and at the end every event.
// FAMILY_YEARS=n lives n more years, each with a seed of its own.

import Foundation
import Testing

@Suite struct FamilyYearTests {
  /// The seeds: two years always, more where they are asked for.
  static var seeds: [UInt64] {
    let more = ProcessInfo.processInfo.environment["FAMILY_YEARS"].flatMap(UInt64.init) ?? 0
    return Array(1...2 + more)
  }

  @Test(arguments: seeds)
  func `a year of family life goes as the rules say`(seed: UInt64) throws {
    var life = try YearLife(seed: seed)
    let disagreements = try life.run()
    guard disagreements.isEmpty else {
      Issue.record("\(disagreements.joined(separator: "\n"))")
      return
    }
    let tally = life.tally
    #expect(tally.questions > 60 && tally.grants > 20)
    #expect(tally.states.isSuperset(of: ["approved", "denied", "expired", "withdrawn", "superseded"]))
  }
}
