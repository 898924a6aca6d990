// SPDX-License-Identifier: Apache-2.0
//
// The calls of a walk that change something. Each goes into the ledger in the very job in which the broker hands it to
// the store, and what it is told is compared with what the ledger says it must be told.

import ConsentBroker
import ConsentModel
import ConsentStore

extension Walk {
  /// Starts a call that wants one change; `call` makes it and puts what it is told into the ledger's words.
  func change(_ change: Change, _ call: @escaping (Broker) async throws -> Outcome) {
    begin { [self] in _ = await perform(change, call) }
  }

  /// Makes a call that wants one change, and judges what it is told. `nil` where nobody hears that any more.
  func perform(_ change: Change, _ call: (Broker) async throws -> Outcome) async -> Entry? {
    let life = life
    let entry = Entry(change, at: clock.now)
    ledger.waiting.append(entry)
    let told: Outcome
    do {
      told = try await call(broker)
    } catch {
      told = (error as? Refusal).map(Outcome.refused) ?? .done
    }
    guard life == self.life else { return nil }
    announce(entry)
    check(entry.outcome != nil, "\(change): told before it was on disk")
    check(told == entry.outcome, "\(change): \(told), not \(String(describing: entry.outcome))")
    note("\(change.word): \(told.word)")
    return entry
  }

  /// The callers of the questions it ended go on now.
  private func announce(_ entry: Entry) {
    for move in entry.moved {
      let items = ledger.questions[move.to].items
      for errand in errands where errand.stage == .parked && errand.question == move.from {
        guard errand.matter?.items.isSubset(of: items) == true else { continue }
        errand.question = move.to
        note("wait: moved")
      }
    }
    for errand in errands where errand.stage == .parked && entry.ended.contains(errand.question ?? -1) {
      errand.stage = .over(.ended)
      entry.resumed += 1
    }
  }

  // MARK: Asking

  func ask(_ ask: Ask) {
    begin { [self] in try await perform(ask) }
  }

  /// Asks; the outcome as it was told, `nil` where nobody hears it any more.
  @discardableResult
  func perform(_ ask: Ask) async throws -> (outcome: Outcome?, standing: Asked.Standing?) {
    let request = try AskRequest.of(
      ask.matter.topic, by: ask.asker, about: ask.person, key: ask.key, expiresInUSec: ask.expiresInUSec)
    var stands: Asked.Standing?
    let entry = await perform(.ask(ask)) { broker in
      switch try await broker.ask(request).verdict {
      case .notRequired(let reason): return reason == .adult ? .notRequired : .done
      case .granted(let grant): return covers(ask, by: grant) ? .granted : .done
      case .settled: return .done
      case .question(let standing):
        stands = standing
        let number = ledger.number(of: standing.decision.question) ?? -1
        return .stands(
          number, standing.decision.state, joined: standing.joined, expiresAt: standing.expiresAt.usec, standing.reach)
      }
    }
    return (entry?.outcome, stands)
  }

  private func covers(_ ask: Ask, by grant: GrantID) -> Bool {
    ledger.questions.contains { $0.grant == grant && !$0.items.isDisjoint(with: ask.matter.items) }
  }

  func withdraw(_ number: Int) {
    guard let id = ledger.questions[number].id else { return }
    let uid = ledger.questions[number].asker.uid
    change(.withdraw(number)) { [self, life] broker in
      let told = try await broker.withdraw(id.description, asUID: uid)
      check(life != self.life || isDecision(told, of: number), "withdrew \(told)")
      return .ended(number, told.nextAction)
    }
  }

  // MARK: Answering

  func answer(_ number: Int, _ viewer: Viewer, _ choice: String, contentHash: String?) {
    guard let id = ledger.questions[number].id else { return }
    let request = AnswerRequest.of(id, choice, by: viewer, contentHash: contentHash)
    begin { [self] in
      var answered: Answered?
      let entry = await perform(.answer(number, viewer, choice: choice, contentHash: contentHash)) { broker in
        let told = try await broker.answer(request)
        answered = told
        return .ended(number, told.decision.nextAction)
      }
      guard let entry, let answered else { return }
      check(isDecision(answered.decision, of: number, forGuardians: true), "answered \(answered.decision)")
      check(answered.waitersResumed == entry.resumed, "\(answered.waitersResumed) went on, not \(entry.resumed)")
    }
  }

