// SPDX-License-Identifier: Apache-2.0
//
// What guardians see: cards, one by one, in lists and as a stream.

package import ConsentModel
import ConsentStore

extension Broker {
  /// The content one page of cards carries at the most, in bytes: a reply stays below what any peer takes.
  private static let pageBytes = 256 * 1024
  /// The questions that are read for a companion at a time.
  private static let changesAtOnce = 8

  /// One question in full. That somebody who can answer looked at it makes it `seen`.
  /// Throws `unknownQuestion` where the viewer is nobody's guardian in it.
  package func describe(_ question: String, for viewer: Viewer) async throws(Refusal) -> Card {
    let card = try read { rows in
      let (row, person) = try rows.question(matching: question, for: viewer, self.rules.apps, self.login)
      return try self.card(row, person, for: viewer, in: rows)
    }
    guard card.canAnswer else { return card }
    await note { transaction in
      try transaction.deliver(card.question)
      _ = try transaction.rows.markSeen(card.question.description, at: transaction.now.usec)
    }
    return card
  }

  /// One page of the questions the viewer may see, oldest first, and where the next page starts.
  package func cards(
    for viewer: Viewer, person: Person?, app: AppID?, state: QuestionState, after: Int64?, limit: Int
  ) throws(Refusal) -> (cards: [Card], next: Int64?) {
    try read { rows in
      var filter = try self.scope(of: viewer, person, in: rows)
      filter.app = app?.text
      filter.state = state.rawValue
      let found = try rows.questions(filter, after: after, limit: limit + 1)
      let page = found.prefix(limit).prefix(bytes: Self.pageBytes)
      let cards = try page.compactMap { try self.visibleCard($0, for: viewer, in: rows) }
      return (cards, page.count < found.count ? page.last?.seq : nil)
    }
  }

  /// Opens a companion's stream. `shown` is what one that goes on was shown before, each question as it looked.
  package func watch(for viewer: Viewer, person: Person?, shown: [QuestionID: String] = [:]) -> Watcher {
    let watcher = Watcher(viewer: viewer, person: person, shown: shown)
    audience.add(watcher)
    changed()
    return watcher
  }

  /// Ends a companion's stream. No question changes.
  package func unwatch(_ watcher: Watcher) {
    audience.remove(watcher)
    changed()
  }

  /// What the next few questions that were touched mean to a companion; nothing where none was touched.
  /// Everybody may watch, and every question touches every companion: whoever is nobody's guardian costs one look at all.
  package func changes(for watcher: Watcher) throws(Refusal) -> [CardChange]? {
    try read { rows in
      let isConcerned = try !watcher.shown.isEmpty || self.isGuardian(watcher.viewer, in: rows)
      let touched = watcher.takeTouched(atMost: isConcerned ? Self.changesAtOnce : .max)
      guard !touched.isEmpty else { return nil }
      return isConcerned ? try touched.compactMap { try self.change(of: $0, for: watcher, in: rows) } : []
    }
  }

  /// Whether anybody is enrolled for whom the viewer may answer.
  func isGuardian(_ viewer: Viewer, in rows: any StoreReader) throws -> Bool {
    guard let voices = viewer.voices(rules.apps) else { return true }
    return try !rows.people(ofVoices: voices, after: nil, limit: 1).isEmpty
  }

  private func change(
    of question: QuestionID, for watcher: Watcher, in rows: any StoreReader
  ) throws -> CardChange? {
    // One that a companion was shown by an earlier process may be gone since.
    guard let row = try rows.question(question.description) else { return nil }
    let person = try PersonRecord(of: row.about, in: rows, login)
    let isVisible = watcher.viewer.maySee(person, rules.apps)
    guard isVisible || watcher.shows(question) else { return nil }
    let card = try self.card(row, person, for: watcher.viewer, in: rows)
    return isVisible ? changes(to: [card], for: watcher).first : watcher.withdrawal(of: card)
  }

