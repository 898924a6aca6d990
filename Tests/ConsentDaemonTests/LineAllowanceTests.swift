// SPDX-License-Identifier: Apache-2.0
//
// How many lines one source may cause. Time here is whatever the test says.

import Testing

@testable import ConsentDaemon

@Suite struct LineAllowanceTests {
  private typealias Allowance = LineAllowance<String, Int>
  private let second: Int64 = 1_000_000
  private let minute: Int64 = 60_000_000

  /// Offers lines of one source at these seconds, and gives at which a line was written and with how many more.
  private func written(burst: Int, at seconds: [Int64]) -> [String] {
    var allowance = Allowance()
    var lines: [String] = []
    for (number, instant) in seconds.enumerated() {
      let now = instant * second
      while let due = allowance.nextDue, due <= now {
        for line in allowance.takeDue(at: due) { lines.append("\(due / second): \(line.line)+\(line.more)") }
      }
      if let line = allowance.offer(number, from: "peer", burst: burst, at: now) {
        lines.append("\(instant): \(line.line)+\(line.more)")
      }
    }
    return lines
  }

  @Test(
    arguments: [
      (1, [0], ["0: 0+0"]), (1, [0, 1, 2], ["0: 0+0"]), (1, [0, 1, 2, 61], ["0: 0+0", "60: 2+1"]),
      (1, [0, 60], ["0: 0+0", "60: 1+0"]), (1, [0, 59, 60, 61, 120], ["0: 0+0", "60: 1+0", "120: 3+1"]),
      (3, [0, 0, 0, 0, 0], ["0: 0+0", "0: 1+0", "0: 2+0"]),
      (3, [0, 0, 0, 0, 0, 60, 119, 120, 121], ["0: 0+0", "0: 1+0", "0: 2+0", "60: 4+1", "120: 6+1"]),
      (
        3, [0, 0, 0, 3_600, 3_600, 3_600, 3_600], ["0: 0+0", "0: 1+0", "0: 2+0", "3600: 3+0", "3600: 4+0", "3600: 5+0"]
      ),
    ] as [(Int, [Int64], [String])])
  func `a burst, then one a minute with the number of those left out`(burst: Int, at: [Int64], lines: [String]) {
    #expect(written(burst: burst, at: at) == lines)
  }

  @Test func `no line is left out without being counted`() {
    var allowance = Allowance()
    var told = 0
    for number in 0..<10_000 {
      let now = Int64(number) * second / 7
      if let line = allowance.offer(number, from: "peer", burst: 10, at: now) { told += 1 + line.more }
      for line in allowance.takeDue(at: now) { told += 1 + line.more }
    }
    for line in allowance.takeAll() { told += 1 + line.more }
    #expect(told == 10_000)
    #expect(allowance.nextDue == nil)
  }

  @Test func `one source costs no other its lines`() {
    var allowance = Allowance()
    for number in 0..<100 { _ = allowance.offer(number, from: "loud", burst: 10, at: 0) }
    #expect(allowance.offer(7, from: "quiet", burst: 10, at: 0)?.line == 7)
  }

  @Test func `what is kept comes when the timer says so, once`() {
    var allowance = Allowance()
    for number in 0..<5 { _ = allowance.offer(number, from: "peer", burst: 1, at: 7) }
    #expect(allowance.nextDue == 7 + minute)
    #expect(allowance.takeDue(at: 6 + minute).isEmpty)
    #expect(allowance.takeDue(at: 7 + minute).map(\.more) == [3])
    #expect(allowance.takeDue(at: 8 + minute).isEmpty)
    #expect(allowance.nextDue == nil)
  }

  @Test func `more sources than can be told apart share one allowance`() {
    var allowance = Allowance()
    let all = Allowance.limit + 500
    let written = (0..<all).count { allowance.offer($0, from: "peer \($0)", burst: 1, at: 0) != nil }
    #expect(written == Allowance.limit + 1)
    #expect(allowance.takeAll().map(\.more) == [498])
    let later = (0..<all).count { allowance.offer($0, from: "later \($0)", burst: 1, at: minute) != nil }
    #expect(later == Allowance.limit + 1)
  }
}
