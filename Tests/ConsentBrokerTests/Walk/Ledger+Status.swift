// SPDX-License-Identifier: Apache-2.0
//
// Where a topic must stand: the table of statuses again, written for the walk alone.

@testable import ConsentModel

extension Ledger {
  /// The status of what is asked. Which of several grants it names is the store's choice: `grant` is the one it chose.
  func status(of ask: Ask, at now: Instant, naming grant: GrantID?) -> StatusAnswer {
    let latest = latest(ask.matter, ask.asker, ask.person)
    let question = latest.flatMap { questions[$0].id }
    if adults.contains(ask.person) {
      return StatusAnswer(status: .notRequired, nextAction: .proceed, reason: .adult, question: question)
    }
    if covers(ask.matter, ask.asker, ask.person) {
      let covering = ask.matter.items.flatMap { grants(of: $0, ask.matter.kind, ask.asker, ask.person) }
      let named = covering.compactMap { questions[$0].grant }.first { $0 == grant }
      return StatusAnswer(status: .approved, nextAction: .proceed, question: question, grant: named ?? .random())
    }
    let mayAsk = someoneMayDecide(ask.asker, ask.person)
    let reason: Reason? = mayAsk ? nil : .noGuardian
    switch latest.map({ questions[$0].seen(at: now) }) {
    case .pending?: return StatusAnswer(status: .pending, nextAction: .wait, reason: reason, question: question)
    case .denied?:
      return StatusAnswer(status: .denied, nextAction: mayAsk ? .ask : .askLater, reason: reason, question: question)
    default:
      return StatusAnswer(
        status: .notDetermined, nextAction: mayAsk ? .ask : .askLater, reason: reason, question: question)
    }
  }
}
