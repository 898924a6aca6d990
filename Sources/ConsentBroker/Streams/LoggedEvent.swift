// SPDX-License-Identifier: Apache-2.0
//
// What many streams of one asker are sent alike is read and encoded once. An entry is made when the first of them comes
// for it and is what it says at that moment; the others come in the same turn of the loop, or soon after. A replay takes
// nothing from here: what an event says of what an app does next depends on when it is read.

package import ConsentModel

/// One event of an asker's log on its way to those who follow.
package final class LoggedEvent {
  package let event: AskerEvent
  private var bytes: [UInt8]?

  init(_ event: AskerEvent) {
    self.event = event
  }

  /// The event as `encode` makes it, made once; `count` goes up when that is now.
  func encoded(_ count: inout Int64, _ encode: (AskerEvent) -> [UInt8]) -> [UInt8] {
    if let bytes { return bytes }
    let made = encode(event)
    bytes = made
    count += 1
    return made
  }
}

/// The newest events of one asker that somebody was sent live: all there are in a stretch of its log.
struct LiveEvents {
  /// Pages that are kept, and the content of all but the last of them, in bytes. No stream that keeps up is behind them.
  private static let pageLimit = 64
  private static let byteLimit = 256 * 1024

  /// Events that were read together, in order, and how much content they carry.
  private struct Page {
    let events: [LoggedEvent]
    let bytes: Int
  }

  /// The stretch is what lies behind this sequence.
  private var start: Int64 = 0
  /// Where it ends.
  private var end: Int64 = 0
  private var pages: [Page] = []

  /// The events behind `cursor`; `nil` where they are not all here, or there are none.
  func events(after cursor: Int64) -> [LoggedEvent]? {
    guard start <= cursor, cursor < end else { return nil }
    return pages.flatMap(\.events).drop { $0.event.sequence <= cursor }.map(\.self)
  }

  /// Keeps what was read behind `cursor`: as the continuation of what is here, else in its place.
  mutating func keep(_ read: [LoggedEvent], bytes: Int, after cursor: Int64) {
    guard let last = read.last else { return }
    if cursor != end {
      start = cursor
      pages = []
    }
    pages.append(Page(events: read, bytes: bytes))
    end = last.event.sequence
    var held = pages.dropLast().reduce(0) { $0 + $1.bytes }
    while pages.count > 1, held > Self.byteLimit || pages.count > Self.pageLimit {
      let oldest = pages.removeFirst()
      held -= oldest.bytes
      start = oldest.events.last?.event.sequence ?? start
    }
  }
}
