// SPDX-License-Identifier: Apache-2.0
//
// Where a topic must stand: the table of statuses again, written for the walk alone.

@testable import ConsentModel

extension Ledger {
  /// The status of what is asked. Which of several grants it names is the store's choice: `grant` is the one it chose.
  func status(of ask: Ask, at now: Instant, naming grant: GrantID?) -> StatusAnswer {
    let first = latest(ask.matter, ask.asker, ask.person)
    var latest = first
    while let next = latest.flatMap({ questions[$0].successor }) { latest = next }
    let isAsked = latest.map { $0 == first || questions[$0].items.isSuperset(of: ask.matter.items) } == true
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
    let until = mayAsk ? coolingUntil(ask, at: now) : nil
    var answer = StatusAnswer(
      status: .notDetermined, nextAction: mayAsk && until == nil ? .ask : .askLater, reason: mayAsk ? nil : .noGuardian,
      question: question, until: until)
    let state = latest.map { questions[$0].seen(at: now) }
    let partly = ask.matter.items.flatMap { grants(of: $0, ask.matter.kind, ask.asker, ask.person) }
    if state == .pending, isAsked {
      answer = StatusAnswer(
        status: .pending, nextAction: .wait, reason: mayAsk ? nil : .noGuardian, question: question)
    } else if !partly.isEmpty {
      let named = partly.compactMap { questions[$0].grant }.first { $0 == grant }
      answer = StatusAnswer(
        status: .limited, nextAction: answer.nextAction, reason: mayAsk ? .narrowed : .noGuardian, question: question,
        grant: named ?? .random(), until: until)
    } else if state == .denied, isAsked {
      answer = StatusAnswer(
        status: .denied, nextAction: answer.nextAction, reason: answer.reason, question: question, until: until)
    }
    return answer
  }
}
