// SPDX-License-Identifier: Apache-2.0
//
// What a guardian may read: what is about their own persons, in order, page by page; and of refused answers those that
// tell something, once.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct HistoryTests {
  let world: World

  /// Ann is Mia's guardian and Leo's, Bob is Leo's alone, Nan is Kim's.
  init() throws {
    world = try .family()
    try world.enrol(.leo, guardians: [.ann, .bob])
    try world.enrol(.kim, guardians: [.nan])
    try world.answer(.of(world.question()))
    try world.answer(.of(world.question(by: .game), "deny"))
  }

  private func persons(of viewer: Viewer, person: Person? = nil, app: AppID? = nil) throws -> [Person?] {
    try world.broker.history(for: viewer, person: person, app: app, after: nil, limit: 100).entries.map(\.person)
  }

  @Test func `everybody reads of their own persons and of nobody else`() throws {
    #expect(Set(try persons(of: .ann)) == [.mia, .leo])
    #expect(Set(try persons(of: .bob)) == [.leo])
    #expect(Set(try persons(of: .nan)) == [.kim])
    #expect(Set(try persons(of: .bridge)) == [.kim])
    for viewer in [Viewer.stranger, .mia] { #expect(try persons(of: viewer).isEmpty) }
  }

  @Test func `one person and one app can be picked out`() throws {
    #expect(Set(try persons(of: .ann, person: .leo)) == [.leo])
    let entries = try world.broker.history(for: .ann, person: nil, app: .game, after: nil, limit: 100).entries
    #expect(entries.map(\.kind) == ["decision"] && entries[0].app == .game)
    #expect(try persons(of: .ann, person: .leo, app: .game).isEmpty)
  }

  @Test func `who is no longer a guardian reads nothing any more`() throws {
    try world.run { [broker = world.broker] in try await broker.removeGuardian(.bob, of: .leo) }
    #expect(try persons(of: .bob).isEmpty)
    #expect(throws: Refusal.self) { try world.broker.requireSight(of: .leo, for: .bob) }
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `pages neither skip nor repeat`(limit: Int) throws {
    for viewer in [Viewer.ann, .tester] {
      var (read, place): ([Int64], Int64?) = ([], nil)
      repeat {
        let page = try world.broker.history(for: viewer, person: nil, app: nil, after: place, limit: limit)
        #expect(page.entries.count <= limit)
        read += page.entries.map(\.sequence)
        place = page.next
      } while place != nil
      let whole = try world.broker.history(for: viewer, person: nil, app: nil, after: nil, limit: .max - 1)
      #expect(read == whole.entries.map(\.sequence) && read == read.sorted() && read.count > 7)
    }
  }

  @Test func `who answers for very many says which one`() throws {
    for number in 0..<300 {
      try world.enrol(.account(app: .chat, opaque: "\(number)"), guardians: [.nan])
    }
    let refusal = #expect(throws: Refusal.self) { try persons(of: .bridge) }
    #expect("\(String(describing: refusal))".contains("more than 256"))
    #expect(Set(try persons(of: .bridge, person: .kim)) == [.kim])
  }

  // MARK: Refused answers

  private func refuse(_ refusal: Refusal, _ question: QuestionID, by peer: UserID) throws {
    try world.run { [broker = world.broker] in
      await broker.note(
        refusal, of: RefusedAnswer(peer: peer, question: question.description, choice: "approve", guardian: .ann))
    }
  }

  @Test func `an answer that smells of forgery is noted once an hour for each user and smell`() throws {
    let question = try world.question(.resource())
    let smells: [Refusal] = [
      .notPermitted(reason: "notGuardian"), .unknownQuestion(question.description), .contentChanged(contentHash: "0"),
    ]
    for _ in 0..<3 {
      for smell in smells { for peer: UserID in [1001, 1009] { try refuse(smell, question, by: peer) } }
    }
    let noted = try world.audit().filter { $0.kind == "refusedAnswer" }
    #expect(noted.count == 6)
    #expect(
      noted.first?.facts == [
        "by": "uid:1001", "choice": "approve", "guardian": "uid:1000", "reason": "notPermitted",
        "question": .string(question.description), "topicKey": "resource/org.example.screenTime",
        "contentHash": noted[0].facts["contentHash"] ?? .null,
      ])
    #expect(noted.allSatisfy { $0.person == .mia })
    world.clock.pass(Span.hour)
    try refuse(smells[0], question, by: 1001)
    #expect(try world.auditKinds().filter { $0 == "refusedAnswer" }.count == 7)
  }

  @Test func `an answer that came too late is noted once for each question`() throws {
    let questions = [try world.question(.resource()), try world.question(.update("9"))]
    for question in questions { try world.answer(.of(question, "deny")) }
    for _ in 0..<3 {
      for question in questions {
        let late = Refusal.alreadyDecided(state: .denied, decidedAt: world.clock.now)
        try refuse(late, question, by: 1000)
      }
    }
    #expect(try world.auditKinds().filter { $0 == "lateAnswer" }.count == 2)
  }

  @Test func `other refusals and unknown ids are not evidence`() throws {
    let question = try world.question(.resource())
    let before = try world.auditKinds()
    try refuse(.invalidValue(field: "choice", rule: ""), question, by: 1000)
    try refuse(.notAvailable(reason: .storage, retryable: true), question, by: 1000)
    try refuse(.unknownQuestion(""), .random(), by: 1009)
    #expect(try world.auditKinds() == before)
  }

  @Test func `what is remembered of notes is bounded, and gone after an hour`() {
    var notes = RefusalNotes()
    let admitted = (0..<5_000).count { notes.admits(UserID($0), "m", atBootUSec: 0) }
    #expect(admitted == 4_096)
    let isAdmittedAgain = notes.admits(0, "m", atBootUSec: Span.hour - 1)
    let isAdmittedLater = notes.admits(4_999, "m", atBootUSec: Span.hour)
    #expect(!isAdmittedAgain && isAdmittedLater)
  }
}
