// SPDX-License-Identifier: Apache-2.0
//
// The event stream of an asker: what stands behind its cursor, one `ready`, then what happens; in order, without a gap
// and without a repeat, whoever was away and however the daemon ended. Rows 4, 5 and 7 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct ResponsesTests {
  @Test func `an answer given before anybody listens is replayed`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    let grant = try family.answer(question, "approve").member("decision").text("grant")
    let events = try family.responses().backlog()
    #expect(events.kinds == ["asked", "decided", "granted"])
    #expect(events.sequences == [1, 2, 3])
    #expect(events.allSatisfy { $0["question"] == .string(question) && $0["person"] == .string(Family.person) })
    #expect(events.allSatisfy { $0["topicKey"] == "resource/org.example.2.0" })
    #expect(try events[1].member("decision") == family.look(question))
    #expect(events[2]["grant"] == .string(grant))
  }

  @Test func `every way a question ends is an event of its own`() throws {
    let family = try Family()
    let day: JSONObject = ["expiresInUSec": .integer(Family.day)]
    let approved = try family.question(.own("approved"))
    let denied = try family.question(.own("denied"))
    let withdrawn = try family.question(.own("withdrawn"))
    let superseded = try family.question(.own("superseded"))
    let expired = try family.question(.own("expired"), day)
    try family.answer(approved, "approve")
    try family.answer(denied, "deny")
    try family.app.permission("Withdraw", ["question": .string(withdrawn)])
    let successor = try family.question(.own("superseded", "Other words."))
    try family.advance(2 * Family.day)
    let ends = try family.responses().backlog().filter { $0["decision"] != nil }
    let expected = [
      (approved, "decided", "approved"), (denied, "decided", "denied"), (withdrawn, "withdrawn", "withdrawn"),
      (superseded, "superseded", "superseded"), (expired, "expired", "expired"),
    ]
    #expect(ends.count == expected.count)
    for (question, event, state) in expected {
      let end = try #require(ends.first { $0["question"] == .string(question) })
      #expect(end["event"] == .string(event))
      #expect(try end.member("decision")["state"] == .string(state))
    }
    #expect(try family.look(successor)["state"] == "pending")
  }

  @Test func `each question is asked before it is decided, and counted without a gap`() throws {
    let family = try Family()
    let stream = try family.responses()
    #expect(try stream.backlog() == [])
    let callers = try (0..<20).map { try family.requester(.own("change-\($0)")) }
    for card in try family.desk.guardian("ListQuestions").list("questions").reversed() {
      try family.answer(card.text("question"), "deny")
    }
    for caller in callers { #expect(try caller.receiveAnswer()["state"] == "denied") }
    let last = try family.responses(["after": 0]).backlog()
    let live = try stream.next(last.count)
    #expect(live == last)
    #expect(live.sequences == Array(1...Int64(live.count)))
    for question in Set(live.compactMap { $0["question"]?.string }) {
      let story = live.filter { $0["question"] == .string(question) }.kinds
      #expect(story.filter { $0 != "delivered" } == ["asked", "decided"])
      #expect(story.first == "asked")
    }
  }

  @Test func `the replay meets the live events without a gap or a repeat`() throws {
    let family = try Family()
    let asker = try family.daemon.apps()
    for number in 0..<200 {
      try asker.send("\(Interface.permission).Ask", family.asking(.own("change-\(number)")))
    }
    let streams = try (0..<5).map { _ in
      _ = try asker.receiveAnswer()
      return try family.responses()
    }
    for _ in 5..<200 { _ = try asker.receiveAnswer() }
    for stream in streams {
      var sequences: [Int64] = []
      while sequences.count < 200 {
        let event = try stream.next()
        if !event.isReady { sequences.append(try event.number("sequence")) }
      }
      #expect(sequences == Array(1...200))
    }
  }

  @Test func `an acknowledged event is not given again`() throws {
    let family = try Family()
    for number in 0..<5 { try family.ask(.own("change-\(number)")) }
    #expect(try family.responses().backlog().sequences == [1, 2, 3, 4, 5])
    try family.app.permission("Acknowledge", ["sequence": 3])
    #expect(try family.responses().backlog().sequences == [4, 5])
    #expect(try family.responses(["after": 0]).backlog().sequences == [1, 2, 3, 4, 5])
    try family.app.permission("Acknowledge", ["sequence": 1])
    #expect(try family.responses().backlog().sequences == [4, 5])
  }

  @Test func `the cursor outlives a kill`() throws {
    let family = try Family()
    for number in 0..<4 { try family.ask(.own("change-\(number)")) }
    try family.app.permission("Acknowledge", ["sequence": 2])
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.responses().backlog().sequences == [3, 4])
    try family.ask(.own("one-more"))
    #expect(try family.responses().backlog().sequences == [3, 4, 5])
  }

  @Test func `two apps of one uid have counts and cursors of their own`() throws {
    let family = try Family()
    try family.ask(.own("2.0"), ["app": "org.example.Chat"])
    try family.ask(.own("2.0"), ["app": "org.example.Game"])
    try family.ask(.own("3.0"), ["app": "org.example.Game"])
    #expect(try family.responses(["app": "org.example.Chat"]).backlog().sequences == [1])
    #expect(try family.responses(["app": "org.example.Game"]).backlog().sequences == [1, 2])
    #expect(try family.responses().backlog() == [])
    try family.app.permission("Acknowledge", ["sequence": 1, "app": "org.example.Game"])
    #expect(try family.responses(["app": "org.example.Game"]).backlog().sequences == [2])
    #expect(try family.responses(["app": "org.example.Chat"]).backlog().sequences == [1])
  }

  @Test func `another app's event does not arrive`() throws {
    let family = try Family()
    let stream = try family.responses(["app": "org.example.Chat"])
    #expect(try stream.backlog() == [])
    try family.ask(.own("2.0"), ["app": "org.example.Game"])
    try family.ask(.own("3.0"), ["app": "org.example.Chat"])
    #expect(try stream.next()["topicKey"] == "resource/org.example.3.0")
  }

  @Test func `kinds filter the events and never the ready`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    let stream = try family.responses(["kinds": ["decided", "somethingNew"]])
    #expect(try stream.backlog() == [])
    try family.answer(question, "deny")
    #expect(try stream.next()["event"] == "decided")
  }

  @Test func `ready says the newest sequence`() throws {
    let family = try Family()
    try family.ask(.own("2.0"))
    try family.ask(.own("3.0"))
    let stream = try family.responses(["after": 2])
    let ready = try stream.next()
    #expect(ready["event"] == "ready")
    #expect(ready["sequence"] == 2)
    #expect(ready["question"] == nil)
  }

  @Test func `a cursor that was never reached has expired`() throws {
    let family = try Family()
    try family.ask(.own("2.0"))
    try family.ask(.own("3.0"))
    let refusal = #expect(throws: CallError.self) { try family.responses(["after": 3]).next() }
    #expect(refusal == CallError("\(Interface.permission).CursorExpired", ["oldest": 1, "newest": 2]))
  }

  @Test func `a stream wants the more flag`() throws {
    let family = try Family()
    let expected = CallError("\(Interface.service).ExpectedMore")
    #expect(throws: expected) { try family.app.permission("Responses") }
    #expect(throws: expected) { try family.desk.guardian("WatchQuestions") }
  }

  @Test func `delivered is told once, when a companion has the question`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    #expect(try family.responses().backlog().kinds == ["asked"])
    #expect(try family.watch().backlog().count == 1)
    #expect(try family.watch().backlog().count == 1)
    _ = try family.desk.guardian("ListQuestions")
    _ = try family.card(question)
    #expect(try family.ask(.own("2.0"))["reach"] == "seen")
    #expect(try family.responses().backlog().kinds == ["asked", "delivered"])
  }
}

extension [JSONObject] {
  /// The `event` of each.
  fileprivate var kinds: [String] { map { $0["event"]?.string ?? "" } }

  /// The `sequence` of each.
  fileprivate var sequences: [Int64] { map { $0["sequence"]?.integer ?? -1 } }
}
