// SPDX-License-Identifier: Apache-2.0
//
// Random walks with fixed seeds. A walk that goes wrong goes wrong again; where two listeners are told in one step, who
// of them comes first is not the seed's to say, so the step may differ by a few.

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
}
