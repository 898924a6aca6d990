// SPDX-License-Identifier: Apache-2.0
//
// A guardian's companion that watches questions.
//
// A watcher is told which questions were touched, never what happened to them: when its stream comes round it reads
// how each stands now and says what that means for somebody who has seen what this companion has seen. However fast
// questions change and however slow the companion is, it owes one entry a question and shows the last truth.

package import ConsentModel

/// One `WatchQuestions` stream.
package final class Watcher {
  package let viewer: Viewer
  /// Only questions about this person, where set.
  package let person: Person?
  package let doorbell = Doorbell()
  private var touched: [QuestionID] = []
  private var isTouched: Set<QuestionID> = []
  /// Those of the touched whose grants were taken back, and those of them that were taken last.
  private var revoked: Set<QuestionID> = []
  private var justRevoked: Set<QuestionID> = []
  /// The questions the companion has been shown and not yet that they are over, each as it looked last.
  package private(set) var shown: [QuestionID: String]

  init(viewer: Viewer, person: Person?, shown: [QuestionID: String] = [:]) {
    self.viewer = viewer
    self.person = person
    self.shown = shown
    for question in shown.keys { touch(question) }
  }

  /// Notes that a question has changed.
  func touch(_ question: QuestionID, isRevoked: Bool = false) {
    if isRevoked { revoked.insert(question) }
    if isTouched.insert(question).inserted { touched.append(question) }
    doorbell.ring()
  }

  /// Notes that the companion is to be reminded of a question. One that it was never shown comes as new and needs none.
  func remind(of question: QuestionID) {
    guard let look = shown[question], !look.hasPrefix(Watcher.reminderMark) else { return }
    shown[question] = Watcher.reminderMark + look
    touch(question)
  }

  /// Stands before the look of a question of which the companion is still to be reminded. A look that is handed over to
  /// the next process takes it along.
  private static let reminderMark = "reminder "

  /// The first of the questions touched since they were last taken, in the order in which they were first touched.
  func takeTouched(atMost limit: Int) -> [QuestionID] {
    let taken = Array(touched.prefix(limit))
    touched.removeFirst(taken.count)
    for question in taken { isTouched.remove(question) }
    justRevoked = Set(taken.filter { revoked.remove($0) != nil })
    return taken
  }

  /// Whether the companion has been shown the question and not yet that it is over.
  func shows(_ question: QuestionID) -> Bool { shown[question] != nil }

  /// What `card` means to this companion now; nothing where it looks as it did, and where the companion never saw the
  /// question and it has ended.
  func change(to card: Card) -> CardChange? {
    var before = shown[card.question]
    guard card.state == .pending else {
      shown[card.question] = nil
      let isRevoked = justRevoked.remove(card.question) != nil
      guard before != nil else { return isRevoked ? .revoked(card) : nil }
      if isRevoked { touch(card.question, isRevoked: true) }
      return .removed(card, reason: card.state.rawValue)
    }
    shown[card.question] = card.look
    if let owed = before, owed.hasPrefix(Watcher.reminderMark) {
      if card.canAnswer { return .reminder(card) }
      before = String(owed.dropFirst(Watcher.reminderMark.count))
    }
    guard before != card.look else { return nil }
    return before == nil ? .added(card) : .changed(card)
  }

  /// Takes `card` from a companion whose guardian may no longer see it; nothing where the companion never saw it. What
  /// others answered is not told: the card goes as it was shown.
  func withdrawal(of card: Card) -> CardChange? {
    guard shown.removeValue(forKey: card.question) != nil else { return nil }
    var last = card
    last.decision = nil
    guard [.pending, .approved, .denied].contains(card.state) else {
      return .removed(last, reason: card.state.rawValue)
    }
    last.state = .pending
    last.votes.have = 0
    return .removed(last, reason: DeciderObjection.notGuardian.rawValue)
  }
}

extension Card {
  /// What of an open question may change while it is shown.
  fileprivate var look: String { "\(waiters) \(votes.have)/\(votes.need) \(expiresAt.usec) \(canAnswer)" }
}
