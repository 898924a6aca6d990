// SPDX-License-Identifier: Apache-2.0
//
// The streams of a walk, driven as the daemon drives them: companions that show cards, apps that follow their events.

import ConsentBroker
import ConsentModel

/// A guardian's companion and what it shows.
final class Companion {
  let viewer: Viewer
  var watcher: Watcher?
  var shown: [Int: Card] = [:]

  init(_ viewer: Viewer) { self.viewer = viewer }
}

/// An app that follows its events, and how far it has come; that outlives the daemon.
final class Follower {
  let asker: Asker
  var doorbell: Doorbell?
  var cursor: Int64

  init(_ asker: Asker, from cursor: Int64) {
    self.asker = asker
    self.cursor = cursor
  }
}

extension Walk {
  // MARK: Companions

  /// Connects a companion.
  func watch(_ companion: Companion) {
    let watcher = broker.watch(for: companion.viewer, person: nil)
    companion.watcher = watcher
    companion.shown = [:]
    begin { [self, life, broker] in
      var place: Int64?
      repeat {
        let page = try broker.cards(
          for: companion.viewer, person: nil, app: nil, state: .pending, after: place, limit: 3)
        await show(broker.changes(to: page.cards, for: watcher), on: companion)
        guard life == self.life else { return }
        place = page.next
      } while place != nil
      while await watcher.doorbell.wait() == .rung, life == self.life {
        while let changes = try broker.changes(for: watcher) {
          await show(changes, on: companion)
          guard life == self.life else { return }
        }
      }
    }
  }

  func unwatch(_ companion: Companion) {
    companion.watcher.map(broker.unwatch)
    companions.removeAll { $0 === companion }
  }

  /// Shows what has changed, and reports what was delivered.
  private func show(_ changes: [CardChange], on companion: Companion) async {
    for change in changes { show(change, on: companion) }
    let cards = changes.compactMap(\.added)
    let reached = cards.filter { $0.canAnswer && !$0.isDelivered }.compactMap { ledger.number(of: $0.question) }
    guard !reached.isEmpty else { return }
    _ = await perform(.deliver(reached)) { broker in
      await broker.noteDelivery(of: cards)
      return .done
    }
  }

  private func show(_ change: CardChange, on companion: Companion) {
    note("card \(change.word)")
    switch change {
    case .added(let card), .changed(let card), .reminder(let card):
      let isNew = if case .added = change { true } else { false }
      guard let number = ledger.number(of: card.question) else { return check(false, "a card of no question") }
      check(isNew == (companion.shown[number] == nil), "a card \(change.word) twice")
      check(ledger.maySee(number, companion.viewer), "a card for \(companion.viewer)")
      companion.shown[number] = card
    case .removed(let card, _):
      let number = ledger.number(of: card.question) ?? -1
      check(companion.shown.removeValue(forKey: number) != nil, "a card removed that was not shown")
    case .revoked: check(false, "nothing is taken back here")
    case .ready: check(false, "ready is the daemon's to say")
    }
  }

  // MARK: Followers

  /// Connects an app that goes on behind the last event it had.
  func follow(_ follower: Follower) {
    let doorbell = broker.follow(follower.asker)
    follower.doorbell = doorbell
    begin { [self, life, broker] in
      repeat {
        var hasMore = true
        while hasMore {
          let page = try broker.events(of: follower.asker, about: nil, after: follower.cursor, limit: 3)
          for event in page.events { read(event, by: follower) }
          check(follower.cursor == page.cursor, "a page that ends at \(page.cursor)")
          hasMore = page.hasMore
        }
      } while await doorbell.wait() == .rung && life == self.life
    }
  }

  func unfollow(_ follower: Follower) {
    follower.doorbell.map { broker.unfollow(follower.asker, $0) }
    followers.removeAll { $0 === follower }
  }

  private func read(_ event: AskerEvent, by follower: Follower) {
    check(event.sequence == follower.cursor + 1, "event \(event.sequence) after \(follower.cursor)")
    follower.cursor = event.sequence
    let known = ledger.events[follower.asker] ?? []
    guard (1...known.count).contains(Int(event.sequence)) else { return check(false, "an event nobody made") }
    let expected = known[Int(event.sequence) - 1]
    let question = ledger.questions[expected.question]
    check(event.kind == expected.kind && event.question == question.id, "\(event.kind), not \(expected.kind)")
    check(
      event.person == question.person && event.topicKey == (question.isErased ? nil : question.matter.key),
      "an event about something else")
    let isEnding = expected.kind == question.state.arrival
    check(
      event.decision == (isEnding ? ledger.decision(of: expected.question, at: clock.now) : nil), "an event's decision")
    check((event.grant != nil) == [.granted, .grantEnded].contains(event.kind), "an event's grant")
    if let grant = event.grant { check(grant == question.grant, "another question's grant") }
    note("event \(event.kind.rawValue)")
  }
}
