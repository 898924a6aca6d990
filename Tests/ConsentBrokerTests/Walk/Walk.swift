// SPDX-License-Identifier: Apache-2.0
//
// A random walk: callers, guardians, companions and apps do whatever chance says, in steps so small that a crash can
// come between any two. The walk turns every step itself and compares each with its ledger.

import ConsentBroker
import ConsentModel
import ConsentStore
import TestSupport
import Testing

/// One walk, from an empty store to its last look.
final class Walk {
  private(set) var world: World
  var ledger = Ledger()
  var chance: SeededGenerator
  let clock = ManualClock()
  /// Counts the processes; what an earlier one still says is not heard.
  private(set) var life = 0
  /// Callers, from their call to its end.
  var errands: [Errand] = []
  var companions: [Companion] = []
  var followers: [Follower] = []
  /// Writes in the store's queue that will fail.
  var poisons = 0
  /// How far the ledger has learned what chance gave.
  var learned = Learned()
  private var unfinished = 0
  private let seed: UInt64
  private var step = 0
  /// What is wrong, once something is; the walk ends there.
  private(set) var complaint: String?
  /// What happened how often.
  private(set) var tally: [String: Int] = [:]

  init(seed: UInt64, coolDowns: CoolDowns? = nil) throws {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    world = try World(clock: clock, coolDowns: coolDowns)
    ledger.numbers = coolDowns
  }

  var broker: Broker { world.broker }

  // MARK: Steps

  /// Walks for so many steps, then lets everything come to rest, crash, and rest again.
  func run(steps: Int) throws {
    WalkCast.people.forEach(enrol)
    try settle()
    while step < steps, complaint == nil {
      step += 1
      try takeStep()
      checkWaiters()
    }
    guard complaint == nil else { return }
    try rest()
    try restart(cleanly: false)
    try rest()
    finish()
  }

  private func takeStep() throws {
    switch Int.random(in: 0..<1_000, using: &chance) {
    case 0..<270: startSomething()
    case 270..<720: _ = world.runJob()
    case 720..<840: try commit()
    case 840..<960: _ = world.deliver()
    case 960..<980: letTimePass()
    case 980..<990: try rest()
    default: try restart(cleanly: chance.nextBool(1, in: 4))
    }
  }

  /// Puts everything that waits in the store on disk. The ledger learns the ids that chance gave.
  private func commit() throws {
    let count = world.commit()
    check(count == ledger.waiting.count + poisons, "\(count) changes, not \(ledger.waiting.count) and \(poisons)")
    guard count > 0 else { return }
    note(poisons > 0 ? "commit that fails at first" : count > 1 ? "commit of several" : "commit of one")
    poisons = 0
    ledger.commit()
    try learn()
  }

  private func letTimePass() {
    let spans = [1, Span.second, 20 * Span.second, Span.hour / 2, Span.hour, 13 * Span.hour]
    clock.pass(spans.randomElement(using: &chance) ?? 1)
  }

  /// Lets everything move until nothing does, ends what is due, and checks all there is.
  private func rest() throws {
    note("rest")
    try settle()
    releaseDue()
    change(.expire) { broker in
      try await broker.expireDue()
      return .done
    }
    try settle()
    broker.tellCounts()
    try settle()
    try checkRest()
  }

  private func settle() throws {
    repeat {
      world.runJobs()
      try commit()
    } while world.deliver() || world.executor.count > 0
  }

  // MARK: Lives

  /// Ends this process, with or without warning, and starts another on what it left.
  private func restart(cleanly: Bool) throws {
    note(cleanly ? "restart" : world.undelivered > 0 ? "crash with commits untold" : "crash")
    let old = world
    life += 1
    if cleanly {
      old.store.close()
      ledger.commit()
    }
    let left = try old.crash()
    bury(old)
    ledger.waiting = []
    poisons = 0
    world = try World(in: left, clock: clock, coolDowns: ledger.numbers)
    try learn()
    try checkStore()
    change(.expire) { broker in
      try await broker.expireDue()
      return .done
    }
    companions.forEach(watch)
    followers.forEach(follow)
  }

  /// Lets a process that is gone come to its end, unheard: whoever waits there hangs up.
  private func bury(_ old: World) {
    for errand in errands { old.broker.leave(errand.waiter) }
    for companion in companions { companion.watcher.map(old.broker.unwatch) }
    for follower in followers { follower.doorbell.map { old.broker.unfollow(follower.asker, $0) } }
    old.settle()
    old.store.close()
    old.settle()
    check(old.waiters == 0, "callers of a process that is gone wait for ever")
    errands = []
    unfinished = 0
  }

  /// Everybody leaves; nobody may be left waiting.
  private func finish() {
    while let companion = companions.last { unwatch(companion) }
    while let follower = followers.last { unfollow(follower) }
    errands.forEach(leave)
    world.settle()
    check(unfinished == 0, "\(unfinished) calls never ended")
  }

  // MARK: Calls

  /// Starts a call. What it does after its process is gone is not heard.
  func begin(_ body: @escaping () async throws -> Void) {
    unfinished += 1
    _ = world.start { [self, life] in
      guard life == self.life else { return }
      do {
        try await body()
      } catch {
        check(life != self.life, "unexpected: \(error)")
      }
      if life == self.life { unfinished -= 1 }
    }
  }

  /// Calls that are not over.
  var callsUnderWay: Int { unfinished }

  // MARK: Judgement

  /// Notes what is wrong, once.
  func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    guard !isRight, complaint == nil else { return }
    let complaint = "seed \(seed), step \(step): \(what())"
    self.complaint = complaint
    Issue.record("\(complaint)")
  }

  /// Notes that something happened.
  func note(_ event: String) { tally[event, default: 0] += 1 }
}

extension SeededGenerator {
  /// True `part` times in `whole`.
  mutating func nextBool(_ part: Int, in whole: Int) -> Bool { Int.random(in: 0..<whole, using: &self) < part }
}
