// SPDX-License-Identifier: Apache-2.0
//
// Random walks with fixed seeds. A walk that goes wrong goes wrong again; where two listeners are told in one step, who
// of them comes first is not the seed's to say, so the step may differ by a few.

import ConsentModel
import Testing

@Suite struct RandomWalkTests {
  /// What no walk may do without, or it proves nothing.
  private static let needed = [
    "crash", "crash with commits untold", "rest", "commit of several", "commit that fails at first",
    "ask: new pending", "answer: ended", "answer: refused alreadyDecided", "wait: ended", "wait: left", "event asked",
    "forget: done",
    "event decided",
  ]

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `whatever happens in whatever order, with crashes between any two steps, nothing is lost or told twice`(
    seed: UInt64
  ) throws {
    let walk = try Walk(seed: seed)
    try walk.run(steps: 2_000)
    guard walk.complaint == nil else { return }
    #expect(RandomWalkTests.needed.filter { walk.tally[$0] == nil } == [])
  }

  /// Waits short enough for the walk's clock, and a budget that is spent now and then.
  private static let coolDowns = CoolDowns(
    afterDenialUSec: [Span.second, Span.hour / 2, Span.hour], afterLapseUSec: 20 * Span.second, newQuestionsPerDay: 20)

  @Test(arguments: 11...18 as ClosedRange<UInt64>)
  func `the same where nobody may ask too often`(seed: UInt64) throws {
    let walk = try Walk(seed: seed, coolDowns: RandomWalkTests.coolDowns)
    try walk.run(steps: 2_000)
    guard walk.complaint == nil else { return }
    let needed = RandomWalkTests.needed + ["ask: refused coolingDown"]
    #expect(needed.filter { walk.tally[$0] == nil } == [])
  }
}
