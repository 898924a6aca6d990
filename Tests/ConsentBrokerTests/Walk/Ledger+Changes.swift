// SPDX-License-Identifier: Apache-2.0
//
// What each change must lead to once it is on disk: the rules again, written for the walk alone.

import ConsentBroker
import ConsentModel

/// One change that a caller wants.
enum Change {
  case ask(Ask)
  case answer(Int, Viewer, choice: String, contentHash: String?)
  case withdraw(Int)
  case expire
  case deliver([Int])
  case see(Int)
  case addPerson(Person)
  case removePerson(Person)
  case forget(Person, AppID)
  case erase(Person)
  case addGuardian(Guardian, Person)
  case removeGuardian(Guardian, Person)
  case declare(Person, isAdult: Bool)
  case acknowledge(Asker, Int64)
}

/// What a caller must be told of a change.
enum Outcome: Equatable {
  case done
  case refused(Refusal)
  case notRequired
  case granted
  case stands(Int, QuestionState, joined: Bool, expiresAt: Int64, Reach)
  /// The question has ended; what to do then is as of that change.
  case ended(Int, NextAction)
}

/// A change on its way.
final class Entry {
  let change: Change
  let now: Instant
  /// What it led to; `nil` until it is on disk.
  fileprivate(set) var outcome: Outcome?
  /// The questions it ended.
  fileprivate(set) var ended: [Int] = []
  /// The questions that gave way, and those in whose place they stand.
  fileprivate(set) var moved: [(from: Int, to: Int)] = []
  /// How many callers went on when that was announced.
  var resumed = 0

  init(_ change: Change, at now: Instant) {
    self.change = change
    self.now = now
  }
}

extension Ledger {
  /// Everything that waits is on disk.
  mutating func commit() {
    for entry in waiting { entry.outcome = carryOut(entry) }
    waiting = []
  }

  private mutating func carryOut(_ entry: Entry) -> Outcome {
    switch entry.change {
    case .ask(let ask): return carryOut(ask, entry)
    case .answer(let number, let viewer, let choice, let hash): return answer(number, viewer, choice, hash, entry)
    case .withdraw(let number):
      end(number, .withdrawn, entry)
      return .ended(number, nextAction(after: number, at: entry.now))
    case .expire:
      for number in open.sorted(by: { (questions[$0].expiresAt, $0) < (questions[$1].expiresAt, $1) })
      where questions[number].expiresAt <= entry.now.usec { end(number, .expired, entry) }
    case .deliver(let numbers): for number in numbers { deliver(number) }
    case .see(let number):
      deliver(number)
      if questions[number].isPending { questions[number].isSeen = true }
    case .removePerson(let person): remove(person, entry)
    case .forget(let person, let app): return erase(person, app, entry)
    case .erase(let person): return erase(person, nil, entry)
    case .addPerson, .addGuardian, .removeGuardian: return changePeople(entry.change)
    case .declare(let person, let isAdult): return declare(person, isAdult, entry)
    case .acknowledge(let asker, let sequence): return acknowledge(asker, sequence)
    }
    return .done
  }

  // MARK: Questions

  private mutating func carryOut(_ ask: Ask, _ entry: Entry) -> Outcome {
    let scope = ask.key.map { KeyScope(asker: ask.asker, person: ask.person, key: $0) }
    if let keyed = scope.flatMap({ keys[$0] }), keyed.askedAt + 48 * Span.hour > entry.now.usec {
      return keyed.matter == ask.matter ? stands(keyed.question, joined: true, entry) : .refused(.keyConflict)
    }
    if adults.contains(ask.person) { return .notRequired }
    if covers(ask.matter, ask.asker, ask.person) { return .granted }
    guard someoneMayDecide(ask.asker, ask.person) else {
      return .refused(.notAvailable(reason: .noGuardian, retryable: false))
    }
    let candidates = open.filter { isInTheWay($0, of: ask) }
    let joined = candidates.first { questions[$0].seen(at: entry.now) == .pending && asks($0, ask.matter) }
    if joined == nil, let until = coolingUntil(ask, at: entry.now) ?? spentUntil(ask, at: entry.now) {
      return .refused(.coolingDown(until: until))
    }
    let question = joined ?? put(ask, inPlaceOf: candidates, entry)
    questions[question].expiresAt = max(questions[question].expiresAt, entry.now.usec + ask.expiresInUSec)
    if let scope { keys[scope] = Keyed(matter: ask.matter, question: question, askedAt: entry.now.usec) }
    return stands(question, joined: joined != nil, entry)
  }

