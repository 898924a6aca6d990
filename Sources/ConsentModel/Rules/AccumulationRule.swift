// SPDX-License-Identifier: Apache-2.0
//
// Significant updates accumulate (design, rule 6). Nobody updates to the version before last, so a later change takes
// the pending ones with it into one question, and lists again what was denied: one yes approves the app as it will be.
// The denied question itself stays denied.
//
// What becomes of who waits follows from it: a caller moves to the new question if that asks everything it came for.

/// What is known of a scope's updates when another one is asked.
package struct Accumulation: Sendable {
  /// The topic of the newest denied update, where no update was approved since.
  package let denied: Topic?
  /// The topics of the pending ones, the oldest first.
  package let pending: [Topic]

  package init(denied: Topic?, pending: [Topic]) {
    self.denied = denied
    self.pending = pending
  }
}

/// What a new update folds.
package enum AccumulationRule {
  /// Earlier changes one question lists at the most. The oldest beyond are let go.
  package static let most = 16

  /// `topic` with everything it folds, in the order in which it was asked; a topic of another kind as it is. A change
  /// that was asked several times stands there once, with its latest words.
  package static func fold(_ past: Accumulation, into topic: Topic) -> Topic {
    guard topic.kind == .significantUpdate else { return topic }
    let denied = past.denied.map { listed($0).map { EarlierChange(topic: $0.topic, wasDenied: true) } } ?? []
    var earlier: [EarlierChange] = []
    for change in denied + past.pending.flatMap(listed) where !change.topic.subject.isSame(as: topic.subject) {
      let before = earlier.firstIndex { $0.topic.subject.isSame(as: change.topic.subject) }.map { earlier.remove(at: $0) }
      earlier.append(
        EarlierChange(topic: change.topic, wasDenied: change.wasDenied || before?.wasDenied == true))
    }
    return topic.listing(Array(earlier.suffix(most)))
  }

  /// What of `topic`, whose question gives way, the one about `successor` does not ask. Who came for that does not move.
  package static func dropped(_ topic: Topic, by successor: Topic) -> [Subject] {
    let items = Set(successor.items)
    return topic.parts.map(\.subject).filter { !items.isSuperset(of: $0.items) }
  }

  /// Everything a topic lists, as something earlier than what comes now.
  private static func listed(_ topic: Topic) -> [EarlierChange] {
    topic.earlier + [EarlierChange(topic: topic.alone, wasDenied: false)]
  }
}
