// SPDX-License-Identifier: Apache-2.0
//
// What a random walk knows must be true, kept without the broker: the changes that were handed to the store and wait,
// what those that are on disk have led to, and what each caller must therefore be told. Ids are chance and are learned
// from the store; everything else is known before the store is looked at.

import ConsentBroker

@testable import ConsentModel

/// The walk's own account of a store.
struct Ledger {
  /// One question as it must stand.
  struct Question {
    let matter: Matter
    let asker: Asker
    let person: Person
    let askedAt: Int64
    let timesAsked: Int
    /// The earlier changes it took along.
    let earlier: [Earlier]
    let topic: Topic
    /// What an approval grants.
    let items: Set<String>
    let contentHash: String
    var expiresAt: Int64 = 0
    var state = QuestionState.pending
    var endedAt: Int64?
    var choice: String?
    var guardian: Guardian?
    var reason: Reason?
    var successor: Int?
    var isDelivered = false
    var isSeen = false
    var hasGrant = false
    var isGrantLive = false
    /// What was asked is gone; so are choice and guardian.
    var isErased = false
    /// Learned from the store.
    var id: QuestionID?
    /// Learned from the store.
    var grant: GrantID?

    var isPending: Bool { state == .pending }
    func seen(at now: Instant) -> QuestionState { isPending && expiresAt <= now.usec ? .expired : state }

    init(_ ask: Ask, taking earlier: [Earlier], askedAt: Instant, timesAsked: Int) {
      (matter, asker, person) = (ask.matter, ask.asker, ask.person)
      (self.askedAt, self.timesAsked) = (askedAt.usec, timesAsked)
      let provenance: Provenance = asker.app == nil ? .unidentified : .claimed
      self.earlier = earlier
      topic = matter.topic(taking: earlier)
      items = earlier.reduce(matter.items) { $0.union($1.matter.items) }
      contentHash = Content(person: person, asker: asker, provenance: provenance, topic: topic).hash
    }

    /// Everything it asks, each as it was asked.
    var parts: [Matter] { earlier.map(\.matter) + [matter] }
  }

  /// A change that a later one took along.
  struct Earlier {
    let matter: Matter
    let wasDenied: Bool
  }

  /// One event as an asker must read it. Which of several grants ended first is chance, and learned.
  struct Event {
    let kind: AskerEvent.Kind
    var question: Int
    var candidates: Set<Int> = []
  }

  /// What an ask's key stands for.
  struct Keyed {
    let matter: Matter
    let question: Int
    let askedAt: Int64
  }

  struct KeyScope: Hashable {
    let asker: Asker
    let person: Person
    let key: String
  }

  /// How long askers wait; absent: not at all.
  var numbers: CoolDowns?
  var manners = Manners()
  var questions: [Question] = []
  var guardians: [Person: [Guardian]] = [:]
  /// Everybody enrolled; guardians with a uid become people too.
  var people: Set<Person> = []
  var adults: Set<Person> = []
  var keys: [KeyScope: Keyed] = [:]
  var events: [Asker: [Event]] = [:]
  var acknowledged: [Asker: Int64] = [:]
  private var byID: [QuestionID: Int] = [:]
  /// Handed to the store, not on disk.
  var waiting: [Entry] = []

  // MARK: What stands

  /// Learns the id of a question.
  mutating func name(_ number: Int, _ id: QuestionID) {
    questions[number].id = id
    byID[id] = number
  }

  /// The numbers of the questions that stand open.
  var open: [Int] { questions.indices.filter { questions[$0].isPending } }

  /// The newest question of a topic that is known still.
  func latest(_ matter: Matter, _ asker: Asker, _ person: Person) -> Int? {
    questions.lastIndex {
      $0.matter.key == matter.key && $0.asker == asker && $0.person == person && !$0.isErased
    }
  }

  func number(of id: QuestionID) -> Int? { byID[id] }

  /// Whether a viewer is a guardian of the person in question, and the question is not erased.
  func maySee(_ question: Int, _ viewer: Viewer) -> Bool {
    if questions[question].isErased { return false }
    return viewer.onlyGuardian.map { guardians[questions[question].person]?.contains($0) == true } ?? false
  }

  /// Whether nothing stands against a viewer's answer but the question's end.
  func mayAnswer(_ question: Int, _ viewer: Viewer) -> Bool {
    let asker = questions[question].asker.uid
    return maySee(question, viewer) && viewer.peer != asker && viewer.onlyGuardian != .user(asker)
  }

  /// Whether grants cover everything a matter asks.
  func covers(_ matter: Matter, _ asker: Asker, _ person: Person) -> Bool {
    matter.items.allSatisfy { !grants(of: $0, matter.kind, asker, person).isEmpty }
  }

  /// The questions whose live grants cover an item.
  func grants(of item: String, _ kind: TopicKind, _ asker: Asker, _ person: Person) -> [Int] {
    questions.indices.filter { number in
      let question = questions[number]
      return question.isGrantLive && question.matter.kind == kind && question.asker == asker
        && question.person == person && question.items.contains(item)
    }
  }

  /// Whether any guardian could answer what an asker asks about a person.
  func someoneMayDecide(_ asker: Asker, _ person: Person) -> Bool {
    (guardians[person] ?? []).contains { $0 != .user(asker.uid) && $0.description != person.description }
  }

  // MARK: What is read

  /// How a question must be told at `now`.
  func decision(of number: Int, at now: Instant, forGuardians: Bool = false) -> Decision? {
    let question = questions[number]
    guard let id = question.id else { return nil }
    let state = question.seen(at: now)
    return Decision(
      question: id, topic: question.isErased ? nil : question.topic.json,
      topicKey: question.isErased ? "" : question.matter.key, state: state,
      nextAction: nextAction(after: number, at: now), ending: ending(of: question, state, forGuardians),
      successor: question.successor.flatMap { questions[$0].id })
  }

  private func ending(of question: Question, _ state: QuestionState, _ forGuardians: Bool) -> Decision.Ending? {
    guard state != .pending else { return nil }
    var ending = Decision.Ending(at: Instant(usec: question.endedAt ?? question.expiresAt))
    ending.reason = question.reason?.rawValue
    if question.isErased { ending.grant = question.grant }
    guard let choice = question.choice, let guardian = question.guardian else { return ending }
    ending.decidedBy = .guardian
    ending.choice = choice
    ending.grant = question.grant
    let isLocal = guardian != .nan
    ending.evidence = Decision.Evidence(
      guardian: forGuardians ? guardian.description : guardian.opaqueName(for: question.asker, salt: World.salt),
      channel: isLocal ? "local" : "bridge", assurance: isLocal ? "localUser" : "serviceAsserted",
      contentHash: question.contentHash, policy: "baseline/1")
    return ending
  }

  /// What its asker is told to do about a question at `now`.
  func nextAction(after number: Int, at now: Instant) -> NextAction {
    var last = number
    while let next = questions[last].successor { last = next }
    let end = questions[last]
    let again: NextAction = isCooling(last, at: now) ? .askLater : .ask
    switch end.seen(at: now) {
    case .pending: return .wait
    case .approved:
      let asksLess = questions[number].isErased || !end.items.isSuperset(of: questions[number].matter.items)
      return asksLess || end.isErased || end.hasGrant && !end.isGrantLive ? again : .proceed
    case .denied, .expired, .withdrawn, .superseded: return again
    case .moot:
      if end.reason == .adult { return end.isErased ? .ask : .proceed }
      return end.reason == .forgotten ? .ask : .askLater
    }
  }
}
