// SPDX-License-Identifier: Apache-2.0
//
// Which run of a command comes next, decided apart from the running (docs/decisions/0023). The runs of one question
// keep the order of its changes, one at a time; those of several questions go side by side, so that a dialog nobody
// answers holds up no other. A run that fails is tried again a bounded number of times, and what has been overtaken
// before it began is left out, so that what waits is bounded by what is open.

import ConsentKit

/// The runs that go and wait.
struct RunQueue {
  /// One run: a change handed to the command.
  struct Run: Sendable {
    let change: QuestionChange
    /// 1 at first.
    var attempt = 1

    /// Whose turn it is.
    var question: String { change.card?.question ?? "" }
  }

  /// What follows from the end of a run.
  enum Verdict: Equatable {
    /// It is dealt with, or overtaken.
    case done
    /// It is tried again after this many microseconds.
    case again(afterUSec: Int64)
    /// It failed as often as it may.
    case givenUp
  }

  /// How many commands run at once.
  static let limit = 16
  /// How often a change is handed to the command at most.
  static let attempts = 3

  /// The changes of one question: the first goes or waits for its next try, the others wait.
  private struct Lane {
    var waiting: [Run] = []
    var isBusy = false
    var isResting = false
  }

  private var lanes: [String: Lane] = [:]
  /// The questions whose next run may begin, in the order they became so.
  private var ready: [String] = []
  private(set) var running = 0

  /// Takes a change in. What it overtakes and has not begun is left out.
  mutating func add(_ change: QuestionChange) {
    let run = Run(change: change)
    var lane = lanes[run.question] ?? Lane()
    if let first = lane.waiting.first, RunQueue.overtakes(change, first.change) { lane.isResting = false }
    lane.waiting.removeAll { RunQueue.overtakes(change, $0.change) }
    lane.waiting.append(run)
    lanes[run.question] = lane
    makeReady(run.question)
  }

  /// The next run that may begin; `nil` where none may.
  mutating func next() -> Run? {
    guard running < RunQueue.limit, !ready.isEmpty else { return nil }
    let question = ready.removeFirst()
    guard var lane = lanes[question], !lane.waiting.isEmpty else { return nil }
    let run = lane.waiting.removeFirst()
    lane.isBusy = true
    lanes[question] = lane
    running += 1
    return run
  }

  /// A run ended. One that is to be tried again comes back through `rested`.
  mutating func ended(_ run: Run, succeeded: Bool) -> Verdict {
    running -= 1
    lanes[run.question]?.isBusy = false
    let verdict = verdict(run, succeeded)
    if case .again = verdict {
      lanes[run.question]?.waiting.insert(Run(change: run.change, attempt: run.attempt + 1), at: 0)
      lanes[run.question]?.isResting = true
    }
    makeReady(run.question)
    return verdict
  }

  /// The rest before a run's next try is over, unless something overtook it meanwhile.
  mutating func rested(_ run: Run) {
    guard let lane = lanes[run.question], lane.isResting, lane.waiting.first?.attempt == run.attempt + 1 else { return }
    lanes[run.question]?.isResting = false
    makeReady(run.question)
  }

  private func verdict(_ run: Run, _ succeeded: Bool) -> Verdict {
    if succeeded { return .done }
    let isOvertaken = lanes[run.question]?.waiting.contains { RunQueue.overtakes($0.change, run.change) } ?? false
    if isOvertaken { return .done }
    if run.attempt >= RunQueue.attempts { return .givenUp }
    return .again(afterUSec: 1_000_000 << (2 * Int64(run.attempt - 1)))
  }

  private mutating func makeReady(_ question: String) {
    guard let lane = lanes[question], !lane.isBusy, !lane.isResting else { return }
    if lane.waiting.isEmpty {
      lanes[question] = nil
    } else if !ready.contains(question) {
      ready.append(question)
    }
  }

  /// Whether `later` makes it needless to tell `earlier`: the end does of everything but the end, what is told anew of
  /// what was told before.
  private static func overtakes(_ later: QuestionChange, _ earlier: QuestionChange) -> Bool {
    switch later.change {
    case "removed": earlier.change != "revoked"
    case "added", "changed", "reminder": earlier.change == later.change
    default: false
    }
  }
}
