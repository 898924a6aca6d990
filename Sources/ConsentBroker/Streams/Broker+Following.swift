// SPDX-License-Identifier: Apache-2.0
//
// An app follows what happens to its questions: what it missed first, then what comes.

package import ConsentModel
import ConsentStore

/// One page of an asker's log.
package struct EventPage: Sendable {
  package fileprivate(set) var events: [AskerEvent]
  /// Where the next page starts.
  package fileprivate(set) var cursor: Int64
  /// Whether the log may go on behind the page.
  package fileprivate(set) var hasMore: Bool
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
  /// Throws `cursorExpired` where `after` lies outside the kept range.
  package func startingCursor(of asker: Asker, after: Int64?) throws(Refusal) -> Int64 {
    let known = try read { try $0.asker(AskerKey(asker)) }
    let newest = known.lastSequence
    guard let after else { return known.acknowledged }
    guard (0...newest).contains(after) else { throw .cursorExpired(oldest: newest == 0 ? 0 : 1, newest: newest) }
    return after
  }

  /// The content one page of events carries at the most, in bytes.
  private static let pageBytes = 128 * 1024

  /// The events behind `cursor`, at most `limit` of them; of one person only where `person` is set.
  /// Throws `notAvailable(personChanged)`: what the uid's former owner asked is nobody else's to read.
  package func events(
    of asker: Asker, about person: Person?, after cursor: Int64, limit: Int
  ) throws(Refusal) -> EventPage {
    try read { rows in
      try rows.requireUnchanged(asker.uid, self.login)
      var page = EventPage(events: [], cursor: cursor, hasMore: false)
      var bytes = 0
      for row in try rows.events(asker: AskerKey(asker), after: cursor, limit: limit) {
        page.hasMore = true
        guard bytes < Self.pageBytes else { break }
        page.cursor = row.sequence
        guard person == nil || person?.description == row.person else { continue }
        let question = try row.question.flatMap { try rows.question($0) }
        bytes += 2 * (question?.content.utf8.count ?? 0)
        page.events.append(try row.event(about: question, self.rules, in: rows, at: self.clock.now))
      }
      return page
    }
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
