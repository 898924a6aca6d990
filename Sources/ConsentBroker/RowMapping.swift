// SPDX-License-Identifier: Apache-2.0
//
// The store's rows become the model's words here, and the other way round, and nowhere else.
//
// A row that does not read is a damaged store, never a default: no state, age or grant is guessed.

import ConsentModel
import ConsentStore
import StrictJSON

/// Who reads a decision: guardians are told which of them answered, apps only whether it was the same as before.
enum DecisionReader {
  case asker
  case guardians
}

extension QuestionRow {
  var identity: QuestionID { get throws { try QuestionID(stored: id) } }
  var about: Person { get throws { try Person(stored: person) } }
  var questionState: QuestionState { get throws { try QuestionState(stored: state) } }
  var isPending: Bool { ending == nil }

  /// How far the question has come on its way.
  var reach: Reach { seenAt != nil ? .seen : deliveredAt != nil ? .delivered : .none }

  /// What was asked; `nil` where it was erased.
  var topic: JSONObject? { get throws { erasedAt == nil ? try storedContent.topic.json : nil } }

  /// What was asked and the answers offered, as they were hashed. Not of an erased question.
  var storedContent: Content {
    get throws {
      do {
        return try Content(json: try JSONObject(parsing: Array(content.utf8)))
      } catch {
        throw StoreError.damaged(detail: "the content of question \(id) does not read")
      }
    }
  }

  /// How far the question has come in its life.
  var progress: QuestionProgress {
    get throws {
      guard let ending else { return .open(expiresAt: Instant(usec: expiresAt)) }
      return .ended(
        try questionState, at: Instant(usec: ending.endedAt),
        guardian: try ending.guardian.map { try Guardian(stored: $0) })
    }
  }

  /// How the question stands or ended at `now`.
  func decision(
    _ rules: BrokerRules, in rows: any StoreReader, at now: Instant, for reader: DecisionReader = .asker
  ) throws -> Decision {
    let state = try state(at: now)
    return Decision(
      question: try identity, topic: try topic, topicKey: topicKey, state: state,
      nextAction: try nextAction(rules, in: rows, at: now),
      ending: try ending.map { try $0.decision(of: self, rules, for: reader) }
        ?? (state == .expired ? Decision.Ending(at: Instant(usec: expiresAt)) : nil),
      successor: try ending?.successor.map { try QuestionID(stored: $0) })
  }

  /// How the question stands at `now`, as who asked finds it.
  func standing(
    joined: Bool, _ rules: BrokerRules, in rows: any StoreReader, at now: Instant
  ) throws -> Asked.Standing {
    Asked.Standing(
      decision: try decision(rules, in: rows, at: now), joined: joined, expiresAt: Instant(usec: expiresAt),
      reach: reach)
  }

  /// The state at `now`: one past its deadline has expired, written down or not.
  func state(at now: Instant) throws -> QuestionState {
    try questionState.seen(at: now, expiresAt: Instant(usec: expiresAt))
  }

  /// What its app does now. What let it go on and is over lets it ask again.
  private func nextAction(_ rules: BrokerRules, in rows: any StoreReader, at now: Instant) throws -> NextAction {
    let successor = try lastSuccessor(in: rows)
    let last = successor ?? self
    let isCooling = try last.isCooling(rules, in: rows, at: now)
    if try last.hasLostForce(in: rows, at: now) { return isCooling ? .askLater : .ask }
    let reason = try last.questionState == .approved && !last.asks(allOf: self) ? .narrowed : last.reason
    return .after(
      try state(at: now), reason: reason, successor: try successor?.state(at: now), isCooling: isCooling)
  }

  /// Whether the question asks what `other` was asked for: a yes to less is none. Of an erased one nobody knows.
  private func asks(allOf other: QuestionRow) throws -> Bool {
    try id == other.id || other.erasedAt == nil && asks(other.storedContent.topic.subject)
  }

  /// Why the question ended, where there is more to say than its state.
  private var reason: Reason? { ending?.reason.flatMap(Reason.init(rawValue:)) }

  /// Whether the question let its app go on and that is over: the grant has ended or its time is up, written down or
  /// not, or what it was about was erased.
  private func hasLostForce(in rows: any StoreReader, at now: Instant) throws -> Bool {
    if erasedAt != nil, NextAction.after(try questionState, reason: reason) == .proceed { return true }
    guard let grant = try ending?.grant.flatMap({ try rows.grant($0) }) else { return false }
    return grant.endedAt != nil || grant.expiresAt.map { $0 <= now.usec } == true
  }

  /// The last question that took this one's place.
  func lastSuccessor(in rows: any StoreReader) throws -> QuestionRow? {
    var last: QuestionRow?
    var next = ending?.successor
    var seen: Set<String> = [id]
    while let id = next, seen.insert(id).inserted, let row = try rows.question(id) {
      last = row
      next = row.ending?.successor
    }
    return last
  }

  /// The card of this question for one viewer; of an erased one, as much as takes it off a companion's list.
  func card(
    _ rules: BrokerRules, waiters: Int, guardians: [Guardian], canAnswer: Bool, votes: Votes,
    decision: Decision?
  ) throws -> Card {
    let content = erasedAt == nil ? try storedContent : nil
    guard let decider = Decider(rawValue: decider), let provenance = Provenance(rawValue: provenance) else {
      throw StoreError.damaged(detail: "the decider or provenance of question \(id) does not read")
    }
    let asker = try Asker(asker)
    let names = provenance == .registered ? asker.app.flatMap { rules.apps.entry($0) }?.names : nil
    return Card(
      question: try identity, person: try about, asker: asker, provenance: provenance, names: names ?? [:],
      decider: decider, topic: content?.topic.json ?? ["kind": .string(kind)], topicKey: topicKey,
      choices: content?.choices ?? [], contentHash: contentHash,
      state: try questionState, askedAt: Instant(usec: askedAt), expiresAt: Instant(usec: expiresAt),
      timesAsked: timesAsked, plan: plan, waiters: waiters, votes: votes, guardians: guardians,
      canAnswer: canAnswer, isDelivered: deliveredAt != nil, decision: decision)
  }
}

