// SPDX-License-Identifier: Apache-2.0
//
// Answering: the first valid answer ends a question once, for everybody, and nothing else is an answer.

import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct AnsweringTests {
  let world: World
  let question: QuestionID

  init() throws {
    world = try .family([.ann, .bob, .nan])
    question = try world.question()
  }

  private func isUntouched() throws -> Bool {
    let rows = try world.store.read { try $0.answers(question: question.description) }
    return try world.look(question).state == .pending && rows.isEmpty && world.kinds() == [.asked]
  }

  @Test func `an approval ends the question and grants what was asked`() throws {
    world.clock.pass(5)
    let answered = try world.answer(.of(question))
    let ending = try #require(answered.decision.ending)
    #expect(answered.decision.state == .approved)
    #expect(answered.decision.nextAction == .proceed)
    #expect(answered.votes == Votes(have: 1, need: 1))
    #expect(ending.at == world.clock.now)
    #expect(ending.decidedBy == .guardian)
    #expect(ending.choice == "approve")
    #expect(!ending.isSynthetic)
    let grant = try #require(ending.grant)
    #expect(
      try world.status() == StatusAnswer(status: .approved, nextAction: .proceed, question: question, grant: grant))
    let events = try world.events()
    #expect(events.map(\.kind) == [.asked, .decided, .granted])
    #expect(events.map(\.sequence) == [1, 2, 3])
    #expect(events.map { $0.decision?.state } == [nil, .approved, nil])
    #expect(events.map(\.grant) == [nil, nil, grant])
  }

  @Test func `a denial ends the question and grants nothing`() throws {
    let answered = try world.answer(.of(question, "deny"))
    #expect(answered.decision.state == .denied)
    #expect(answered.decision.nextAction == .ask)
    #expect(answered.decision.ending?.grant == nil)
    #expect(answered.votes == Votes(have: 0, need: 1))
    #expect(try world.kinds() == [.asked, .decided])
    #expect(try world.status() == StatusAnswer(status: .denied, nextAction: .ask, question: question))
  }

  @Test func `an answer is on disk before anybody is told`() throws {
    let waiting = world.wait(for: question)
    let watcher = world.broker.watch(for: .bob, person: nil)
    let call = world.start { [world, question] in try await world.broker.answer(.of(question)) }
    world.runJobs()
    #expect(try world.afterCrash().look(question).state == .pending)
    world.commit()
    world.runJobs()
    #expect(!call.isOver && !waiting.isOver)
    #expect(watcher.takeTouched(atMost: 9) == [])
    #expect(try world.afterCrash().look(question).state == .approved)
    world.settle()
    #expect(try waiting.get()?.state == .approved)
    #expect(watcher.takeTouched(atMost: 9) == [question])
    #expect(call.endings == 1)
  }

  @Test func `the guardian is plain to guardians and opaque to the asker`() throws {
    let answered = try world.answer(.of(question))
    let evidence = try #require(answered.decision.ending?.evidence)
    #expect(evidence.guardian == "uid:1000")
    #expect(evidence.channel == "local")
    #expect(evidence.assurance == "localUser")
    #expect(evidence.policy == "baseline/1")
    #expect(evidence.contentHash == Content(person: .mia, asker: .chat, provenance: .claimed, topic: .update()).hash)

    var opaque = evidence
    opaque.guardian = Guardian.ann.opaqueName(for: .chat, salt: World.salt)
    #expect(try world.look(question).ending?.evidence == opaque)
    #expect(try world.events().first { $0.kind == .decided }?.decision?.ending?.evidence == opaque)
    #expect(try world.wait(for: question).get()?.ending?.evidence == opaque)
    #expect(try world.withdraw(question).ending?.evidence == opaque)
    #expect(try world.ask(.of(.resource())).standing().decision.ending == nil)
    #expect(!opaque.guardian.contains("1000"))
  }

  @Test func `a contact's answer comes by a bridge`() throws {
    let evidence = try #require(try world.answer(.of(question, by: .nan)).decision.ending?.evidence)
    #expect(evidence.guardian == "contact:org.example.Chat/nan")
    #expect(evidence.channel == "bridge")
    #expect(evidence.assurance == "serviceAsserted")
  }

  @Test func `two askers cannot tell whether it was the same guardian`() throws {
    try world.answer(.of(question))
    let other = try world.question(by: .game)
    try world.answer(.of(other))
    let names = try [question, other].map { try world.look($0).ending?.evidence?.guardian }
    #expect(names[0] != names[1])
  }

  @Test func `the same guardian has the same opaque name, and another another`() throws {
    try world.answer(.of(question))
    let second = try world.question(.resource())
    try world.answer(.of(second, "deny"))
    let third = try world.question(.communication())
    try world.answer(.of(third, by: .bob))
    let names = try [question, second, third].map { try world.look($0).ending?.evidence?.guardian }
    #expect(names[0] == names[1])
    #expect(names[0] != names[2])
  }

  @Test(arguments: ["approve", "deny"], ["approve", "deny"])
  func `the first answer wins and the second is told how it ended`(first: String, second: String) throws {
    let decision = try world.answer(.of(question, first)).decision
    world.clock.pass(9)
    #expect(throws: Refusal.alreadyDecided(state: decision.state, decidedAt: ManualClock.start)) {
      try world.answer(.of(question, second, by: .bob))
    }
    #expect(try world.look(question).state == decision.state)
    #expect(try world.kinds().count { $0 == .decided } == 1)
  }

  @Test func `a changed mind is no answer`() throws {
    try world.answer(.of(question, "approve"))
    #expect(throws: Refusal.alreadyDecided(state: .approved, decidedAt: ManualClock.start)) {
      try world.answer(.of(question, "deny"))
    }
    #expect(try world.status().status == .approved)
  }

  @Test(arguments: ["approve", "deny"])
  func `an exact retry has the same decision and no second effect`(choice: String) throws {
    let waiting = world.wait(for: question)
    let first = try world.answer(.of(question, choice))
    #expect(first.waitersResumed == 1)
    world.clock.pass(Span.day)
    let again = try world.answer(.of(question, choice))
    #expect(again == Answered(decision: first.decision, waitersResumed: 0, votes: first.votes))
    #expect(try world.kinds().count { $0 == .decided } == 1)
    #expect(try world.kinds().count { $0 == .granted } == (choice == "approve" ? 1 : 0))
    #expect(waiting.endings == 1)
  }

  @Test(arguments: ["", "Approve", "approve ", "approveOnce", "approveUntil", "yes", "deny\u{301}"])
  func `a choice that was not offered is neither a yes nor a no`(choice: String) throws {
    let rule = "one of those offered: approve, deny"
    #expect(throws: Refusal.invalidValue(field: "choice", rule: rule)) { try world.answer(.of(question, choice)) }
    #expect(try isUntouched())
  }

  @Test func `an answer to other content is refused, and to this content counts`() throws {
    let hash = Content(person: .mia, asker: .chat, provenance: .claimed, topic: .update()).hash
    let other = Content(person: .mia, asker: .chat, provenance: .registered, topic: .update()).hash
    for wrong in [other, hash.uppercased(), ""] {
      #expect(throws: Refusal.contentChanged(contentHash: hash)) {
        try world.answer(.of(question, contentHash: wrong))
      }
    }
    #expect(try isUntouched())
    #expect(try world.answer(.of(question, contentHash: hash)).decision.state == .approved)
  }

  @Test func `what no choice offers cannot be answered`() throws {
    #expect(throws: Refusal.self) { try world.answer(.of(question, until: ManualClock.start)) }
    #expect(throws: Refusal.self) { try world.answer(.of(question, items: [])) }
    #expect(throws: Refusal.self) { try world.answer(.of(question, items: [["change": "2.1"]])) }
    #expect(try isUntouched())
    #expect(try world.answer(.of(question, items: [["change": "2.0"]])).decision.state == .approved)
  }

  @Test(arguments: [Viewer.stranger, .mia, Viewer(peer: 0, role: .guardian(.user(0)))])
  func `who is no guardian of the person does not even learn that there is a question`(viewer: Viewer) throws {
    #expect(throws: Refusal.unknownQuestion(question.description)) { try world.answer(.of(question, by: viewer)) }
    #expect(try isUntouched())
  }

  @Test func `the bridge that asked does not answer for its contacts`() throws {
    let asked = try world.question(.resource(), by: Asker(uid: 990, app: .chat))
    #expect(throws: Refusal.notPermitted(reason: "sameAsker")) { try world.answer(.of(asked, by: .nan)) }
    #expect(try world.look(asked, asUID: 990).state == .pending)
  }

  @Test func `two guardians at once: one of them decides`() throws {
    let waiting = world.wait(for: question)
    let calls = [
      AnswerRequest.of(question, "deny", by: .bob), .of(question, "approve"), .of(question, "deny", by: .nan),
    ]
    .map { request in world.start { [world] in try await world.broker.answer(request) } }
    world.settle()
    #expect(try calls[0].get().decision.state == .denied)
    #expect(try calls[0].get().waitersResumed == 1)
    for loser in calls.dropFirst() {
      #expect(throws: Refusal.alreadyDecided(state: .denied, decidedAt: ManualClock.start)) { try loser.get() }
    }
    #expect(try waiting.get()?.state == .denied)
    #expect(try world.kinds() == [.asked, .decided])
    #expect(try world.status().grant == nil)
  }

  @Test func `a double click is one answer`() throws {
    let calls = (0..<2).map { _ in world.start { [world, question] in try await world.broker.answer(.of(question)) } }
    world.settle()
    #expect(try calls[0].get().decision == calls[1].get().decision)
    #expect(try world.kinds() == [.asked, .decided, .granted])
  }

  @Test func `an answer after the deadline is no answer and ends the question`() throws {
    let short = try world.question(.resource(), expiresInUSec: Span.hour)
    let waiting = world.wait(for: short)
    world.clock.pass(Span.hour)
    let deadline = world.clock.now
    world.clock.pass(Span.day)
    for _ in 0..<2 {
      #expect(throws: Refusal.alreadyDecided(state: .expired, decidedAt: deadline)) { try world.answer(.of(short)) }
    }
    #expect(try waiting.get()?.state == .expired)
    #expect(try world.kinds(about: short) == [.asked, .expired])
    #expect(try world.status(.resource()).grant == nil)
  }

  @Test func `an answer in the last microsecond counts`() throws {
    let short = try world.question(.resource(), expiresInUSec: Span.hour)
    world.clock.pass(Span.hour - 1)
    #expect(try world.answer(.of(short)).decision.state == .approved)
  }

  @Test func `an answer is kept with what the guardian added`() throws {
    try world.answer(.of(question, "deny", note: "too early"))
    let rows = try world.store.read { try $0.answers(question: question.description) }
    #expect(
      rows == [
        AnswerRow(
          question: question.description, guardian: "uid:1000", choice: "deny", note: "too early",
          answeredAt: ManualClock.start.usec)
      ])
  }

  @Test func `a question is answered by a prefix among those the guardian may see`() throws {
    try world.enrol(.leo, guardians: [.ann])
    _ = try world.rename(try world.question(about: .leo), to: "abcd1")
    let mine = try world.rename(question, to: "abcd2")
    let prefix = AnswerRequest(
      question: "abcd", choice: "deny", contentHash: nil, until: nil, items: nil, note: nil, viewer: .bob)
    #expect(try world.answer(prefix).decision.question == mine)
    let ambiguous = AnswerRequest(
      question: "abcd", choice: "deny", contentHash: nil, until: nil, items: nil, note: nil, viewer: .ann)
    #expect(throws: Refusal.unknownQuestion("abcd")) { try world.answer(ambiguous) }
  }

  @Test func `a guardian who was removed answers no more, and the others still do`() throws {
    try world.run { [world] in try await world.broker.removeGuardian(.ann, of: .mia) }
    #expect(throws: Refusal.unknownQuestion(question.description)) { try world.answer(.of(question)) }
    #expect(try world.answer(.of(question, by: .bob)).decision.state == .approved)
  }
}
