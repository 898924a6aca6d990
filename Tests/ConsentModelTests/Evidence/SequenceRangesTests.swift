// SPDX-License-Identifier: Apache-2.0
//
// Sequences said as runs: each of them once, however they come, and back again.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct SequenceRangesTests {
  @Test(
    arguments: [
      ([], []), ([3], [3...3]), ([1, 2, 3], [1...3]), ([3, 1, 2], [1...3]), ([1, 3, 4, 9], [1...1, 3...4, 9...9]),
      ([5, 5, 6], [5...6]),
    ] as [([Int64], [ClosedRange<Int64>])])
  func `sequences become the fewest runs`(sequences: [Int64], runs: [ClosedRange<Int64>]) {
    let ranges = SequenceRanges(sequences)
    #expect(ranges.runs == runs)
    #expect(SequenceRanges(json: ranges.json) == ranges)
  }

  @Test func `runs that overlap or touch become one`() {
    #expect(SequenceRanges(runs: [5...9, 1...2, 3...4, 6...7]).runs == [1...9])
  }

  @Test(
    arguments: [
      ([1...9], [1...9], nil), ([1...9], [1...8], 9), ([1...9], [2...9], 1), ([1...9], [1...3, 5...9], 4),
      ([2...3, 7...7], [1...5], 7), ([2...3, 7...7], [1...3, 7...20], nil), ([], [], nil), ([4...4], [], 4),
    ] as [([ClosedRange<Int64>], [ClosedRange<Int64>], Int64?)])
  func `the first that is not covered is found`(
    runs: [ClosedRange<Int64>], cover: [ClosedRange<Int64>], first: Int64?
  ) {
    #expect(SequenceRanges(runs: runs).first(outside: SequenceRanges(runs: cover)) == first)
  }

  @Test(
    arguments: [
      nil, .null, 7, [7], [[1]], [[2, 1]], [[0, 4]], [["1", "2"]], [[1, 2, 3]],
    ] as [JSON?])
  func `what does not read as runs is nothing`(json: JSON?) {
    #expect(SequenceRanges(json: json).isEmpty)
  }
}
