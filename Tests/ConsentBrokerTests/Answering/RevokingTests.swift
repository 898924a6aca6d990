// SPDX-License-Identifier: Apache-2.0
//
// What is granted is listed page by page, ends by itself, and is taken back: each in one step, with its event.

import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct RevokingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  private func approve(_ handle: String, until: Instant? = nil) throws -> GrantID {
    let question = try world.question(.communication([handle], ["message"]))
    let choice = until == nil ? "approve" : "approveUntil"
    return try #require(try world.answer(.of(question, choice, until: until)).decision.ending?.grant)
  }

  private func grants(limit: Int, after: GrantsPlace? = nil) throws -> (grants: [Grant], next: GrantsPlace?) {
    try world.run { [world] in
      try world.broker.grants(for: .ann, person: nil, app: nil, after: after, limit: limit)
    }
  }

  private func revoke(_ what: Revocable, by viewer: Viewer = .ann) throws -> [GrantID] {
    try world.run { [world] in try await world.broker.revoke(what, note: nil, by: viewer).map(\.grant) }
  }

  @Test func `a page without a live grant hides none of the next`() throws {
    let until = try #require(world.clock.now.adding(usec: Span.hour))
    _ = try approve("kim", until: until)
    world.clock.pass(1)
    let others: [GrantID] = [try approve("lou")]
    world.clock.pass(Span.hour)
    var found: [GrantID] = []
    var place: GrantsPlace?
    repeat {
      let page = try grants(limit: 1, after: place)
      for grant in page.grants { found.append(grant.grant) }
      place = page.next
    } while place != nil
    #expect(found == others)
  }

  @Test func `a grant ends at its instant, once and with its event`() throws {
    let until = try #require(world.clock.now.adding(usec: Span.hour))
    let grant = try approve("kim", until: until)
    let alarm = try world.run { [world] in world.broker.alarm.question }
    #expect(alarm == until)
    world.clock.pass(Span.hour)
    for _ in 0..<2 { try world.run { [world] in try await world.broker.expireDue() } }
    #expect(try world.status(.communication(["kim"], ["message"])).status == .notDetermined)
    #expect(try revoke(.grant(grant.description)) == [])
    #expect(try world.kinds() == [.asked, .decided, .granted, .grantEnded])
  }

  @Test func `what was taken back is gone at once, and cannot be taken back again`() throws {
    let grants = try ["kim", "lou"].map { try approve($0) }
    #expect(try revoke(.grant(String(grants[0].description.prefix(12)))) == [grants[0]])
    #expect(try world.status(.communication(["kim"], ["message"])).reason == .revoked)
    #expect(try world.status(.communication(["lou"], ["message"])).status == .approved)
    #expect(try revoke(.grant(grants[0].description)) == [])
    #expect(try revoke(.person(.mia, app: nil)) == [grants[1]])
    #expect(try revoke(.person(.mia, app: nil)) == [])
    #expect(try world.kinds().count { $0 == .revoked } == 2)
  }

  @Test func `nobody else takes it back`() throws {
    let grant = try approve("kim")
    let stranger = Viewer(peer: 4_711, role: .peer)
    #expect(throws: Refusal.unknownGrant(grant.description)) { try revoke(.grant(grant.description), by: stranger) }
    #expect(throws: Refusal.self) { try revoke(.person(.mia, app: nil), by: stranger) }
    #expect(try world.status(.communication(["kim"], ["message"])).status == .approved)
  }
}
