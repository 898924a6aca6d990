// SPDX-License-Identifier: Apache-2.0
//
// The callers of a walk that wait: each is over exactly once, by the first thing that ended its wait, and is told how
// its question stands at that very moment.

import ConsentBroker
import ConsentModel

/// One caller that waits, or is about to.
final class Errand {
  enum Stage: Equatable {
    case coming
    case parked
    case over(Waiter.Outcome)

    /// For the tally.
    var word: String { if case .over(let outcome) = self { "\(outcome)" } else { "not at all" } }
  }

  let waiter = Waiter()
  var stage = Stage.coming
  var question: Int?
  /// What the caller came for.
  var matter: Matter?
  var deadline: Int64 = .max
}

extension Walk {
  /// Waits for a question as `uid`.
  func wait(for number: Int, asUID uid: UserID, timeoutUSec: Int64) {
    guard let id = ledger.questions[number].id else { return }
    let errand = Errand()
    errands.append(errand)
    begin { [self, life] in
      let isTheirs = ledger.questions[number].asker.uid == uid
      let isOpen = ledger.questions[number].seen(at: clock.now) == .pending
      let waits = isTheirs && isOpen && timeoutUSec > 0
      if waits { park(errand, on: number, for: ledger.questions[number].matter, timeoutUSec) }
      do throws(Refusal) {
        let told = try await broker.await(
          id.description, asUID: uid, timeoutUSec: timeoutUSec, as: errand.waiter)
        if life == self.life { judge(told, errand, errand.question ?? number, waits: waits) }
        check(isTheirs, "uid \(uid) was told of another's question")
      } catch {
        if life == self.life {
          check(!isTheirs && error == .unknownQuestion(id.description), "\(error) for uid \(uid)")
          errands.removeAll { $0 === errand }
        }
      }
    }
  }

  /// Asks and waits in one call, as `Request` does.
  func request(_ ask: Ask, timeoutUSec: Int64) {
    let errand = Errand()
    errands.append(errand)
    begin { [self, life] in
      let (outcome, standing) = try await perform(ask)
      guard life == self.life else { return }
      guard case .stands(let asked, _, let joined, _, _) = outcome, let standing else {
        return errands.removeAll { $0 === errand }
      }
      let place = ledger.followed(asked)
      let waits = ledger.questions[place].seen(at: clock.now) == .pending && timeoutUSec > 0
      if waits { park(errand, on: place, for: ledger.questions[asked].matter, timeoutUSec) }
      let told = try await broker.await(standing, timeoutUSec: timeoutUSec, as: errand.waiter)
      guard life == self.life else { return }
      let number = errand.question ?? place
      judge(told?.decision, errand, number, waits: waits)
      if let told {
        let question = ledger.questions[number]
        check(told.joined == joined && told.expiresAt.usec == question.expiresAt, "a request was told \(told)")
      }
    }
  }

  private func park(_ errand: Errand, on number: Int, for matter: Matter, _ timeoutUSec: Int64) {
    errand.question = number
    errand.matter = matter
    errand.deadline = clock.bootUSec + timeoutUSec
    if errand.stage == .coming { errand.stage = .parked }
  }

  private func judge(_ told: Decision?, _ errand: Errand, _ number: Int, waits: Bool) {
    errands.removeAll { $0 === errand }
    check(errand.stage != .parked, "a caller went on without a reason")
    let isGone = waits && errand.stage == .over(.left)
    let expected = isGone ? nil : ledger.decision(of: number, at: clock.now)
    check(told == expected, "a caller was told \(String(describing: told)), not \(String(describing: expected))")
    if errand.stage == .over(.ended) { check(told?.state.isTerminal == true, "a caller went on before the end") }
    note("wait: \(errand.stage.word)")
  }

  /// A caller hangs up.
  func leave(_ errand: Errand) {
    broker.leave(errand.waiter)
    if errand.stage == .coming || errand.stage == .parked { errand.stage = .over(.left) }
  }

  /// The callers whose time is up go on.
  func releaseDue() {
    broker.releaseDue()
    for errand in errands where errand.stage == .parked && errand.deadline <= clock.bootUSec {
      errand.stage = .over(.timedOut)
    }
  }

  /// Callers that wait for a question.
  func waiters(of number: Int) -> Int {
    errands.count { $0.stage == .parked && $0.question == number }
  }
}
