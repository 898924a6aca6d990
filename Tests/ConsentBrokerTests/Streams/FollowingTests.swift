// SPDX-License-Identifier: Apache-2.0
//
// An app's stream of events: everything once, in order, whether it was there or not.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct FollowingTests {
  let world: World

  init() throws {
    world = try .family()
  }

  @Test func `an answer that came while nobody listened is replayed`() throws {
    let question = try world.question()
    try world.answer(.of(question))
    let after = try world.afterCrash()
    let events = try after.events()
    #expect(events.map(\.kind) == [.asked, .decided, .granted])
    #expect(events == (try world.events()))
    #expect(events[1].decision == (try after.look(question)))
  }

  @Test(arguments: 1...5)
  func `pages of any size give every event once, in order`(limit: Int) throws {
    for number in 0..<4 { try world.answer(.of(world.question(.update("\(number)")))) }
    var sequences: [Int64] = []
    var cursor: Int64 = 0
    var hasMore = true
    while hasMore {
      let page = try world.broker.events(of: .chat, about: nil, after: cursor, limit: limit)
      #expect(page.events.count <= limit)
      sequences += page.events.map(\.sequence)
      cursor = page.cursor
      hasMore = page.hasMore
    }
    #expect(sequences == Array(1...12))
    #expect(cursor == 12)
  }

  @Test func `events of one person leave no gap in the cursor`() throws {
    try world.enrol(.leo)
    _ = try world.question()
    _ = try world.question(about: .leo)
    _ = try world.question(.resource())
    _ = try world.question(.resource(), about: .leo)
    let page = try world.broker.events(of: .chat, about: .mia, after: 0, limit: 4)
    #expect(page.events.map(\.sequence) == [1, 3])
    #expect(page.cursor == 4)
    #expect(page.hasMore)
    let rest = try world.broker.events(of: .chat, about: .mia, after: 4, limit: 4)
    #expect(rest.events.isEmpty)
    #expect(rest.cursor == 4)
    #expect(!rest.hasMore)
  }

  @Test func `each asker counts its own events`() throws {
    _ = try world.question()
    _ = try world.question(by: .game)
    _ = try world.question(by: .nameless)
    for asker in [Asker.chat, .game, .nameless] {
      #expect(try world.events(of: asker).map(\.sequence) == [1])
    }
    #expect(try world.events(of: Asker(uid: 1002, app: .chat)).isEmpty)
  }

  @Test func `a follower hears the bell when its events are on disk`() throws {
    let (doorbell, others) = (world.broker.follow(.chat), world.broker.follow(.game))
    let (rung, quiet) = (world.start { await doorbell.wait() }, world.start { await others.wait() })
    let request = try AskRequest.of()
    let ask = world.start { [world] in try await world.broker.ask(request) }
    world.runJobs()
    world.commit()
    world.runJobs()
    #expect(!rung.isOver)
    world.settle()
    #expect(ask.isOver)
    #expect(try rung.get() == .rung)
    #expect(!quiet.isOver)
    world.broker.unfollow(.game, others)
    world.runJobs()
    #expect(try quiet.get() == .closed)
  }

  @Test func `every follower of an asker is rung, and one that has left is not missed`() throws {
    let doorbells = (0..<3).map { _ in world.broker.follow(.chat) }
    world.broker.unfollow(.chat, doorbells[0])
    let calls = doorbells.map { doorbell in world.start { await doorbell.wait() } }
    world.runJobs()
    _ = try world.question()
    #expect(try calls.map { try $0.get() } == [.closed, .rung, .rung])
  }

  @Test func `a delivery and the end of a grant ring too`() throws {
    let question = try world.question()
    let doorbell = world.broker.follow(.chat)
    try world.run { [world] in _ = try await world.broker.describe(question.description, for: .ann) }
    try expectRing(doorbell)
    try world.answer(.of(question))
    try expectRing(doorbell)
    try world.run { [world] in try await world.broker.removePerson(.mia) }
    try expectRing(doorbell)
    #expect(try world.kinds() == [.asked, .delivered, .decided, .granted, .grantEnded])
  }

  private func expectRing(_ doorbell: Doorbell) throws {
    let call = world.start { await doorbell.wait() }
    world.runJobs()
    #expect(try call.get() == .rung)
  }

  @Test func `a replay begins where the asker says, else behind what it acknowledged, else at the beginning`() throws {
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 0)
    #expect(try world.broker.startingCursor(of: .chat, after: 0) == 0)
    try world.answer(.of(world.question()))
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 0)
    for cursor in 0...3 as ClosedRange<Int64> {
      #expect(try world.broker.startingCursor(of: .chat, after: cursor) == cursor)
    }
    try acknowledge(2)
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 2)
    #expect(try world.broker.startingCursor(of: .chat, after: 0) == 0)
    #expect(try world.broker.startingCursor(of: .game, after: nil) == 0)
  }

  @Test func `a cursor outside the kept events is told what is kept`() throws {
    #expect(throws: Refusal.cursorExpired(oldest: 0, newest: 0)) {
      try world.broker.startingCursor(of: .chat, after: 1)
    }
    try world.answer(.of(world.question()))
    for cursor in [-1, 4, .min, .max] as [Int64] {
      #expect(throws: Refusal.cursorExpired(oldest: 1, newest: 3)) {
        try world.broker.startingCursor(of: .chat, after: cursor)
      }
    }
  }

  @Test func `what is acknowledged is kept, and a lower number moves nothing back`() throws {
    try world.answer(.of(world.question()))
    try acknowledge(2)
    try acknowledge(1)
    try acknowledge(0)
    let after = try world.afterCrash()
    #expect(try after.broker.startingCursor(of: .chat, after: nil) == 2)
    #expect(try after.events().count == 3)
  }

  @Test(arguments: [-1, 4, .max, .min] as [Int64])
  func `what has not happened cannot be acknowledged`(sequence: Int64) throws {
    try world.answer(.of(world.question()))
    #expect(throws: Refusal.invalidValue(field: "sequence", rule: "from 0 to 3, the newest event")) {
      try acknowledge(sequence)
    }
    #expect(throws: Refusal.invalidValue(field: "sequence", rule: "from 0 to 0, the newest event")) {
      try world.run { [world] in try await world.broker.acknowledge(1, of: .game) }
    }
    #expect(try world.broker.startingCursor(of: .chat, after: nil) == 0)
  }

  @Test func `nothing at all can be acknowledged by one who never asked`() throws {
    try world.run { [world] in try await world.broker.acknowledge(0, of: .game) }
  }

  private func acknowledge(_ sequence: Int64) throws {
    try world.run { [world] in try await world.broker.acknowledge(sequence, of: .chat) }
  }
}
