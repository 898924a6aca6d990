// SPDX-License-Identifier: Apache-2.0
//
// The deadlines of parked callers, earliest first.
//
// A binary heap whose entries are not removed when their caller leaves early: they are passed over when they come up,
// and thrown out together once they are more than half. So leaving costs nothing and memory stays within twice what
// is alive.

import ConsentModel

/// A priority queue of boot-time instants, in microseconds.
struct DeadlineHeap {
  /// When a parked caller's time is up.
  struct Entry {
    let at: Int64
    let ticket: UInt64
    let question: QuestionID
  }

  /// Below this many entries the dead ones are left alone.
  private static let compactionFloor = 64

  private var entries: [Entry] = []
  private var discarded = 0

  /// The earliest instant in the heap; it may belong to a caller that has left.
  var earliest: Int64? { entries.first?.at }

  /// Adds a deadline.
  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0 {
      let above = (place - 1) / 2
      guard entries[place].at < entries[above].at else { return }
      entries.swapAt(place, above)
      place = above
    }
  }

  /// Removes and returns the earliest entry that is due at `now`.
  mutating func popDue(at now: Int64) -> Entry? {
    guard let first = entries.first, first.at <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    sink(from: 0)
    return first
  }

  /// Notes that `count` entries belong to callers that have left.
  mutating func discard(_ count: Int) { discarded += count }

  /// Throws out the dead entries once they are more than half.
  mutating func compact(keeping isAlive: (Entry) -> Bool) {
    guard entries.count > Self.compactionFloor, discarded > entries.count / 2 else { return }
    entries.removeAll { !isAlive($0) }
    discarded = 0
    for place in stride(from: entries.count / 2, through: 0, by: -1) { sink(from: place) }
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for below in [2 * place + 1, 2 * place + 2] where below < entries.count {
        if entries[below].at < entries[least].at { least = below }
      }
      guard least != place else { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