  /// Puts a question, in the place of those that are open.
  private mutating func put(_ ask: Ask, inPlaceOf candidates: [Int], _ entry: Entry) -> Int {
    let number = questions.count
    let times = (latest(ask.matter, ask.asker, ask.person).map { questions[$0].timesAsked } ?? 0) + 1
    let overdue = candidates.filter { questions[$0].seen(at: entry.now) != .pending }
    noteAsked(ask, overdue, at: entry.now)
    for candidate in overdue { end(candidate, .expired, entry) }
    let open = candidates.filter { questions[$0].isPending }
    let question = Question(ask, taking: earlier(open, for: ask), askedAt: entry.now, timesAsked: times)
    for candidate in open {
      end(candidate, .superseded, by: number, entry)
      entry.moved.append((from: candidate, to: number))
    }
    questions.append(question)
    record(.asked, number)
    return number
  }

  private func stands(_ number: Int, joined: Bool, _ entry: Entry) -> Outcome {
    let question = questions[number]
    return .stands(
      number, question.seen(at: entry.now), joined: joined, expiresAt: question.expiresAt,
      question.isSeen ? .seen : question.isDelivered ? .delivered : .none)
  }

  private mutating func answer(
    _ number: Int, _ viewer: Viewer, _ choice: String, _ hash: String?, _ entry: Entry
  ) -> Outcome {
    let question = questions[number]
    guard maySee(number, viewer) else { return .refused(.unknownQuestion(question.id?.description ?? "")) }
    guard mayAnswer(number, viewer) else { return .refused(.notPermitted(reason: "sameAsker")) }
    let isRight = hash == nil || hash == question.contentHash
    let isOffered = question.matter.choices.contains(choice)
    switch question.seen(at: entry.now) {
    case .pending where !isRight: return .refused(.contentChanged(contentHash: question.contentHash))
    case .pending where !isOffered:
      let offered = question.matter.choices.joined(separator: ", ")
      return .refused(.invalidValue(field: "choice", rule: "one of those offered: \(offered)"))
    case .pending: decide(number, viewer, choice, entry)
    case let state:
      let isRetry = isRight && isOffered && question.guardian == viewer.onlyGuardian && question.choice == choice
      if !isRetry {
        end(number, .expired, entry)
        let at = Instant(usec: question.endedAt ?? question.expiresAt)
        return .refused(.alreadyDecided(state: state, decidedAt: at))
      }
    }
    return .ended(number, nextAction(after: number, at: entry.now))
  }

  private mutating func decide(_ number: Int, _ viewer: Viewer, _ choice: String, _ entry: Entry) {
    questions[number].choice = choice
    questions[number].guardian = viewer.onlyGuardian
    questions[number].hasGrant = choice == "approve"
    questions[number].isGrantLive = choice == "approve"
    end(number, choice == "deny" ? .denied : .approved, entry)
    if choice == "approve" { record(.granted, number) }
  }

  private mutating func end(
    _ number: Int, _ state: QuestionState, by successor: Int? = nil, because reason: Reason? = nil, _ entry: Entry
  ) {
    guard questions[number].isPending else { return }
    let isLate = questions[number].expiresAt <= entry.now.usec
    questions[number].state = isLate ? .expired : state
    questions[number].endedAt = isLate ? questions[number].expiresAt : entry.now.usec
    questions[number].successor = isLate ? nil : successor
    questions[number].reason = isLate ? nil : reason
    record(questions[number].state.arrival ?? .asked, number)
    noteEnded(number)
    entry.ended.append(number)
  }

  private mutating func deliver(_ number: Int) {
    guard questions[number].isPending, !questions[number].isDelivered else { return }
    questions[number].isDelivered = true
    record(.delivered, number)
  }

  private mutating func record(_ kind: AskerEvent.Kind, _ number: Int, _ candidates: Set<Int> = []) {
    events[questions[number].asker, default: []].append(Event(kind: kind, question: number, candidates: candidates))
  }

