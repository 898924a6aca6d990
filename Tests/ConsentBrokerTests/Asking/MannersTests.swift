// SPDX-License-Identifier: Apache-2.0
//
// Nobody is nagged: waits after a no, a lapse, ten questions; and what settles a topic beforehand. On the real store.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct MannersTests {
  let world: World

  init() throws { world = try .family(coolDowns: .standard) }

  /// Expects an ask to be refused until so long from now, and the store to be left as it was.
  private func expectCooling(
    _ span: Int64, _ topic: Topic = .resource(), by asker: Asker = .chat, key: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let until = Instant(usec: world.clock.now.usec + span)
    let open = try world.broker.statistics().openQuestions
    #expect(throws: Refusal.coolingDown(until: until), sourceLocation: location) {
      try world.ask(.of(topic, by: asker, key: key))
    }
    #expect(try world.broker.statistics().openQuestions == open, sourceLocation: location)
  }

  private func set(_ name: String, _ value: String, app: String = "") throws {
    try world.run { [world] in
      try await world.store.write { rows in
        try rows.put(
          SettingRow(person: "uid:1001", app: app, name: name, value: value, setBy: "uid:1000", setAt: 0))
      }
    }
  }

  @Test func `each denial is followed by a longer wait, until something is approved`() throws {
    for wait in [4 * Span.hour, 24 * Span.hour, 7 * Span.day, 7 * Span.day] {
      let question = try world.question(.resource())
      try world.answer(.of(question, "deny"))
      #expect(try world.look(question).nextAction == .askLater)
      let status = try world.status(.resource())
      #expect(status.status == .denied && status.nextAction == .askLater)
      #expect(status.until == world.clock.now.adding(usec: wait))
      try expectCooling(wait)
      try expectCooling(wait, key: "a fresh key")
      try expectCooling(wait, .resource("org.example.screenTime", "Other words"))
      world.clock.pass(wait - 1)
      try expectCooling(1)
      world.clock.pass(1)
      #expect(try world.status(.resource()).nextAction == .ask)
      #expect(try world.look(question).nextAction == .ask)
    }
    try world.answer(.of(try world.question(.resource()), "approveOnce"))
    try world.answer(.of(try world.question(.resource()), "deny"))
    try expectCooling(4 * Span.hour)
  }

  @Test func `all unregistered apps of a user wait together, for one topic`() throws {
    try world.answer(.of(try world.question(.resource()), "deny"))
    try expectCooling(4 * Span.hour, by: .game)
    try expectCooling(4 * Span.hour, by: .nameless)
    #expect(try world.ask(.of(.resource("org.example.books"))).standing().decision.state == .pending)
    #expect(try world.ask(.of(.resource(), by: Asker(uid: 1005, app: .chat))).standing().decision.state == .pending)
  }

  @Test func `an expiry is followed by an hour, noticed or not`() throws {
    let question = try world.question(.resource(), expiresInUSec: Span.hour)
    world.clock.pass(Span.hour)
    try expectCooling(Span.hour)
    #expect(try world.status(.resource()).until == world.clock.now.adding(usec: Span.hour))
    try world.run { [world] in try await world.broker.expireDue() }
    try expectCooling(Span.hour)
    #expect(try world.look(question).nextAction == .askLater)
    world.clock.pass(Span.hour)
    #expect(try world.question(.resource()) != question)
  }

  @Test func `only a withdrawal of what somebody had before them is followed by a wait`() throws {
    let unseen = try world.question(.resource())
    try world.withdraw(unseen)
    let seen = try world.question(.resource())
    _ = try world.run { [world] in try await world.broker.describe(seen.description, for: .ann) }
    try world.withdraw(seen)
    try expectCooling(Span.hour)
  }

  @Test func `a new change passes once for each denial, and one that was asked does not`() throws {
    try world.answer(.of(try world.question(.update("2.0")), "deny"))
    try expectCooling(4 * Span.hour, .update("2.0"))
    let news = try world.question(.update("2.1"))
    try expectCooling(4 * Span.hour, .update("2.2"))
    #expect(try world.look(news).state == .pending, "a refusal leaves the open question as it is")
    #expect(try world.ask(.of(.update("2.0"))).standing().decision.question == news)
    try world.answer(.of(news, "deny"))
    let third = try world.question(.update("2.2"))
    let topic = try #require(try world.look(third).topic)
    #expect(topic["earlier"]?.array?.map { $0.object?["change"] } == ["2.0", "2.1"])
    #expect(topic["earlier"]?.array?.allSatisfy { $0.object?["denied"] == true } == true)
    try expectCooling(24 * Span.hour, .update("2.3"))
  }

  @Test func `ten questions in a day, whatever app, key and words`() throws {
    for number in 0..<10 {
      world.clock.pass(Span.second)
      _ = try world.question(.resource("org.example.r\(number)"), by: number % 2 == 0 ? .chat : .game)
    }
    let left = Span.day - 9 * Span.second
    try expectCooling(left, .resource("org.example.more"))
    try expectCooling(left, .resource("org.example.more"), by: .nameless, key: "fresh")
    try expectCooling(left, .resource("org.example.r0", "other words that would take its place"))
    #expect(try world.ask(.of(.resource("org.example.r0"))).standing().joined)
    #expect(try world.status(.resource("org.example.more")).nextAction == .ask)
    world.clock.pass(left)
    _ = try world.question(.resource("org.example.more"))
    try expectCooling(Span.second, .resource("org.example.again"))
  }

  @Test func `what was remembered outlives the process`() throws {
    try world.answer(.of(try world.question(.resource()), "deny"))
    let later = try world.afterCrash()
    #expect(throws: Refusal.coolingDown(until: Instant(usec: world.clock.now.usec + 4 * Span.hour))) {
      try later.ask(.of(.resource()))
    }
  }

  @Test(
    arguments: [
      ("neverAsk", "true", Status.denied, Reason.neverAsk),
      ("resource/org.example.screenTime", "denied", .denied, .settings),
      ("resource/org.example.screenTime", "restricted", .restricted, .settings),
    ])
  func `what a guardian settled is not asked, an open question is still joined`(
    name: String, value: String, status: Status, reason: Reason
  ) throws {
    let open = try world.question(.resource(), by: .game)
    try set(name, value)
    #expect(try world.ask(.of(.resource(), by: .game)).standing().decision.question == open)
    #expect(try world.status(.resource(), by: .game).status == .pending)
    let asked = try world.ask(.of(.resource()))
    guard case .settled(let topic) = asked.verdict else { return #expect(Bool(false), "\(asked)") }
    #expect(topic.reason == reason)
    #expect(
      try world.status(.resource()) == StatusAnswer(status: status, nextAction: .askGuardian, reason: reason))
    try set(name, name == "neverAsk" ? "false" : "askFirst", app: "org.example.Chat")
    #expect(try world.ask(.of(.resource())).standing().decision.state == .pending, "what is set for the app counts")
  }

  private static let since = JSONObject(
    dictionaryLiteral: ("kind", "significantUpdate"), ("change", "r"), ("description", "d"), ("sinceVersion", "2.0"))

  /// A world where the chat is registered.
  private func registered() throws -> World {
    let entry = try AppEntry(id: .chat, uid: 1001, versions: ["1.0", "2.0"])
    let world = try World(apps: AppRegistry([entry]), coolDowns: .standard)
    try world.enrol()
    return world
  }

  private func ask(
    _ topic: Topic, _ version: String?, in world: World, _ provenance: Provenance = .registered
  ) throws -> Asked {
    try world.ask(
      AskRequest(
        asker: .chat, provenance: provenance, person: .mia, topic: topic, key: nil, expiresInUSec: nil,
        appVersion: version))
  }

  @Test func `an update needs no consent where a registered app was first met with it`() throws {
    let world = try registered()
    let since = try Topic(json: Self.since)
    _ = try ask(.resource("org.example.b"), "2.0", in: world)
    _ = try ask(.resource("org.example.c"), "1.0", in: world)
    #expect(try ask(since, nil, in: world).verdict == .notRequired(.installedAfter))
    let status = try world.broker.status(
      StatusRequest(
        asker: .chat, provenance: .registered, person: .mia, subject: since.subject, sinceVersion: "2.0"))
    #expect(status.answer.status == .notRequired && status.answer.reason == .installedAfter)
  }

  @Test func `a version that comes after the first question says nothing of when an app was installed`() throws {
    let since = try Topic(json: Self.since)
    for first in [since, .resource("org.example.a")] {
      for provenance in [Provenance.registered, .claimed] {
        let world = try registered()
        let question = try ask(first, nil, in: world, provenance).standing().decision.question
        try world.answer(.of(question, "deny"))
        _ = try ask(.resource("org.example.b"), "2.0", in: world)
        world.clock.pass(4 * Span.hour)
        #expect(try ask(since, "2.0", in: world).standing().decision.state == .pending)
      }
    }
  }
}
