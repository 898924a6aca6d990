// SPDX-License-Identifier: Apache-2.0
//
// How often something may happen: so often at once, so often a second on the long run. It reads no clock.
//
// What comes after the fact (bytes that were sent) is spent even where nothing is left: the bucket then owes, at most a
// burst, and nothing more is taken from it until that is made up.

/// A count that fills by itself.
struct TokenBucket {
  private var perSecond: Int64
  /// A full bucket, in millionths of a token.
  private var capacity: Int64
  /// In millionths of a token, from `-capacity`.
  private var level: Int64
  private var filledAt: Int64

  private static let token: Int64 = 1_000_000

  /// A full bucket at `now`, microseconds. `Int.max` a second is no limit.
  init(perSecond: Int, burst: Int, at now: Int64) {
    self.perSecond = Int64(perSecond)
    capacity = Int64(burst) * Self.token
    level = capacity
    filledAt = now
  }

  /// Changes how fast and how far it fills. What was used stays used.
  mutating func change(perSecond: Int, burst: Int, at now: Int64) {
    fill(at: now)
    let used = capacity - level
    self = TokenBucket(perSecond: perSecond, burst: burst, at: now)
    level = max(capacity - used, -capacity)
  }

  /// Takes one, unless there is none.
  mutating func take(at now: Int64) -> Bool {
    guard isLimited else { return true }
    fill(at: now)
    guard level >= Self.token else { return false }
    level -= Self.token
    return true
  }

  /// Spends the `part`th part of a token for each of `count`, whether it is there or not.
  mutating func spend(_ count: Int, of part: Int) {
    guard isLimited else { return }
    level = max(level - Int64(min(count, 1 << 30)) * Self.token / Int64(part), -capacity)
  }

  /// How many could be taken now; below 0 it owes.
  mutating func left(at now: Int64) -> Int {
    guard isLimited else { return .max }
    fill(at: now)
    return Int((Double(level) / Double(Self.token)).rounded(.down))
  }

  /// Whether nothing is missing.
  mutating func isFull(at now: Int64) -> Bool {
    fill(at: now)
    return level == capacity
  }

  /// Whether at least half of it is left.
  mutating func isHalfFull(at now: Int64) -> Bool {
    fill(at: now)
    return level >= capacity / 2
  }

  private var isLimited: Bool { perSecond != .max }

  private mutating func fill(at now: Int64) {
    guard isLimited, now > filledAt else { return }
    // After this long it is full from wherever it was; a longer time could only overflow.
    let longest = (capacity - level) / perSecond + 1
    level = min(capacity, level + min(now - filledAt, longest) * perSecond)
    filledAt = now
  }
}
