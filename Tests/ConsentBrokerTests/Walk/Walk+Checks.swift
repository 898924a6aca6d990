// SPDX-License-Identifier: Apache-2.0
//
// What is compared after steps of a walk, at rest, and after a crash: the store with the ledger row by row, and the
// rules that hold whatever the ledger says.

import ConsentStore
import TestSupport
import Testing

@testable import ConsentBroker
@testable import ConsentModel

/// How far the ledger has learned what chance gave.
struct Learned {
  var lastSeq: Int64 = 0
  var questions = 0
  var events: [Asker: Int] = [:]
}

extension Walk {
  // MARK: Learning

  /// Reads what the last commit made: the ids of new questions and grants, and the order of events that chance ordered.
  func learn() throws {
    let rows = try world.store.read { try $0.questions(QuestionFilter(), after: learned.lastSeq, limit: .max) }
    check(rows.count == ledger.questions.count - learned.questions, "\(rows.count) new questions")
    for (number, row) in zip(learned.questions..., rows) where number < ledger.questions.count {
      if let id = QuestionID(row.id) { ledger.name(number, id) }
      let question = ledger.questions[number]
      check(row.topicKey == (question.isErased ? "" : question.matter.key), "question \(number) is another one")
      learned.lastSeq = row.seq
    }
    learned.questions = ledger.questions.count
    for number in ledger.questions.indices
    where ledger.questions[number].hasGrant && ledger.questions[number].grant == nil {
      ledger.questions[number].grant = try row(number)?.ending?.grant.flatMap(GrantID.init)
      check(ledger.questions[number].grant != nil, "question \(number) gave no grant")
    }
    for asker in WalkCast.askers { try learnEvents(of: asker) }
  }

  private func learnEvents(of asker: Asker) throws {
    let known = learned.events[asker] ?? 0
    var expected = ledger.events[asker] ?? []
    guard known < expected.count else { return }
    let rows = try world.store.read { try $0.events(asker: AskerKey(asker), after: Int64(known), limit: .max) }
    check(rows.map(\.sequence) == Array(Int64(known) + 1..<Int64(expected.count) + 1), "gaps in the events of \(asker)")
    var taken: Set<Int> = []
    for (index, row) in zip(known..., rows) where index < expected.count {
      let number = row.question.flatMap(QuestionID.init).flatMap(ledger.number)
      if let number, expected[index].candidates.contains(number) { expected[index].question = number }
      check(number == expected[index].question && row.event == expected[index].kind.rawValue, "event \(row)")
      if row.event == "grantEnded" { check(taken.insert(number ?? -1).inserted, "a grant that ended twice") }
    }
    ledger.events[asker] = expected
    learned.events[asker] = expected.count
  }

  private func row(_ number: Int) throws -> QuestionRow? {
    try ledger.questions[number].id.flatMap { id in try world.store.read { try $0.question(id.description) } }
  }

  // MARK: After every step

  /// The broker knows of exactly those callers that wait.
  func checkWaiters() {
    let waiters = errands.count { $0.stage == .parked }
    check(world.waiters == waiters, "\(world.waiters) callers wait, not \(waiters)")
  }

  // MARK: At rest

  /// Nothing moves: everybody knows everything.
  func checkRest() throws {
    let waiting = errands.count { $0.stage == .parked }
    check(errands.count == waiting, "a caller is under way")
    check(callsUnderWay == waiting + companions.count + followers.count, "\(callsUnderWay) calls are under way")
    check(errands.allSatisfy { ledger.questions[$0.question ?? 0].isPending }, "a caller waits for what has ended")
    check(errands.allSatisfy { $0.deadline > clock.bootUSec }, "a caller waits beyond its time")
    let statistics = try broker.statistics()
    check(
      statistics
        == Broker.Statistics(
          openQuestions: ledger.open.count, waiters: waiting,
          companions: companions.count), "\(statistics)")
    check(try broker.peopleCount() == ledger.people.count, "\(ledger.people.count) people are not all counted")
    let earliest = ledger.open.map { ledger.questions[$0].expiresAt }.min()
    check(broker.alarm.question?.usec == earliest, "the alarm is at \(String(describing: broker.alarm.question))")
    companions.forEach(checkCards)
    for follower in followers {
      check(follower.cursor == Int64(ledger.events[follower.asker]?.count ?? 0), "a follower missed something")
    }
    for number in ledger.questions.indices.suffix(40) { try checkRow(number) }
  }

  /// A companion shows exactly what stands open, as it stands.
  private func checkCards(of companion: Companion) {
    let open = ledger.open.filter { ledger.maySee($0, companion.viewer) }
    check(companion.shown.keys.sorted() == open, "\(companion.viewer) is shown \(companion.shown.keys), not \(open)")
    for (number, card) in companion.shown {
      let question = ledger.questions[number]
      check(card.waiters == waiters(of: number), "question \(number) shows \(card.waiters) waiters")
      check(card.expiresAt.usec == question.expiresAt, "question \(number) shows another deadline")
      check(card.canAnswer == ledger.mayAnswer(number, companion.viewer), "who may answer question \(number)")
      check(card.contentHash == question.contentHash && card.timesAsked == question.timesAsked, "card \(number)")
    }
  }

