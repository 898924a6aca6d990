// SPDX-License-Identifier: Apache-2.0
//
// What chance may choose in a walk, and how often.

import ConsentBroker
import ConsentModel

/// One ask.
struct Ask: CustomStringConvertible {
  let matter: Matter
  let asker: Asker
  let person: Person
  let key: String?
  let expiresInUSec: Int64

  var description: String { "matter \(matter.number) by \(asker) about \(person), key \(key ?? "none")" }
}

extension Walk {
  /// Starts something that chance chooses.
  func startSomething() {
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<22: ask(someAsk())
    case 22..<32: request(someAsk(), timeoutUSec: someTimeout())
    case 32..<48: waitForSomething()
    case 48..<62: answerSomething()
    case 62..<67: someQuestion().map(withdraw)
    case 67..<73: errands.randomElement(using: &chance).map(leave)
    case 73..<78: someQuestion().map { describe($0, pick(WalkCast.viewers)) }
    case 78..<81: attendToAlarms()
    case 81: broker.tellCounts()
    case 82..<87: changePeople()
    case 87..<90: connectCompanion()
    case 90..<93: connectFollower()
    case 93..<95: acknowledgeSomething()
    case 95..<99: lookAround()
    default: poison()
    }
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &chance)]
  }

  /// Half of all asks come from one app, most are about one person, so that they meet.
  private func someAsk() -> Ask {
    Ask(
      matter: pick(Matter.all), asker: chance.nextBool(1, in: 2) ? .chat : pick(WalkCast.askers),
      person: chance.nextBool(2, in: 3) ? .mia : pick(WalkCast.people),
      key: chance.nextBool(1, in: 4) ? pick(["k", "l"]) : nil,
      expiresInUSec: pick([Span.hour, 2 * Span.hour, Span.day, 30 * Span.day]))
  }

  private func someTimeout() -> Int64 { pick([0, 1, Span.second, 30 * Span.second, Span.hour, Span.hour]) }

  /// A question whose id somebody can know: an open one twice out of three times.
  private func someQuestion() -> Int? {
    let known = ledger.questions.indices.filter { ledger.questions[$0].id != nil }
    let open = known.filter { ledger.questions[$0].isPending }
    return (open.isEmpty || chance.nextBool(1, in: 3) ? known : open).randomElement(using: &chance)
  }

  private func waitForSomething() {
    guard let number = someQuestion() else { return }
    let uid = chance.nextBool(1, in: 10) ? pick(WalkCast.uids) : ledger.questions[number].asker.uid
    wait(for: number, asUID: uid, timeoutUSec: someTimeout())
  }

  private func answerSomething() {
    guard let number = someQuestion() else { return }
    let question = ledger.questions[number]
    let hash = pick([nil, question.contentHash, question.contentHash, pick(Matter.all).topic.hash])
    let choice = chance.nextBool(1, in: 12) ? "perhaps" : pick(question.matter.choices.filter { $0 != "approveUntil" })
    let able = WalkCast.viewers.filter { ledger.mayAnswer(number, $0) }
    answer(number, pick(able.isEmpty || chance.nextBool(1, in: 3) ? WalkCast.viewers : able), choice, contentHash: hash)
  }

  /// Does what the daemon does when an alarm goes off, and nothing where none is due.
  private func attendToAlarms() {
    let alarm = broker.alarm
    if alarm.waiterBootUSec.map({ $0 <= clock.bootUSec }) == true { releaseDue() }
    guard alarm.question.map({ $0 <= clock.now }) == true else { return }
    change(.expire) { broker in
      try await broker.expireDue()
      return .done
    }
  }

  private func changePeople() {
    let person = pick(WalkCast.people)
    switch Int.random(in: -6..<20, using: &chance) {
    case 0: remove(person)
    case ..<2: chance.nextBool(1, in: 6) ? erase(person) : forget(person, pick([.chat, .game]))
    case 2..<5: enrol(person)
    case 5..<11: add(pick(WalkCast.guardians), for: person)
    case 11..<14: remove(pick(WalkCast.guardians), of: person)
    case 14: declare(person, isAdult: true)
    default: declare(person, isAdult: false)
    }
  }

  private func connectCompanion() {
    if companions.count > 3 || (!companions.isEmpty && chance.nextBool(1, in: 3)) { return unwatch(pick(companions)) }
    let companion = Companion(pick(WalkCast.viewers))
    companions.append(companion)
    watch(companion)
  }

  /// A follower begins where it likes among the events that are on disk.
  private func connectFollower() {
    if followers.count > 3 || (!followers.isEmpty && chance.nextBool(1, in: 3)) { return unfollow(pick(followers)) }
    let asker = pick(WalkCast.askers)
    let newest = Int64(ledger.events[asker]?.count ?? 0)
    let follower = Follower(asker, from: chance.nextBool(1, in: 2) ? 0 : .random(in: 0...newest, using: &chance))
    followers.append(follower)
    follow(follower)
  }

  private func acknowledgeSomething() {
    let asker = chance.nextBool(1, in: 2) ? .chat : pick(WalkCast.askers)
    let newest = Int64(ledger.events[asker]?.count ?? 0)
    acknowledge(.random(in: -1...(newest + 1), using: &chance), of: asker)
  }

  /// Looks at a question and at a status; neither waits for anything.
  private func lookAround() {
    let ask = someAsk()
    checkStatus(ask)
    guard let number = someQuestion(), let id = ledger.questions[number].id else { return }
    let told = try? broker.look(at: id.description, asUID: ledger.questions[number].asker.uid)
    check(told == ledger.decision(of: number, at: clock.now), "a look at \(id): \(String(describing: told))")
  }
}
