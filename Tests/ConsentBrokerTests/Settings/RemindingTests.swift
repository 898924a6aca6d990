// SPDX-License-Identifier: Apache-2.0
//
// Companions are reminded of what is still open: when it is time, once, and nobody who cannot answer.

import ConsentModel
import ConsentStore
import Testing

@testable import ConsentBroker

@Suite struct RemindingTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  /// A companion that has had its snapshot.
  private func companion(_ viewer: Viewer = .ann, in world: World? = nil) throws -> Watcher {
    let world = world ?? self.world
    let watcher = world.broker.watch(for: viewer, person: nil)
    let cards = try world.broker.cards(for: viewer, person: nil, app: nil, state: .pending, after: nil, limit: 999)
      .cards
    _ = world.broker.changes(to: cards, for: watcher)
    return watcher
  }

  private func news(_ watcher: Watcher, in world: World? = nil) throws -> [String] {
    var changes: [CardChange] = []
    while let more = try (world ?? self.world).broker.changes(for: watcher) { changes += more }
    return changes.map(\.word)
  }

  /// Lets hours pass and everything happen that fell due, as the daemon's alarm does.
  private func pass(_ hours: Int64) throws {
    world.clock.pass(hours * Span.hour)
    try settle(world)
  }

  private func settle(_ world: World) throws {
    try world.run { [world] in
      try await world.broker.expireDue()
      try await world.broker.remindDue()
    }
  }

  @Test func `every companion that can answer is reminded at every time there is`() throws {
    _ = try world.question(expiresInUSec: 100 * Span.hour)
    let companions = [try companion(), try companion(.bob)]
    let stranger = try companion(.stranger)
    var reminded: [Int64] = []
    for hour in Int64(1)...101 {
      try pass(1)
      let told = try companions.map { try news($0) }
      #expect(told[0] == told[1])
      if told[0] == ["reminder"] { reminded.append(hour) } else if hour != 100 { #expect(told[0] == []) }
      if hour == 100 { #expect(told[0] == ["removed expired"]) }
    }
    #expect(reminded == [24, 72, 76])
    #expect(try news(stranger) == [])
  }

  @Test func `the alarm is set for the reminder, then for the next, then for none`() throws {
    _ = try world.question(expiresInUSec: 60 * Span.hour)
    let start = ManualClock.start.usec
    #expect(world.broker.alarm.reminder == Instant(usec: start + 24 * Span.hour))
    try pass(24)
    #expect(world.broker.alarm.reminder == Instant(usec: start + 36 * Span.hour))
    try pass(12)
    #expect(world.broker.alarm.reminder == nil)
    #expect(world.broker.alarm.question == Instant(usec: start + 60 * Span.hour))
  }

  @Test func `a question that lives short reminds at half its life`() throws {
    _ = try world.question(expiresInUSec: 4 * Span.hour)
    let watcher = try companion()
    try pass(1)
    #expect(try news(watcher) == [])
    try pass(1)
    #expect(try news(watcher) == ["reminder"])
    try pass(1)
    #expect(try news(watcher) == [])
  }

  @Test func `a later deadline is reminded of anew`() throws {
    _ = try world.question(expiresInUSec: 4 * Span.hour)
    let watcher = try companion()
    world.clock.pass(Span.hour)
    _ = try world.question(expiresInUSec: 60 * Span.hour)
    #expect(try news(watcher) == ["changed"])
    try pass(1)
    #expect(try news(watcher) == [])
    try pass(22)
    #expect(try news(watcher) == ["reminder"])
    try pass(13)
    #expect(try news(watcher) == ["reminder"])
  }

  @Test func `what a daemon missed while it was down is one reminder, once`() throws {
    _ = try world.question(expiresInUSec: 200 * Span.hour)
    let seen = try companion().shown
    world.clock.pass(100 * Span.hour)
    let next = try world.afterCrash()
    let watcher = next.broker.watch(for: .ann, person: nil, shown: seen)
    #expect(try #require(next.broker.alarm.reminder) <= world.clock.now)
    try settle(next)
    #expect(try news(watcher, in: next) == ["reminder"])
    try settle(next)
    #expect(try news(watcher, in: next) == [])
    #expect(next.broker.alarm.reminder == Instant(usec: ManualClock.start.usec + 176 * Span.hour))
    let third = try next.afterCrash()
    let again = third.broker.watch(for: .ann, person: nil, shown: watcher.shown)
    try settle(third)
    #expect(try news(again, in: third) == [])
  }

  @Test(arguments: ["approve", "deny", "withdraw", "expire", "remove"])
  func `nobody is reminded of what is over`(ending: String) throws {
    let question = try world.question(expiresInUSec: 60 * Span.hour)
    let watcher = try companion()
    switch ending {
    case "withdraw": try world.withdraw(question)
    case "expire": world.clock.pass(61 * Span.hour)
    case "remove": try world.run { [world] in try await world.broker.removePerson(.mia) }
    default: try world.answer(.of(question, ending))
    }
    try settle(world)
    #expect(try news(watcher).count == 1)
    try pass(30)
    try pass(30)
    #expect(try news(watcher) == [])
    #expect(world.broker.alarm.reminder == nil && world.broker.alarm.question == nil)
  }

  @Test func `a reminder that falls due with the deadline is none`() throws {
    _ = try world.question(expiresInUSec: 60 * Span.hour)
    let watcher = try companion()
    world.clock.pass(60 * Span.hour)
    try world.run { [world] in try await world.broker.remindDue() }
    #expect(try news(watcher).allSatisfy { $0 != "reminder" })
  }

  @Test func `who may not answer is told nothing`() throws {
    let watchers = [try companion(.ann), try companion(.bob)]
    _ = try world.question(by: .anns)
    #expect(try watchers.map { try news($0) } == [["added"], ["added"]])
    try pass(24)
    #expect(try watchers.map { try news($0) } == [[], ["reminder"]])
  }

  @Test func `many reminders are given a batch at a time, none twice`() throws {
    let world = try World.family()
    for number in 0..<300 { _ = try world.question(.resource("org.example.r\(number)"), expiresInUSec: 2 * Span.hour) }
    let watcher = try companion(in: world)
    world.clock.pass(Span.hour)
    try settle(world)
    let told = try news(watcher, in: world)
    #expect(told == Array(repeating: "reminder", count: 300))
  }
}
