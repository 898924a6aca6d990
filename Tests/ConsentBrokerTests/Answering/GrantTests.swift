// SPDX-License-Identifier: Apache-2.0
//
// What an approval gives: exactly the items asked, to exactly this asker, until the person is gone.

import ConsentStore
import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct GrantTests {
  let world: World

  init() throws {
    world = try .family()
  }

  private func approve(_ topic: Topic, _ choice: String = "approve") throws -> GrantID? {
    try world.answer(.of(world.question(topic), choice)).decision.ending?.grant
  }

  @Test func `a grant is written down with what it rests on`() throws {
    let question = try world.question(.communication(["kim", "lou"], ["message", "audioCall"]))
    let grant = try #require(try world.answer(.of(question)).decision.ending?.grant)
    let row = try #require(try world.store.read { try $0.grant(grant.description) })
    let topic = Topic.communication(["kim", "lou"])
    #expect(
      row
        == GrantRow(
          id: grant.description, person: "uid:1001", asker: AskerKey(uid: 1001, app: "org.example.Chat"),
          provenance: "claimed", topicKey: topic.key, kind: "communication", question: question.description,
          lifetime: "persistent", grantedAt: ManualClock.start.usec, guardian: "uid:1000"))
  }

  @Test func `a topic is approved where grants cover every item of it`() throws {
    _ = try approve(.communication(["kim", "lou"], ["message", "audioCall"]))
    for covered in [
      Topic.communication(["kim"], ["message"]), .communication(["lou", "kim"], ["audioCall"]),
      .communication(["kim", "lou"], ["audioCall", "message"]),
    ] {
      #expect(try world.status(covered).status == .approved)
    }
    for open in [
      Topic.communication(["max"], ["message"]), .communication(["KIM"], ["message"]),
    ] {
      #expect(try world.status(open).status == .notDetermined)
    }
    for wider in [
      Topic.communication(["kim"], ["message", "videoCall"]), .communication(["kim", "max"], ["message"]),
    ] {
      #expect(try world.status(wider).status == .limited)
      #expect(try world.status(wider).nextAction == .ask)
    }
  }

  @Test func `a grant whose time is up lets nobody go on, noticed or not`() throws {
    let question = try world.question(.communication(["kim"], ["message"]))
    let until = try #require(world.clock.now.adding(usec: Span.hour))
    try world.answer(.of(question, "approveUntil", until: until))
    #expect(try world.look(question).nextAction == .proceed)
    world.clock.pass(Span.hour)
    #expect(try world.status(.communication(["kim"], ["message"])).nextAction == .ask)
    #expect(try world.look(question).nextAction == .ask)
  }

  @Test func `several grants together cover a topic`() throws {
    let first = try approve(.communication(["kim"], ["message"]))
    _ = try approve(.communication(["lou"], ["message"]))
    let asked = try world.ask(.of(.communication(["kim", "lou"], ["message"])))
    #expect(asked.verdict == .granted(try #require(first)))
  }

  @Test func `a denial takes nothing of an earlier grant away`() throws {
    _ = try approve(.communication(["kim"], ["message"]))
    _ = try approve(.communication(["kim"], ["message", "videoCall"]), "deny")
    #expect(try world.status(.communication(["kim"], ["message"])).status == .approved)
    #expect(try world.status(.communication(["kim"], ["message", "videoCall"])).status == .limited)
  }

  @Test func `a grant is one asker's, for one person, of one kind`() throws {
    try world.enrol(.leo)
    _ = try approve(.resource("org.example.voice"))
    #expect(try world.status(.resource("org.example.voice"), by: .game).status == .notDetermined)
    #expect(try world.status(.resource("org.example.voice"), by: .nameless).status == .notDetermined)
    #expect(try world.status(.resource("org.example.voice"), about: .leo).status == .notDetermined)
    #expect(try world.status(.update("org.example.voice")).status == .notDetermined)
    #expect(try world.status(.resource("org.example.voices")).status == .notDetermined)
  }

  @Test func `a yes for this once approves its question and keeps no grant`() throws {
    let question = try world.question(.resource())
    let decision = try world.answer(.of(question, "approveOnce")).decision
    #expect(decision.state == .approved)
    #expect(decision.nextAction == .proceed)
    #expect(decision.ending?.choice == "approveOnce")
    #expect(decision.ending?.grant == nil)
    #expect(try world.kinds() == [.asked, .decided])
    #expect(try world.store.read { try $0.liveGrants(of: "uid:1001") } == [])
    #expect(try world.status(.resource()) == StatusAnswer(status: .notDetermined, nextAction: .ask, question: question))
    #expect(try world.question(.resource()) != question)
  }

  @Test func `a grant ends with the person and does not come back`() throws {
    let grant = try #require(try approve(.resource()))
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    #expect(try world.kinds() == [.asked, .decided, .granted, .grantEnded])
    #expect(try world.events().last?.grant == grant)
    let row = try #require(try world.store.read { try $0.grant(grant.description) })
    #expect(row.endedReason == "personRemoved")
    let question = try #require(row.question.flatMap(QuestionID.init))
    #expect(try world.look(question).state == .approved)
    #expect(try world.look(question).nextAction == .ask)
    try world.enrol()
    #expect(try world.status(.resource()).status == .notDetermined)
    #expect(try world.ask(.of(.resource())).standing().decision.state == .pending)
  }
}