extension EndingRow {
  /// A question whose time was up: it ended at its deadline, whenever somebody noticed.
  static func expired(_ question: QuestionRow) -> EndingRow {
    EndingRow(plain: .expired, at: Instant(usec: question.expiresAt))
  }

  /// A question its asker took back.
  static func withdrawn(at now: Instant) -> EndingRow { EndingRow(plain: .withdrawn, at: now) }

  /// A question that concerns nobody any more.
  static func moot(at now: Instant, reason: String) -> EndingRow { EndingRow(plain: .moot, at: now, reason: reason) }

  /// A question whose place another took.
  static func superseded(by successor: QuestionID, at now: Instant) -> EndingRow {
    EndingRow(plain: .superseded, at: now, successor: successor)
  }

  private init(plain state: QuestionState, at now: Instant, reason: String? = nil, successor: QuestionID? = nil) {
    self.init(state: state.rawValue, endedAt: now.usec, reason: reason, successor: successor?.description)
  }

  fileprivate func decision(
    of question: QuestionRow, _ rules: BrokerRules, for reader: DecisionReader
  ) throws -> Decision.Ending {
    Decision.Ending(
      at: Instant(usec: endedAt), decidedBy: decidedBy.flatMap(DecidedBy.init(rawValue:)), choice: choice,
      reason: reason, grant: try grant.map { try GrantID(stored: $0) },
      evidence: try guardian.map { guardian in
        Decision.Evidence(
          guardian: reader == .guardians
            ? guardian
            : try Guardian(stored: guardian).opaqueName(for: try Asker(question.asker), salt: rules.salt),
          channel: channel ?? "",
          assurance: assurance ?? "", contentHash: question.contentHash, policy: policy ?? "")
      },
      isSynthetic: synthetic)
  }
}

extension EndedQuestion {
  init(_ question: QuestionRow, _ ending: EndingRow) throws {
    self.init(
      question: try question.identity, person: question.person, asker: try Asker(question.asker),
      topicKind: question.kind, state: try QuestionState(stored: ending.state), decidedBy: ending.decidedBy,
      reason: ending.reason)
  }
}

extension EventRow {
  /// The event as the asker reads it: what it is about is looked up, how a question ended never changes.
  func event(
    about row: QuestionRow?, _ rules: BrokerRules, in rows: any StoreReader, at now: Instant
  ) throws -> AskerEvent {
    guard let kind = AskerEvent.Kind(rawValue: event) else {
      throw StoreError.damaged(detail: "the kind of an event does not read: \(event)")
    }
    let ends = row.flatMap { QuestionState(rawValue: $0.state)?.arrival } == kind
    return AskerEvent(
      sequence: sequence, kind: kind, person: try Person(stored: person), topic: try row?.topic,
      topicKey: topicKey, question: try row?.identity,
      decision: ends ? try row?.decision(rules, in: rows, at: now) : nil,
      grant: try grant.map { try GrantID(stored: $0) }, at: Instant(usec: at))
  }
}

extension Declaration {
  /// A declaration as stored; `nil`, which never widens anything, where it does not read.
  init?(row: DeclarationRow) {
    self.init(
      source: row.source, assurance: row.assurance, declaredBy: row.declaredBy, birthDate: row.birthDate,
      lowerBound: row.lowerBound.map(Int64.init), upperBound: row.upperBound.map(Int64.init),
      asOfDate: row.asOfDate, declaredAt: Instant(usec: row.declaredAt))
  }
}

extension DeclarationRow {
  init(
    _ age: DeclaredAge, of person: Person, as source: DeclarationSource, _ name: String, assurance: Assurance,
    id: DeclarationID, at now: Instant
  ) {
    self.init(
      id: id.description, person: person.description, source: source.rawValue, assurance: assurance.rawValue,
      declaredBy: name, declaredAt: now.usec)
    switch age {
    case .born(let date): birthDate = date.description
    case .bounds(let lower, let upper, let date):
      lowerBound = lower
      upperBound = upper
      asOfDate = date.description
    }
  }
}

extension AskerKey {
  init(_ asker: Asker) { self.init(uid: asker.uid, app: asker.app?.text ?? "") }
}

extension Asker {
  init(_ key: AskerKey) throws {
    do {
      self.init(uid: key.uid, app: key.app.isEmpty ? nil : try AppID(parsing: key.app))
    } catch {
      throw StoreError.damaged(detail: "the app id of an asker does not read")
    }
  }
}

extension Identifier {
  init(stored text: String) throws {
    guard let known = Identifier(text) else { throw StoreError.damaged(detail: "an id does not read: \(text)") }
    self = known
  }
}

extension QuestionState {
  init(stored text: String) throws {
    guard let known = QuestionState(rawValue: text) else {
      throw StoreError.damaged(detail: "a state does not read: \(text)")
    }
    self = known
  }
}

extension Person {
  init(stored text: String) throws {
    do { self = try Person(parsing: text) } catch {
      throw StoreError.damaged(detail: "a person does not read: \(text)")
    }
  }
}

extension Guardian {
  init(stored text: String) throws {
    do { self = try Guardian(parsing: text) } catch {
      throw StoreError.damaged(detail: "a guardian does not read: \(text)")
    }
  }
}