  // MARK: After a crash

  /// Everything that anybody was ever told is there, and nothing else.
  func checkStore() throws {
    for number in ledger.questions.indices { try checkRow(number) }
    let store = world.store
    let rows = try store.read { try $0.questions(QuestionFilter(), after: nil, limit: .max) }
    check(rows.count == ledger.questions.count, "\(rows.count) questions, not \(ledger.questions.count)")
    let open = rows.filter { $0.ending == nil }.map { "\($0.person) \($0.asker) \($0.topicKey)" }
    check(Set(open).count == open.count, "two open questions of one topic")
    for person in WalkCast.people {
      let guardians = try store.read { try $0.guardians(of: person.description).map(\.guardian) }
      check(guardians == (ledger.guardians[person] ?? []).map(\.description), "the guardians of \(person)")
      let grants = try store.read { try $0.liveGrants(of: person.description).compactMap { GrantID($0.id) } }
      let live = ledger.questions.filter { $0.isGrantLive && $0.person == person }
      check(Set(grants) == Set(live.compactMap(\.grant)) && grants.count == live.count, "the grants of \(person)")
    }
    for asker in WalkCast.askers { try checkEvents(of: asker) }
  }

  private func checkRow(_ number: Int) throws {
    guard let row = try row(number) else { return check(false, "question \(number) is gone") }
    let question = ledger.questions[number]
    check(
      row.state == question.state.rawValue && row.expiresAt == question.expiresAt
        && row.askedAt == question.askedAt && row.ending?.endedAt == question.endedAt
        && row.timesAsked == (question.isErased ? 1 : question.timesAsked)
        && row.contentHash == (question.isErased ? "" : question.contentHash)
        && (row.erasedAt != nil) == question.isErased && row.content.isEmpty == question.isErased
        && (row.deliveredAt != nil) == question.isDelivered && (row.seenAt != nil) == question.isSeen
        && row.ending?.choice == question.choice && row.ending?.guardian == question.guardian?.description
        && row.ending?.grant == question.grant?.description && row.ending?.reason == question.reason?.rawValue
        && row.ending?.successor == question.successor.flatMap { ledger.questions[$0].id?.description },
      "question \(number) is \(row), not \(question)")
    let answers = try world.store.read { try $0.answers(question: row.id) }
    check(
      answers.map(\.choice) == [question.choice].compactMap(\.self)
        && answers.map(\.guardian) == [question.guardian?.description].compactMap(\.self), "answers: \(answers)")
  }

  /// The log of an asker: without gaps, and each question asked first and ended once, whatever the ledger says.
  private func checkEvents(of asker: Asker) throws {
    let events = try world.store.read { try $0.events(asker: AskerKey(asker), after: 0, limit: .max) }
    check(events.map(\.sequence) == Array(1..<Int64(events.count) + 1), "gaps in the events of \(asker)")
    check(events.count == ledger.events[asker]?.count ?? 0, "\(events.count) events of \(asker)")
    let acknowledged = try world.store.read { try $0.asker(AskerKey(asker)).acknowledged }
    check(acknowledged == ledger.acknowledged[asker] ?? 0, "the cursor of \(asker)")
    for (question, events) in Dictionary(grouping: events, by: \.question) {
      let kinds = events.compactMap { AskerEvent.Kind(rawValue: $0.event) }
      let endings = kinds.filter { [.decided, .expired, .withdrawn, .superseded, .moot].contains($0) }
      let number = question.flatMap(QuestionID.init).flatMap(ledger.number)
      let isOpen = number.map { ledger.questions[$0].isPending } ?? true
      check(kinds.first == .asked && kinds.count { $0 == .asked } == 1, "\(kinds)")
      check(endings.count == (isOpen ? 0 : 1), "\(kinds)")
      check(Set(kinds).count == kinds.count, "\(kinds)")
      if let granted = kinds.firstIndex(of: .granted) { check(kinds[granted - 1] == .decided, "\(kinds)") }
    }
  }

  // MARK: A status

  /// The status of what is asked, compared with the whole table.
  func checkStatus(_ ask: Ask) {
    let topic = ask.matter.topic.subject
    let request = StatusRequest(
      asker: ask.asker, provenance: ask.asker.app == nil ? .unidentified : .claimed, person: ask.person, subject: topic)
    guard let found = try? broker.status(request) else {
      return check(false, "no status")
    }
    let expected = ledger.status(of: ask, at: clock.now, naming: found.answer.grant)
    check(found.answer == expected && found.topicKey == ask.matter.key, "status \(found.answer), not \(expected)")
    note("status \(expected.status.rawValue)")
  }
}

extension World {
  /// Callers that the broker knows to wait.
  var waiters: Int { broker.waiting.count }
}
