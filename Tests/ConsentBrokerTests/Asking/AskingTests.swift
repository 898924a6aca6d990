// SPDX-License-Identifier: Apache-2.0
//
// Asking: one question for all who ask the same, or the reason why nobody is asked.

import ConsentModel
import ConsentStore
import TestSupport
import Testing

@testable import ConsentBroker

@Suite struct AskingTests {
  @Test func `a question is on disk before its asker is told`() throws {
    let world = try World.family()
    let request = try AskRequest.of()
    let call = world.start { try await world.broker.ask(request) }
    world.runJobs()
    #expect(try world.store.read { try $0.counts().openQuestions } == 0)
    world.commit()
    world.runJobs()
    #expect(!call.isOver)
    #expect(try world.afterCrash().broker.statistics().openQuestions == 1)
    #expect(world.deliver())
    world.runJobs()
    #expect(try call.get().standing().decision.state == .pending)
  }

  @Test func `a new question has the content that was asked, and is told as it stands`() throws {
    let world = try World.family()
    let request = AskRequest(
      asker: .chat, provenance: .registered, person: .mia, topic: .update(), key: nil,
      expiresInUSec: 2 * Span.day, appVersion: "1.9")
    let asked = try world.ask(request)
    let standing = try asked.standing()
    #expect(asked.topicKey == "significantUpdate/2.0")
    #expect(!standing.joined)
    #expect(standing.reach == .none)
    #expect(standing.expiresAt == ManualClock.start.adding(usec: 2 * Span.day))
    #expect(standing.decision.nextAction == .wait)
    #expect(standing.decision.ending == nil)
    #expect(standing.decision.topic == Topic.update().json)

    let row = try #require(try world.store.read { try $0.question(standing.decision.question.description) })
    let content = Content(person: .mia, asker: .chat, provenance: .registered, topic: .update())
    #expect(row.content == String(decoding: content.bytes, as: UTF8.self))
    #expect(row.contentHash == content.hash)
    #expect(row.provenance == "registered")
    #expect(row.kind == "significantUpdate")
    #expect(row.decider == "guardians")
    #expect(row.appVersion == "1.9")
    #expect(row.timesAsked == 1)
    #expect(row.askedAt == ManualClock.start.usec)
  }

  @Test func `a question stays open for thirty days where nobody says otherwise`() throws {
    let world = try World.family()
    let standing = try world.ask(.of()).standing()
    #expect(standing.expiresAt == ManualClock.start.adding(usec: 30 * Span.day))
  }

  @Test func `an ask is the first thing its asker reads about a question`() throws {
    let world = try World.family()
    let question = try world.question()
    let events = try world.events()
    #expect(events.map(\.kind) == [.asked])
    let event = try #require(events.first)
    #expect(event.sequence == 1)
    #expect(event.question == question)
    #expect(event.person == .mia)
    #expect(event.topicKey == "significantUpdate/2.0")
    #expect(event.topic == Topic.update().json)
    #expect(event.at == ManualClock.start)
    #expect(event.decision == nil)
  }

  @Test func `who asks the same joins the open question`() throws {
    let world = try World.family()
    let question = try world.question()
    world.clock.pass(Span.hour)
    let second = try world.ask(.of()).standing()
    #expect(second.joined)
    #expect(second.decision.question == question)
    #expect(try world.kinds() == [.asked])
  }

  @Test func `a hundred who ask the same at once get one question`() throws {
    let world = try World.family()
    let watcher = world.broker.watch(for: .ann, person: nil)
    let request = try AskRequest.of()
    let calls = (0..<100).map { _ in world.start { try await world.broker.ask(request) } }
    world.settle()
    let standings = try calls.map { try $0.get().standing() }
    #expect(Set(standings.map(\.decision.question)).count == 1)
    #expect(standings.count { !$0.joined } == 1)
    #expect(try world.kinds() == [.asked])
    #expect(try world.broker.changes(for: watcher)?.map(\.word) == ["added"])
    #expect(watcher.takeTouched(atMost: 9) == [])
  }

