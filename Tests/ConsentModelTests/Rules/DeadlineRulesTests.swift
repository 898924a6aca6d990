// SPDX-License-Identifier: Apache-2.0
//
// The limits of questions and waits, and the ends of 64 bits.

import Testing

@testable import ConsentModel

@Suite struct DeadlineRulesTests {
  @Test(
    arguments: [
      (nil, 2_592_000_000_000), (3_600_000_000, 3_600_000_000), (7_776_000_000_000, 7_776_000_000_000),
    ] as [(Int64?, Int64)])
  func `a question lives from an hour to 90 days, 30 if it does not say`(span: Int64?, lives: Int64) throws {
    #expect(try DeadlineRules.question(expiresInUSec: span, now: Instant(usec: 7)) == Instant(usec: 7 + lives))
  }

  @Test(arguments: [.min, -1, 0, 3_599_999_999, 7_776_000_000_001, .max] as [Int64])
  func `another span is refused`(span: Int64) {
    let error = #expect(throws: ValueError.self) {
      try DeadlineRules.question(expiresInUSec: span, now: Instant(usec: 0))
    }
    #expect(error?.field == "expiresInUSec")
  }

  @Test func `a deadline past the end of time is refused and traps nothing`() throws {
    let last = Instant(usec: .max - Span.hour)
    #expect(try DeadlineRules.question(expiresInUSec: Span.hour, now: last) == Instant(usec: .max))
    let error = #expect(throws: ValueError.self) {
      try DeadlineRules.question(expiresInUSec: Span.hour + 1, now: last)
    }
    #expect(error?.field == "expiresInUSec")
    #expect(throws: ValueError.self) { try DeadlineRules.question(expiresInUSec: nil, now: Instant(usec: .max)) }
  }

  @Test(arguments: [(nil, 30_000_000), (0, 0), (1, 1), (3_600_000_000, 3_600_000_000)] as [(Int64?, Int64)])
  func `a wait lasts up to an hour, 30 seconds if it does not say`(timeout: Int64?, lasts: Int64) throws {
    #expect(try DeadlineRules.waiter(timeoutUSec: timeout) == lasts)
  }

  @Test(arguments: [.min, -1, 3_600_000_001, .max] as [Int64])
  func `another wait is refused`(timeout: Int64) {
    let error = #expect(throws: ValueError.self) { try DeadlineRules.waiter(timeoutUSec: timeout) }
    #expect(error?.field == "timeoutUSec")
  }
}
