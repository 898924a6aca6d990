// SPDX-License-Identifier: Apache-2.0
//
// What a companion owes its guardian: one entry a question, in order, and the last truth about each.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct WatcherTests {
  private let watcher = Watcher(viewer: .ann, person: nil)
  private let questions = (0..<3).map { _ in QuestionID.random() }

  @Test func `what is touched often is owed once, in the order of the first touch`() {
    for question in [1, 0, 1, 2, 0] { watcher.touch(questions[question]) }
    #expect(watcher.takeTouched(atMost: 9) == [questions[1], questions[0], questions[2]])
    #expect(watcher.takeTouched(atMost: 9) == [])
    watcher.touch(questions[0])
    #expect(watcher.takeTouched(atMost: 9) == [questions[0]])
  }

  @Test func `what is touched is taken a few at a time, and what was taken can be touched again`() {
    for question in questions { watcher.touch(question) }
    #expect(watcher.takeTouched(atMost: 2) == [questions[0], questions[1]])
    watcher.touch(questions[2])
    watcher.touch(questions[0])
    #expect(watcher.takeTouched(atMost: 2) == [questions[2], questions[0]])
    #expect(watcher.takeTouched(atMost: 2) == [])
  }

  @Test func `a touch rings`() throws {
    let world = try World()
    let call = world.start { [watcher] in await watcher.doorbell.wait() }
    world.runJobs()
    #expect(!call.isOver)
    watcher.touch(questions[0])
    world.runJobs()
    #expect(try call.get() == .rung)
  }

  @Test func `a question is added, changed as often as it likes, and removed once`() {
    #expect(change(.pending) == "added")
    #expect(change(.pending, waiters: 1) == "changed")
    #expect(change(.pending, waiters: 2) == "changed")
    #expect(change(.pending, waiters: 1) == "changed")
    #expect(change(.denied) == "removed denied")
    #expect(change(.denied) == nil)
  }

  @Test func `a question that looks as it did is not mentioned`() {
    #expect(change(.pending, waiters: 3) == "added")
    #expect(change(.pending, waiters: 3) == nil)
  }

  @Test func `a companion that goes on owes every question it was shown a look`() {
    _ = change(.pending)
    let next = Watcher(viewer: .ann, person: nil, shown: watcher.shown)
    #expect(next.takeTouched(atMost: 9) == [questions[0]])
    #expect(next.change(to: .sample(questions[0], .pending))?.word == nil)
    #expect(next.change(to: .sample(questions[0], .expired))?.word == "removed expired")
  }

  @Test func `a companion is reminded once of what it was shown`() {
    watcher.remind(of: questions[0])
    #expect(watcher.takeTouched(atMost: 9).isEmpty)
    #expect(change(.pending) == "added")
    for _ in 0..<3 { watcher.remind(of: questions[0]) }
    #expect(watcher.takeTouched(atMost: 9) == [questions[0]])
    #expect(change(.pending, waiters: 1) == "reminder")
    #expect(change(.pending, waiters: 1) == nil)
  }

  @Test func `who cannot answer is not reminded, and is told all the same what changed`() {
    #expect(change(.pending) == "added")
    watcher.remind(of: questions[0])
    #expect(change(.pending, canAnswer: false) == "changed")
    watcher.remind(of: questions[0])
    #expect(change(.pending, canAnswer: false) == nil)
    #expect(change(.pending) == "changed")
  }

  @Test func `nobody is reminded of what has ended`() {
    #expect(change(.pending) == "added")
    watcher.remind(of: questions[0])
    #expect(change(.expired) == "removed expired")
    watcher.remind(of: questions[0])
    #expect(change(.expired) == nil)
  }

  @Test func `a reminder that was not sent yet goes on with the stream`() {
    #expect(change(.pending) == "added")
    watcher.remind(of: questions[0])
    let next = Watcher(viewer: .ann, person: nil, shown: watcher.shown)
    #expect(next.takeTouched(atMost: 9) == [questions[0]])
    #expect(next.change(to: .sample(questions[0], .pending))?.word == "reminder")
    #expect(next.change(to: .sample(questions[0], .pending))?.word == nil)
  }

  @Test(arguments: QuestionState.allCases.filter(\.isTerminal))
  func `a question that ended before it was shown is not mentioned`(state: QuestionState) {
    #expect(change(state) == nil)
  }

  @Test(arguments: QuestionState.allCases.filter(\.isTerminal))
  func `the reason of a removal is the state the question ended in`(state: QuestionState) {
    #expect(change(.pending) == "added")
    #expect(change(state) == "removed \(state.rawValue)")
  }

  @Test func `one question's changes say nothing about another`() {
    #expect(change(.pending) == "added")
    #expect(change(.pending, of: 1) == "added")
    #expect(change(.approved) == "removed approved")
    #expect(change(.pending, of: 1, waiters: 1) == "changed")
  }

  private func change(_ state: QuestionState, of question: Int = 0, waiters: Int = 0, canAnswer: Bool = true) -> String?
  {
    watcher.change(to: .sample(questions[question], state, waiters: waiters, canAnswer: canAnswer))?.word
  }
}

extension CardChange {
  /// The change as one word, and why a card went.
  var word: String {
    switch self {
    case .added: "added"
    case .changed: "changed"
    case .reminder: "reminder"
    case .removed(_, let reason): "removed \(reason)"
    case .revoked: "revoked"
    case .ready: "ready"
    }
  }
}

extension Card {
  fileprivate static func sample(
    _ question: QuestionID, _ state: QuestionState, waiters: Int = 0, canAnswer: Bool = true
  ) -> Card {
    let content = Content(person: .mia, asker: .chat, provenance: .claimed, topic: .update())
    return Card(
      question: question, person: .mia, asker: .chat, provenance: .claimed, names: [:], decider: .guardians,
      topic: content.topic.json, topicKey: "significantUpdate/2.0", choices: content.choices, contentHash: content.hash,
      state: state, askedAt: ManualClock.start, expiresAt: ManualClock.start, timesAsked: 1, plan: nil,
      waiters: waiters,
      votes: Votes(have: 0, need: 1), guardians: [.ann], canAnswer: canAnswer, isDelivered: false, decision: nil)
  }
}
