// SPDX-License-Identifier: Apache-2.0
//
// An app follows what happens to its questions: what it missed first, then what comes.

package import ConsentModel
import ConsentStore

/// One page of an asker's log.
package struct EventPage<Event> {
  package fileprivate(set) var events: [Event]
  /// Where the next page starts.
  package fileprivate(set) var cursor: Int64
  /// Whether the log may go on behind the page.
  package fileprivate(set) var hasMore: Bool
  /// How much content the events carry.
  fileprivate(set) var bytes = 0
}

extension Broker {
  /// Opens a stream of an asker's events. Open it before the first page is read, so that nothing falls in between.
  package func follow(_ asker: Asker) -> Doorbell {
    let doorbell = Doorbell()
    audience.add(doorbell, of: asker)
    return doorbell
  }

  /// Ends a stream of an asker's events.
  package func unfollow(_ asker: Asker, _ doorbell: Doorbell) { audience.remove(doorbell, of: asker) }

  /// Has every stream of events look again, news or not: what its owner may hear has changed.
  package func recallFollowers() { audience.ringEverybody() }

  /// Where a replay begins: `after`, else what the asker acknowledged, else the beginning.
  /// Throws `cursorExpired` where that lies outside the kept range: events behind it are gone, or it is yet to come.
  package func startingCursor(of asker: Asker, after: Int64?) throws(Refusal) -> Int64 {
    let known = try read { try $0.asker(AskerKey(asker)) }
    let cursor = after ?? known.acknowledged
    guard known.keeps(cursor) else { throw known.cursorExpired }
    return cursor
  }

  /// The content one page of events carries at the most, in bytes.
  private static let pageBytes = 128 * 1024

  /// The events behind `cursor`, at most `limit` of them; of one person only where `person` is set.
  /// Throws `notAvailable(personChanged)`, for what the uid's former owner asked is nobody else's to read, and
  /// `cursorExpired` where some of them are gone.
  package func events(
    of asker: Asker, about person: Person?, after cursor: Int64, limit: Int
  ) throws(Refusal) -> EventPage<AskerEvent> {
    try read { rows in
      try rows.requireUnchanged(asker.uid, self.login)
      let known = try rows.asker(AskerKey(asker))
      guard cursor >= known.expired else { throw known.cursorExpired }
      var page = EventPage<AskerEvent>(events: [], cursor: cursor, hasMore: false)
      for row in try rows.events(asker: AskerKey(asker), after: cursor, limit: limit) {
        page.hasMore = true
        guard page.bytes < Self.pageBytes else { break }
        page.cursor = row.sequence
        guard person == nil || person?.description == row.person else { continue }
        let question = try row.question.flatMap { try rows.question($0) }
        page.bytes += 2 * (question?.content.utf8.count ?? 0)
        page.events.append(try row.event(about: question, self.rules, in: rows, at: self.clock.now))
      }
      return page
    }
  }

  /// The same for a stream that has had its replay and goes on: what several streams of an asker are sent is read once.
  package func liveEvents(
    of asker: Asker, about person: Person?, after cursor: Int64, limit: Int
  ) throws(Refusal) -> EventPage<LoggedEvent> {
    var page: EventPage<LoggedEvent>
    if let known = audience.liveEvents(of: asker, after: cursor), let last = known.last {
      try requireUnchanged(asker.uid)
      page = EventPage(events: known, cursor: last.event.sequence, hasMore: true)
    } else {
      let read = try events(of: asker, about: nil, after: cursor, limit: limit)
      page = EventPage(
        events: read.events.map(LoggedEvent.init), cursor: read.cursor, hasMore: read.hasMore, bytes: read.bytes)
      audience.keep(page, of: asker, after: cursor)
    }
    if let person { page.events.removeAll { $0.event.person != person } }
    return page
  }

  /// One event encoded for a stream.
  package func encoded(_ event: AskerEvent, _ encode: (AskerEvent) -> [UInt8]) -> [UInt8] {
    encoded(LoggedEvent(event), encode)
  }

  /// One event encoded, once for all streams of its asker that are sent it live.
  package func encoded(_ event: LoggedEvent, _ encode: (AskerEvent) -> [UInt8]) -> [UInt8] {
    event.encoded(&eventsEncoded, encode)
  }

  /// Moves the asker's cursor forward; what lies before it is kept. Throws `invalidValue` for a sequence to come.
  package func acknowledge(_ sequence: Int64, of asker: Asker) async throws(Refusal) {
    try requireUnchanged(asker.uid)
    try await commit { transaction in
      let known = try transaction.rows.asker(AskerKey(asker))
      guard (0...known.lastSequence).contains(sequence) else {
        throw Refusal.invalidValue(field: "sequence", rule: "from 0 to \(known.lastSequence), the newest event")
      }
      if sequence > known.acknowledged {
        try transaction.rows.acknowledge(AskerKey(asker), sequence: sequence)
      }
    }
  }
}

extension AskerRow {
  /// Whether every event behind `cursor` is kept, and it is not one to come.
  fileprivate func keeps(_ cursor: Int64) -> Bool { (expired...lastSequence).contains(cursor) }

  fileprivate var cursorExpired: Refusal {
    .cursorExpired(oldest: lastSequence == 0 ? 0 : expired + 1, newest: lastSequence)
  }
}