  /// Whether a decision is how the question ended. What to do next may have changed since it was made, and of one that
  /// was erased since no more is known.
  private func isDecision(_ told: Decision, of number: Int, forGuardians: Bool = false) -> Bool {
    var expected = ledger.decision(of: number, at: clock.now, forGuardians: forGuardians)
    if ledger.questions[number].isErased { return told.question == expected?.question && told.state == expected?.state }
    expected?.nextAction = told.nextAction
    return told == expected
  }

  /// Looks at one question as a guardian, which makes it seen where they may answer.
  func describe(_ number: Int, _ viewer: Viewer) {
    guard let id = ledger.questions[number].id else { return }
    begin { [self] in
      let isOpen = ledger.questions[number].seen(at: clock.now) == .pending
      if isOpen && ledger.mayAnswer(number, viewer) {
        _ = await perform(.see(number)) { broker in
          _ = try await broker.describe(id.description, for: viewer)
          return .done
        }
      } else {
        let maySee = ledger.maySee(number, viewer)
        do throws(Refusal) {
          let card = try await broker.describe(id.description, for: viewer)
          check(maySee && !card.canAnswer, "a card for \(viewer)")
          check(
            card.decision == (isOpen ? nil : ledger.decision(of: number, at: clock.now, forGuardians: true)),
            "a card's decision")
        } catch {
          check(!maySee && error == .unknownQuestion(id.description), "\(error) for \(viewer)")
        }
      }
    }
  }

  // MARK: People, and the rest

  /// Enrols a person with two guardians.
  func enrol(_ person: Person) {
    add(person)
    for guardian in WalkCast.guardians.prefix(2) { add(guardian, for: person) }
  }

  func add(_ person: Person) {
    change(.addPerson(person)) { broker in
      try await broker.addPerson(person, displayName: nil)
      return .done
    }
  }

  func remove(_ person: Person) {
    change(.removePerson(person)) { broker in
      try await broker.removePerson(person)
      return .done
    }
  }

  func forget(_ person: Person, _ app: AppID) {
    change(.forget(person, app)) { broker in
      try await broker.forget(person, app: app)
      return .done
    }
  }

  func erase(_ person: Person) {
    change(.erase(person)) { broker in
      try await broker.erase(person)
      return .done
    }
  }

  func add(_ guardian: Guardian, for person: Person) {
    change(.addGuardian(guardian, person)) { broker in
      try await broker.addGuardian(guardian, for: person, displayName: nil)
      return .done
    }
  }

  func remove(_ guardian: Guardian, of person: Person) {
    change(.removeGuardian(guardian, person)) { broker in
      try await broker.removeGuardian(guardian, of: person)
      return .done
    }
  }

  func declare(_ person: Person, isAdult: Bool) {
    let age = DeclaredAge.bounds(lower: isAdult ? 18 : 9, upper: isAdult ? nil : 9, asOf: .spring)
    change(.declare(person, isAdult: isAdult)) { broker in
      _ = try await broker.declareAge(age, of: person, by: .root, assurance: .unchecked)
      return .done
    }
  }

  func acknowledge(_ sequence: Int64, of asker: Asker) {
    change(.acknowledge(asker, sequence)) { broker in
      try await broker.acknowledge(sequence, of: asker)
      return .done
    }
  }

  /// A write that fails when it is committed, and with it the first try of all that share its commit.
  func poison() {
    begin { [self] in
      poisons += 1
      do {
        try await world.store.write { _ = try $0.insert(QuestionRow.dangling) }
        check(false, "a question without its successor was stored")
      } catch is StoreError {}
    }
  }
}
