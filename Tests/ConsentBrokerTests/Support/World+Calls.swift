// SPDX-License-Identifier: Apache-2.0
//
// The calls that the tests make most, each in one line.

import ConsentBroker
import ConsentModel
import ConsentStore
import StrictJSON

extension AskRequest {
  /// Mia's chat asks about Mia, unless said otherwise.
  static func of(
    _ topic: Topic = .update(), by asker: Asker = .chat, about person: Person = .mia, key: String? = nil,
    expiresInUSec: Int64? = nil
  ) throws -> AskRequest {
    AskRequest(
      asker: asker, provenance: asker.app == nil ? .unidentified : .claimed, person: person, topic: topic,
      key: try key.map { try AskKey(parsing: $0) }, expiresInUSec: expiresInUSec, appVersion: nil)
  }
}

extension AnswerRequest {
  static func of(
    _ question: QuestionID, _ choice: String = "approve", by viewer: Viewer = .ann, contentHash: String? = nil,
    until: Instant? = nil, items: [JSONObject]? = nil, note: String? = nil
  ) -> AnswerRequest {
    AnswerRequest(
      question: question.description, choice: choice, contentHash: contentHash, until: until, items: items, note: note,
      viewer: viewer)
  }
}

extension World {
  /// Enrols a person with guardians.
  func enrol(_ person: Person = .mia, guardians: [Guardian] = [.ann]) throws {
    try run { [broker] in
      try await broker.addPerson(person, displayName: nil)
      for guardian in guardians { try await broker.addGuardian(guardian, for: person, displayName: nil) }
    }
  }

  /// A world in which Mia is enrolled with Ann as her guardian.
  static func family(
    _ guardians: [Guardian] = [.ann], isSandbox: Bool = false, coolDowns: CoolDowns? = nil
  ) throws -> World {
    let world = try World(isSandbox: isSandbox, coolDowns: coolDowns)
    try world.enrol(guardians: guardians)
    return world
  }

  /// Asks, to the end.
  func ask(_ request: AskRequest) throws -> Asked { try run { [broker] in try await broker.ask(request) } }

  /// Asks where a question stands afterwards, and gives that.
  func question(
    _ topic: Topic = .update(), by asker: Asker = .chat, about person: Person = .mia, key: String? = nil,
    expiresInUSec: Int64? = nil
  ) throws -> QuestionID {
    let request = try AskRequest.of(topic, by: asker, about: person, key: key, expiresInUSec: expiresInUSec)
    return try ask(request).standing().decision.question
  }

  /// Answers, to the end.
  @discardableResult
  func answer(_ request: AnswerRequest) throws -> Answered { try run { [broker] in try await broker.answer(request) } }

  /// Looks at a question as its asker.
  func look(_ question: QuestionID, asUID uid: UserID = 1001) throws -> Decision {
    try broker.look(at: question.description, asUID: uid)
  }

  /// Starts to wait for a question; the caller is parked when this returns, unless it has its answer.
  func wait(
    for question: QuestionID, timeoutUSec: Int64 = 60 * Span.second, asUID uid: UserID = 1001,
    as waiter: Waiter = Waiter()
  ) -> Call<Decision?> {
    let call = start { [broker] in
      try await broker.await(question.description, asUID: uid, timeoutUSec: timeoutUSec, as: waiter)
    }
    runJobs()
    return call
  }

  /// Withdraws, to the end.
  @discardableResult
  func withdraw(_ question: QuestionID, asUID uid: UserID = 1001) throws -> Decision {
    try run { [broker] in try await broker.withdraw(question.description, asUID: uid) }
  }

  /// Every event of an asker.
  func events(of asker: Asker = .chat, about person: Person? = nil, after: Int64 = 0) throws -> [AskerEvent] {
    var page = try broker.events(of: asker, about: person, after: after, limit: .max)
    var events = page.events
    while !page.events.isEmpty {
      page = try broker.events(of: asker, about: person, after: page.cursor, limit: .max)
      events += page.events
    }
    return events
  }

  /// The kinds of an asker's events about one question, in order.
  func kinds(of asker: Asker = .chat, about question: QuestionID? = nil) throws -> [AskerEvent.Kind] {
    try events(of: asker).filter { question == nil || $0.question == question }.map(\.kind)
  }

  /// The status of a topic for Mia's chat.
  func status(_ topic: Topic = .update(), by asker: Asker = .chat, about person: Person = .mia) throws -> StatusAnswer {
    try broker.status(
      StatusRequest(
        asker: asker, provenance: asker.app == nil ? .unidentified : .claimed, person: person, subject: topic.subject)
    ).answer
  }
}

extension Asked {
  /// The question that stands. Throws where there is none.
  func standing() throws -> Standing {
    guard case .question(let standing) = verdict else { throw NoQuestion(verdict: verdict) }
    return standing
  }

  struct NoQuestion: Error { let verdict: Verdict }
}

extension World {
  /// Gives a question an id that begins with `prefix`, as if chance had.
  func rename(_ question: QuestionID, to prefix: String) throws -> QuestionID {
    let text = prefix + String(repeating: "0", count: 32 - prefix.utf8.count)
    guard let id = QuestionID(text) else { throw StoreError.closed }
    try run { [store] in
      try await store.write { rows in
        guard var row = try rows.question(question.description) else { throw StoreError.closed }
        _ = try rows.endQuestion(row.id, EndingRow(state: "withdrawn", endedAt: row.askedAt), unexpiredAt: nil)
        row.id = text
        try rows.insert(row)
      }
    }
    return id
  }
}

extension QuestionRow {
  /// A question whose successor does not exist, which the store finds out when it commits.
  static let dangling = QuestionRow(
    id: String(repeating: "f", count: 32), person: "uid:1001", asker: AskerKey(uid: 1, app: ""),
    provenance: "unidentified", kind: "resource", topicKey: "resource/none", content: "{}", contentHash: "",
    decider: "guardians", timesAsked: 1, askedAt: 0, expiresAt: 1,
    ending: EndingRow(state: "superseded", endedAt: 1, successor: String(repeating: "e", count: 32)))
}

extension Broker {
  /// `Await` as the service composes it: nil where the caller left.
  func await(
    _ question: String, asUID uid: UserID, timeoutUSec: Int64, as waiter: Waiter
  ) async throws(Refusal) -> Decision? {
    let id = try look(at: question, asUID: uid).question
    guard let ended = try await wait(for: id, until: deadline(in: timeoutUSec), as: waiter) else { return nil }
    return try decision(on: ended)
  }

  /// The waiting half of `Request` as the service composes it: nil where the caller left.
  func await(
    _ asked: Asked.Standing, timeoutUSec: Int64, as waiter: Waiter
  ) async throws(Refusal) -> Asked.Standing? {
    let id = asked.decision.question
    let ended = try await wait(for: id, until: deadline(in: timeoutUSec), as: waiter, isFollowing: true)
    return try ended.map { (question) throws(Refusal) in try standing(of: question, joined: asked.joined) }
  }
}