  // MARK: People

  private mutating func remove(_ person: Person, _ entry: Entry) {
    endEverything(about: person, of: nil, because: .personRemoved, entry)
    manners.forget(person)
    people.remove(person)
    guardians[person] = nil
    adults.remove(person)
  }

  private mutating func endEverything(
    about person: Person, of app: AppID?, because reason: Reason, _ entry: Entry
  ) {
    func isMeant(_ asker: Asker) -> Bool { app == nil || asker.app == app }
    for number in open where questions[number].person == person && isMeant(questions[number].asker) {
      end(number, .moot, because: reason, entry)
    }
    for asker in WalkCast.askers where isMeant(asker) {
      let lost = questions.indices.filter {
        questions[$0].isGrantLive && questions[$0].asker == asker && questions[$0].person == person
      }
      for number in lost {
        questions[number].isGrantLive = false
        record(.grantEnded, number, Set(lost))
      }
    }
  }

  /// Erases what an app has about a person, or everything, with the enrolment.
  private mutating func erase(_ person: Person, _ app: AppID?, _ entry: Entry) -> Outcome {
    guard people.contains(person) || questions.contains(where: { $0.person == person }) else {
      return .refused(.unknownPerson(person.description))
    }
    if app == nil {
      remove(person, entry)
    } else {
      endEverything(about: person, of: app, because: .forgotten, entry)
      for asker in Set(questions.filter { $0.person == person && $0.asker.app == app }.map(\.asker)) {
        manners.forget(person, asker)
      }
    }
    for number in questions.indices
    where questions[number].person == person && (app == nil || questions[number].asker.app == app) {
      questions[number].isErased = true
      questions[number].choice = nil
      questions[number].guardian = nil
    }
    keys = keys.filter { $0.key.person != person || (app != nil && $0.key.asker.app != app) }
    return .done
  }

  private mutating func changePeople(_ change: Change) -> Outcome {
    switch change {
    case .addPerson(let person): people.insert(person)
    case .addGuardian(let guardian, let person):
      guard people.contains(person) else { return .refused(.unknownPerson(person.description)) }
      if guardian != .nan, let user = try? Person(parsing: guardian.description) { people.insert(user) }
      if guardians[person]?.contains(guardian) != true { guardians[person, default: []].append(guardian) }
    case .removeGuardian(let guardian, let person):
      guard people.contains(person) else { return .refused(.unknownPerson(person.description)) }
      guardians[person]?.removeAll { $0 == guardian }
    default: break
    }
    return .done
  }

  private mutating func declare(_ person: Person, _ isAdult: Bool, _ entry: Entry) -> Outcome {
    guard people.contains(person) else { return .refused(.unknownPerson(person.description)) }
    adults.remove(person)
    guard isAdult else { return .done }
    adults.insert(person)
    for number in open where questions[number].person == person { end(number, .moot, because: .adult, entry) }
    return .done
  }

  private mutating func acknowledge(_ asker: Asker, _ sequence: Int64) -> Outcome {
    let newest = Int64(events[asker]?.count ?? 0)
    guard (0...newest).contains(sequence) else {
      return .refused(.invalidValue(field: "sequence", rule: "from 0 to \(newest), the newest event"))
    }
    acknowledged[asker] = max(acknowledged[asker] ?? 0, sequence)
    return .done
  }
}

extension Change {
  /// The kind of change, for the tally.
  var word: String {
    switch self {
    case .ask: "ask"
    case .answer: "answer"
    case .withdraw: "withdraw"
    case .expire: "expire"
    case .deliver: "deliver"
    case .see: "see"
    case .addPerson, .addGuardian, .removeGuardian, .declare: "enrol"
    case .removePerson: "remove"
    case .forget: "forget"
    case .erase: "erase"
    case .acknowledge: "acknowledge"
    }
  }
}

extension Outcome {
  /// The kind of outcome, for the tally.
  var word: String {
    switch self {
    case .done: "done"
    case .refused(let refusal): "refused \("\(refusal)".prefix { $0 != "(" })"
    case .notRequired: "not required"
    case .granted: "granted"
    case .stands(_, let state, let joined, _, _): joined ? "joined \(state.rawValue)" : "new \(state.rawValue)"
    case .ended: "ended"
    }
  }
}
