// SPDX-License-Identifier: Apache-2.0
//
// What is too old goes, class by class, and the audit says what went; what is open or lives stays however old it is.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct RetainingTests {
  let world: World

  init() throws {
    world = try .family()
    world.broker.rules.retention.eventsDays = 10
    world.broker.rules.retention.questionsDays = 20
    world.broker.rules.retention.grantsDays = 30
    world.broker.rules.retention.auditDays = 40
  }

  /// Lets days pass and has everything happen that falls due.
  private func pass(days: Int64) throws {
    world.clock.pass(days * Span.day)
    try world.run { [world] in
      try await world.broker.expireDue()
      try await world.broker.retainDue()
    }
  }

  private func said() throws -> [JSONObject] {
    try world.audit().filter { $0.kind == AuditKind.retention.rawValue }.map(\.facts)
  }

  @Test func `events go when their days are over, and a cursor before what is kept is told so`() throws {
    try world.answer(.of(world.question()))
    try world.run { [world] in try await world.broker.acknowledge(1, of: .chat) }
    try pass(days: 9)
    _ = try world.question(.resource())
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 1)
    try pass(days: 2)
    let gone = Refusal.cursorExpired(oldest: 4, newest: 4)
    for cursor in [nil, 0, 1, 2, 5] as [Int64?] {
      #expect(throws: gone) { try world.broker.startingCursor(of: .chat, after: cursor) }
    }
    #expect(throws: gone) { try world.broker.events(of: .chat, about: nil, after: 2, limit: 9) }
    #expect(try world.broker.startingCursor(of: .chat, after: 3) == 3)
    #expect(try world.broker.startingCursor(of: .chat, after: 4) == 4)
    #expect(try world.events(after: 3).map(\.kind) == [.asked])
    #expect(try said().map { $0["events"] } == [3])
  }

  @Test func `where every event is gone the newest sequence is still a place to begin`() throws {
    try world.answer(.of(world.question()))
    try pass(days: 11)
    #expect(throws: Refusal.cursorExpired(oldest: 4, newest: 3)) {
      try world.broker.startingCursor(of: .chat, after: nil)
    }
    #expect(try world.broker.startingCursor(of: .chat, after: 3) == 3)
    try world.run { [world] in try await world.broker.acknowledge(3, of: .chat) }
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 3)
    #expect(try world.afterCrash().broker.startingCursor(of: .chat, after: nil) == 3)
  }

  @Test func `an open question and a grant that lives outlast every class`() throws {
    let (approved, denied) = (try world.question(), try world.question(.resource()))
    try world.answer(.of(approved))
    try world.answer(.of(denied, "deny"))
    let open = try world.question(.resource("org.example.other"))
    world.clock.pass(25 * Span.day)
    try world.run { [world] in try await world.broker.retainDue() }
    #expect(try world.look(open).topic != nil)
    #expect(try world.look(approved).topic != nil)
    #expect(try world.status().status == .approved)
    #expect(try world.look(denied).topic == nil)
    #expect(try world.look(denied).state == .denied)
    #expect(try said().map { $0["questions"] } == [1])
    try pass(days: 400)
    #expect(try world.status().status == .approved)
    #expect(try world.look(approved).topic != nil)
  }

  @Test func `a grant goes after its question, and its approval never lets an app go on again`() throws {
    let question = try world.question()
    try world.answer(.of(question))
    let grant = try #require(try world.look(question).ending?.grant)
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    world.broker.rules.retention.questionsDays = 100
    try pass(days: 60)
    #expect(try world.store.read { try $0.grant(grant.description) } != nil)
    #expect(try world.look(question).nextAction == .ask)
    try pass(days: 60)
    #expect(try world.store.read { try $0.grant(grant.description) } == nil)
    #expect(try world.look(question).nextAction == .ask)
  }

  @Test func `what the audit no longer says is listed in it, so that the chain still holds`() throws {
    let before = Int64(try world.audit().count)
    try pass(days: 41)
    #expect(try said().map { $0["sequences"] } == [.array([[1, .integer(before)]])])
    #expect(try world.audit().map(\.kind) == ["retention"])
    for _ in 0..<3 { try pass(days: 41) }
    #expect(try said().map { $0["sequences"] } == [.array([[1, .integer(before + 3)]])], "it goes and is said anew")
    #expect(try #require(try world.verify()).fault == nil)
  }

  @Test func `a day without anything too old leaves no trace, and the job waits for the next`() throws {
    try pass(days: 1)
    let next = world.broker.nextRetention
    #expect(next == world.clock.now.adding(usec: Span.day))
    #expect(try said().isEmpty)
    world.clock.pass(Span.day - 1)
    try world.run { [world] in try await world.broker.retainDue() }
    #expect(world.broker.nextRetention == next)
  }

  @Test func `more than one batch goes in one run`() throws {
    for number in 0..<300 { _ = try world.question(.update("\(number)")) }
    try pass(days: 11)
    #expect(try said().compactMap { $0["events"]?.integer }.count > 1)
    #expect(try said().compactMap { $0["events"]?.integer }.reduce(0, +) >= 300)
  }
}