  @Test func `a joined ask keeps the later deadline`() throws {
    let world = try World.family()
    let question = try world.question(expiresInUSec: 2 * Span.day)
    #expect(
      try world.ask(.of(expiresInUSec: Span.day)).standing().expiresAt.usec == ManualClock.start.usec + 2 * Span.day)
    #expect(
      try world.ask(.of(expiresInUSec: 3 * Span.day)).standing().expiresAt.usec == ManualClock.start.usec + 3 * Span.day
    )
    world.clock.pass(2 * Span.day)
    try world.run { try await world.broker.expireDue() }
    #expect(try world.look(question).state == .pending)
    #expect(world.broker.alarm.question == ManualClock.start.adding(usec: 3 * Span.day))
  }

  @Test func `another app, person, uid or topic makes another question`() throws {
    let world = try World.family()
    try world.enrol(.leo)
    let questions = [
      try world.question(), try world.question(by: .game), try world.question(by: .nameless),
      try world.question(about: .leo), try world.question(by: Asker(uid: 1005, app: .chat)),
      try world.question(.resource("org.example.books")), try world.question(.resource()), try world.question(.communication()),
      try world.question(.communication(["kim", "lou"])),
    ]
    #expect(Set(questions).count == questions.count)
    #expect(try world.broker.statistics().openQuestions == questions.count)
  }

  @Test func `the order of people is no other topic`() throws {
    let world = try World.family()
    #expect(try world.question(.communication(["kim", "lou"])) == world.question(.communication(["lou", "kim"])))
  }

  @Test(arguments: [[], [Guardian.user(1001)], [.user(1005)]])
  func `nobody is asked about somebody without a guardian who may answer`(guardians: [Guardian]) throws {
    let world = try World()
    try world.run { try await world.broker.addPerson(.mia, displayName: nil) }
    for guardian in guardians { try world.force(guardian, for: .mia) }
    let request = try AskRequest.of(by: Asker(uid: 1005, app: .chat))
    #expect(throws: Refusal.notAvailable(reason: .noGuardian, retryable: false)) { try world.ask(request) }
    #expect(try world.broker.statistics().openQuestions == 0)
    #expect(try world.store.read { try $0.asker(AskerKey(uid: 1005, app: "org.example.Chat")) }.lastSequence == 0)
  }

  @Test func `nobody is asked about somebody whom nobody enrolled`() throws {
    let world = try World()
    #expect(throws: Refusal.notAvailable(reason: .noGuardian, retryable: false)) { try world.ask(.of()) }
  }

  @Test func `a guardian who asks leaves the answer to another`() throws {
    let world = try World.family([.ann, .bob])
    let question = try world.question(by: .anns)
    #expect(throws: Refusal.notPermitted(reason: "sameAsker")) { try world.answer(.of(question)) }
    #expect(try world.answer(.of(question, by: .bob)).decision.state == .approved)
  }

  @Test func `in a sandbox one uid asks and answers`() throws {
    let world = try World.family(isSandbox: true)
    let question = try world.question(by: .anns)
    #expect(
      try world.answer(.of(question, by: Viewer(peer: 1000, role: .everyone(speaker: nil)))).decision.state == .approved
    )
  }

  @Test func `no consent is needed from an adult's guardians`() throws {
    let world = try World.family()
    try world.declare(.born(#require(CivilDate(year: 2008, month: 5, day: 2))))
    let asked = try world.ask(.of())
    #expect(asked == Asked(topicKey: "significantUpdate/2.0", verdict: .notRequired(.adult)))
    #expect(try world.events().isEmpty)
  }

  @Test func `the day before the eighteenth birthday the guardians are asked`() throws {
    let world = try World.family()
    try world.declare(.born(#require(CivilDate(year: 2008, month: 5, day: 3))))
    #expect(try world.ask(.of()).standing().decision.state == .pending)
  }

  @Test func `what a grant covers is asked of nobody`() throws {
    let world = try World.family()
    let grant = try #require(try world.answer(.of(world.question())).decision.ending?.grant)
    let asked = try world.ask(.of(.update("2.0", "Other words for the same change")))
    #expect(asked.verdict == .granted(grant))
    #expect(try world.kinds() == [.asked, .decided, .granted])
  }

  @Test func `after a denial the next ask is a new question that counts on`() throws {
    let world = try World.family()
    let first = try world.question()
    try world.answer(.of(first, "deny"))
    let second = try world.question()
    #expect(second != first)
    let rows = try world.store.read { rows in try [first, second].map { try rows.question($0.description)?.timesAsked }
    }
    #expect(rows == [1, 2])
    #expect(try world.look(first).state == .denied)
  }

  @Test func `an ask finds an open question past its deadline, ends it and puts a new one`() throws {
    let world = try World.family()
    let first = try world.question(expiresInUSec: Span.hour)
    let waiting = world.wait(for: first)
    world.clock.pass(Span.hour)
    let second = try world.ask(.of()).standing()
    #expect(!second.joined)
    #expect(second.decision.question != first)
    #expect(try world.look(first).state == .expired)
    #expect(try waiting.get()?.state == .expired)
    #expect(try world.kinds() == [.asked, .expired, .asked])
  }

  @Test(arguments: [0, -1, Span.hour - 1, 90 * Span.day + 1, .min, .max])
  func `a deadline out of range is refused and changes nothing`(span: Int64) throws {
    let world = try World.family()
    let request = try AskRequest.of(expiresInUSec: span)
    let call = world.start { try await world.broker.ask(request) }
    world.runJobs()
    guard case .failure(Refusal.invalidValue("expiresInUSec", _)) = call.result else {
      Issue.record("\(String(describing: call.result))")
      return
    }
    #expect(world.commit() == 0)
  }

  @Test(arguments: [Span.hour, 90 * Span.day])
  func `the shortest and the longest deadline are accepted`(span: Int64) throws {
    let world = try World.family()
    #expect(try world.ask(.of(expiresInUSec: span)).standing().expiresAt.usec == ManualClock.start.usec + span)
  }

  @Test func `a deadline past the end of time is refused`() throws {
    let world = try World.family()
    world.clock.now = Instant(usec: .max - Span.hour)
    let rule = "a span that ends within what 64 bits count"
    #expect(throws: Refusal.invalidValue(field: "expiresInUSec", rule: rule)) { try world.ask(.of()) }
  }
}

extension World {
  /// Puts a guardian whom the rules would refuse, as an older state of the store could have them.
  func force(_ guardian: Guardian, for person: Person) throws {
    guard "\(guardian)" != "\(person)" else { return }
    try run { [store] in
      try await store.write {
        try $0.put(GuardianRow(person: "\(person)", guardian: "\(guardian)", addedAt: 0))
      }
    }
  }

  /// Declares an age as the administrator.
  func declare(_ age: DeclaredAge, of person: Person = .mia) throws {
    try run { [broker] in
      _ = try await broker.declareAge(age, of: person, by: .root, assurance: .unchecked)
    }
  }
}
