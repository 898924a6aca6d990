// SPDX-License-Identifier: Apache-2.0
//
// What several streams of one asker are sent live is read and encoded once; nothing is left out or sent twice for it.

import ConsentModel
import Testing

@testable import ConsentBroker

@Suite struct LiveEventsTests {
  let world: World

  init() throws {
    world = try .family()
  }

  /// One stream that has had its replay.
  private final class Stream {
    let person: Person?
    var cursor: Int64 = 0
    var told: [[UInt8]] = []

    init(about person: Person? = nil) { self.person = person }

    /// Takes all there is.
    func follow(_ broker: Broker, limit: Int = 2) throws {
      var hasMore = true
      while hasMore {
        let page = try broker.liveEvents(of: .chat, about: person, after: cursor, limit: limit)
        for event in page.events { told.append(broker.encoded(event) { [UInt8("\($0.sequence)".utf8.count)] }) }
        cursor = page.cursor
        hasMore = page.hasMore
      }
    }
  }

  @Test func `each event is encoded once for all who follow`() throws {
    let streams = (0..<20).map { _ in Stream() }
    for _ in streams { _ = world.broker.follow(.chat) }
    for number in 0..<6 {
      _ = try world.question(.update("\(number)"))
      for stream in streams { try stream.follow(world.broker) }
    }
    let newest = try world.events().count
    #expect(world.broker.eventsEncoded == newest)
    #expect(streams.allSatisfy { $0.told.count == newest && $0.cursor == newest })
  }

  @Test func `streams that are further behind than others are sent everything all the same`() throws {
    let streams = (0..<3).map { _ in Stream() }
    for _ in streams { _ = world.broker.follow(.chat) }
    for number in 0..<9 {
      _ = try world.question(.update("\(number)"))
      for (place, stream) in streams.enumerated() where number % (place + 1) == 0 { try stream.follow(world.broker) }
    }
    for stream in streams { try stream.follow(world.broker) }
    let newest = try world.events().count
    #expect(streams.allSatisfy { $0.told.count == newest })
  }

  @Test func `a stream about one person is sent that person's alone`() throws {
    try world.enrol(.leo)
    let (all, leo) = (Stream(), Stream(about: .leo))
    for _ in 0..<2 { _ = world.broker.follow(.chat) }
    _ = try world.question()
    _ = try world.question(about: .leo)
    for stream in [leo, all] { try stream.follow(world.broker) }
    #expect(leo.told.count == 1 && all.told.count == 2)
    #expect(leo.cursor == 2)
    #expect(world.broker.eventsEncoded == 2)
  }

  @Test func `a single stream keeps nothing, and a replay takes nothing of what is kept`() throws {
    let doorbells = (0..<2).map { _ in world.broker.follow(.chat) }
    _ = try world.question()
    try Stream().follow(world.broker)
    #expect(world.broker.audience.liveEvents(of: .chat, after: 0)?.count == 1)
    world.broker.unfollow(.chat, doorbells[0])
    #expect(world.broker.audience.liveEvents(of: .chat, after: 0) == nil)
  }
}