  /// What `cards` mean to a companion that has seen what it has seen.
  package func changes(to cards: [Card], for watcher: Watcher) -> [CardChange] {
    cards.filter { watcher.person == nil || watcher.person == $0.person }.compactMap(watcher.change(to:))
  }

  /// Records that these questions have reached somebody who can answer them, and tells their askers.
  package func noteDelivery(of cards: [Card]) async {
    let reached = cards.filter { $0.canAnswer && !$0.isDelivered }.map(\.question)
    guard !reached.isEmpty else { return }
    await note { transaction in
      for question in reached { try transaction.deliver(question) }
    }
  }

  /// Keeps that somebody has looked. On a full disk it cannot be kept, and looking goes on all the same: it is noted when
  /// the question is shown the next time.
  private func note(_ change: @escaping @Sendable (inout Transaction) throws -> Void) async {
    _ = try? await commit(change)
  }

  /// Throws unless the viewer may see questions about the person: `notPermitted`, whether the person is enrolled or
  /// not; `unknownPerson` to whoever sees everybody.
  package func requireSight(of person: Person, for viewer: Viewer) throws(Refusal) {
    if viewer.seesEverybody { return try read { try $0.requireEnrolled(person) } }
    guard viewer.maySee(try read { try PersonRecord(of: person, in: $0, self.login) }, rules.apps) else {
      throw .notPermitted(reason: "uid \(viewer.peer) answers for no guardian of \(person)")
    }
  }

  /// Where a viewer's questions are looked for. A local user is the guardian of a few, whose questions are looked up
  /// person by person; a bridge of many, of whom most have none.
  private func scope(of viewer: Viewer, _ person: Person?, in rows: any StoreReader) throws -> QuestionFilter {
    if let person { return QuestionFilter(people: [person.description]) }
    guard let voices = viewer.voices(rules.apps) else { return QuestionFilter() }
    guard rules.apps.bridged(by: viewer.peer).isEmpty else { return QuestionFilter(voices: voices) }
    return QuestionFilter(people: try rows.people(ofVoices: voices, after: nil, limit: .max).map(\.person))
  }

  private func visibleCard(_ row: QuestionRow, for viewer: Viewer, in rows: any StoreReader) throws -> Card? {
    guard row.erasedAt == nil else { return nil }
    let person = try PersonRecord(of: row.about, in: rows, login)
    return viewer.maySee(person, rules.apps) ? try card(row, person, for: viewer, in: rows) : nil
  }

  private func card(
    _ row: QuestionRow, _ person: PersonRecord, for viewer: Viewer, in rows: any StoreReader
  ) throws -> Card {
    let now = clock.now
    let guardians = viewer.guardians(for: person, rules.apps)
    let mayAnswer = guardians.contains { guardian in
      person.deciders.contains(guardian)
        && rules.deciders.objection(
          to: guardian, spokenForBy: viewer.peer, person: person.person, askedBy: row.asker.uid,
          guardians: person.guardians) == nil
    }
    let isOpen = try row.state(at: now) == .pending
    return try row.card(
      rules, waiters: waiting.count(of: try row.identity), guardians: guardians, canAnswer: isOpen && mayAnswer,
      votes: try row.votes(person.guardians, rules, in: rows, at: now),
      decision: isOpen ? nil : try row.decision(rules, in: rows, at: now, for: .guardians))
  }
}

extension Collection where Element == QuestionRow {
  /// The first questions whose contents together stay within `bytes`; at least one where there is one.
  fileprivate func prefix(bytes: Int) -> SubSequence {
    var sum = 0
    return prefix { question in
      defer { sum += question.content.utf8.count }
      return sum < bytes
    }
  }
}

extension Transaction {
  /// Records once that a question has reached somebody who can answer it.
  fileprivate mutating func deliver(_ question: QuestionID) throws {
    guard try rows.markDelivered(question.description, at: now.usec) else { return }
    try record(.delivered, about: try rows.existingQuestion(question))
  }
}
