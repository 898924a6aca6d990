// SPDX-License-Identifier: Apache-2.0
//
// How often something may happen, told by a clock that stands in the test.

import Testing

@testable import ConsentDaemon

@Suite struct TokenBucketTests {
  private static let second: Int64 = 1_000_000

  @Test func `a burst is there at once, and then as many as the seconds bring`() {
    let bucket = Bucket(perSecond: 10, burst: 3, at: 0)
    #expect((0..<5).map { _ in bucket.take(at: 0) } == [true, true, true, false, false])
    #expect(!bucket.take(at: 99_999))
    #expect(bucket.take(at: 100_000))
    #expect(!bucket.take(at: 100_000))
    #expect(bucket.left(at: 10 * Self.second) == 3)
  }

  @Test func `it never holds more than a burst, however long nothing happens`() {
    let bucket = Bucket(perSecond: 1_000_000, burst: 1_000_000, at: 0)
    #expect(bucket.take(at: 0))
    #expect(bucket.left(at: .max) == 1_000_000)
    #expect(bucket.isFull(at: .max))
  }

  @Test func `a clock that stands still or goes back brings nothing and takes nothing`() {
    let bucket = Bucket(perSecond: 10, burst: 2, at: Self.second)
    #expect(bucket.take(at: Self.second) && bucket.take(at: Self.second))
    #expect(!bucket.take(at: 0) && !bucket.take(at: Self.second))
    #expect(bucket.take(at: Self.second + 100_000))
  }

  @Test func `what is spent after the fact is owed, at most a burst of it`() {
    let bucket = Bucket(perSecond: 10, burst: 4, at: 0)
    bucket.spend(2 << 10, of: 1 << 10)
    #expect(bucket.left(at: 0) == 2)
    bucket.spend(5 << 10, of: 1 << 10)
    #expect(bucket.left(at: 0) == -3)
    #expect(!bucket.take(at: 0) && !bucket.take(at: 399_999))
    #expect(bucket.take(at: 400_000))
    bucket.spend(.max, of: 1 << 10)
    #expect(bucket.left(at: 400_000) == -4)
  }

  @Test func `a part of a token is owed as well`() {
    let bucket = Bucket(perSecond: 1, burst: 1, at: 0)
    bucket.spend(1, of: 1 << 10)
    #expect(bucket.left(at: 0) == 0 && !bucket.take(at: 0))
    #expect(bucket.take(at: 1_000))
  }

  @Test func `other numbers keep what was used`() {
    let bucket = Bucket(perSecond: 10, burst: 10, at: 0)
    for _ in 0..<4 { #expect(bucket.take(at: 0)) }
    bucket.change(perSecond: 1, burst: 6, at: 0)
    #expect(bucket.left(at: 0) == 2)
    bucket.change(perSecond: 1, burst: 1, at: 0)
    #expect(bucket.left(at: 0) == -1)
  }

  @Test func `no limit is none`() {
    let bucket = Bucket(perSecond: .max, burst: 1, at: 0)
    bucket.spend(.max, of: 1)
    #expect((0..<1_000).allSatisfy { _ in bucket.take(at: 0) })
    #expect(bucket.isFull(at: 0) && bucket.isHalfFull(at: 0))
  }
}

/// A bucket that stays the same one inside an expectation.
private final class Bucket {
  private var tokens: TokenBucket

  init(perSecond: Int, burst: Int, at now: Int64) { tokens = TokenBucket(perSecond: perSecond, burst: burst, at: now) }

  func take(at now: Int64) -> Bool { tokens.take(at: now) }
  func left(at now: Int64) -> Int { tokens.left(at: now) }
  func isFull(at now: Int64) -> Bool { tokens.isFull(at: now) }
  func isHalfFull(at now: Int64) -> Bool { tokens.isHalfFull(at: now) }
  func spend(_ count: Int, of part: Int) { tokens.spend(count, of: part) }
  func change(perSecond: Int, burst: Int, at now: Int64) { tokens.change(perSecond: perSecond, burst: burst, at: now) }
}
