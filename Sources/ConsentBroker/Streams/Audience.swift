// SPDX-License-Identifier: Apache-2.0
//
// Everybody who is connected and listening: companions that watch questions, apps that follow their events.
//
// Being here makes nobody part of a decision. A listener that goes, is slow or never comes changes no question.

import ConsentModel

/// The streams that are open now.
struct Audience {
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var followers: [Asker: [ObjectIdentifier: Doorbell]] = [:]
  /// What the streams of one asker share; only of those that have more than one.
  private var live: [Asker: LiveEvents] = [:]

  /// Companions connected now.
  var companions: Int { watchers.count }

  /// Adds a companion.
  mutating func add(_ watcher: Watcher) { watchers[ObjectIdentifier(watcher)] = watcher }

  /// Removes a companion and ends its stream.
  mutating func remove(_ watcher: Watcher) {
    watchers.removeValue(forKey: ObjectIdentifier(watcher))
    watcher.doorbell.close()
  }

  /// Adds an app's stream of events.
  mutating func add(_ doorbell: Doorbell, of asker: Asker) {
    followers[asker, default: [:]][ObjectIdentifier(doorbell)] = doorbell
  }

  /// Removes an app's stream and ends it.
  mutating func remove(_ doorbell: Doorbell, of asker: Asker) {
    followers[asker]?.removeValue(forKey: ObjectIdentifier(doorbell))
    if !isShared(asker) { live.removeValue(forKey: asker) }
    if followers[asker]?.isEmpty == true { followers.removeValue(forKey: asker) }
    doorbell.close()
  }

  /// Whether an asker has more than one stream.
  private func isShared(_ asker: Asker) -> Bool { (followers[asker]?.count ?? 0) > 1 }

  /// The events behind `cursor` that another stream of the asker was just sent; `nil` where that were not all.
  func liveEvents(of asker: Asker, after cursor: Int64) -> [LoggedEvent]? { live[asker]?.events(after: cursor) }

  /// Keeps what one stream read behind `cursor` for the asker's other streams.
  mutating func keep(_ page: EventPage<LoggedEvent>, of asker: Asker, after cursor: Int64) {
    guard isShared(asker) else { return }
    live[asker, default: LiveEvents()].keep(page.events, bytes: page.bytes, after: cursor)
  }

  /// Tells every companion that a question was touched, and whether what it gave was taken back.
  func touch(_ question: QuestionID, isRevoked: Bool = false) {
    for watcher in watchers.values { watcher.touch(question, isRevoked: isRevoked) }
  }

  /// Reminds every companion of a question.
  func remind(of question: QuestionID) {
    for watcher in watchers.values { watcher.remind(of: question) }
  }

  /// Tells an asker's streams that there are new events.
  func ring(_ asker: Asker) {
    for doorbell in (followers[asker] ?? [:]).values { doorbell.ring() }
  }

  /// Rings at all askers' streams.
  func ringEverybody() { for asker in followers.keys { ring(asker) } }
}
