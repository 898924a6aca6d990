// SPDX-License-Identifier: Apache-2.0
//
// A broker with everything around it that is not the broker: a real store on a disk, clocks, callers. Three things move
// it, each by hand: a job of a caller, a commit of what waits in the store, the delivery of one commit's results. A test
// can look at the world between any two of them, or end it there.

import ConsentBroker
import ConsentModel
import ConsentStore
import Foundation
import Synchronization
import TestSupport

/// What the store has to tell and nobody has heard yet, one closure a commit.
private final class Tidings: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  func append(_ closure: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(closure) } }
  func take() -> (@Sendable () -> Void)? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  var count: Int { waiting.withLock { $0.count } }
}

/// One process's broker, from its start to its end or its crash.
final class World {
  let directory: TemporaryDirectory
  let clock: ManualClock
  let accounts: FakeAccounts
  let executor = ManualExecutor()
  let store: SQLiteStore
  let broker: Broker
  private let tidings: Tidings
  /// What the broker said the store could not do.
  private(set) var failures: [any Error] = []

  static let salt = KeySalt([UInt8](repeating: 7, count: 32)) ?? .random()

  /// A broker on the store in `directory`, a new one by default.
  init(
    in directory: TemporaryDirectory? = nil, clock: ManualClock = ManualClock(), isSandbox: Bool = false,
    policy: Policy = .baseline, apps: AppRegistry = .chat, accounts: FakeAccounts = FakeAccounts(),
    coolDowns: CoolDowns? = nil
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    let tidings = Tidings()
    self.directory = directory
    self.clock = clock
    self.accounts = accounts
    self.tidings = tidings
    store = try SQLiteStore(path: directory.file("consentd.db"), writer: .manual) { tidings.append($0) }
    broker = Broker(
      store: store, clock: clock,
      rules: BrokerRules(
        isSandbox: isSandbox, policy: policy, apps: apps, coolDowns: coolDowns, salt: World.salt), accounts: accounts)
    broker.failed = { [weak self] in self?.failures.append($0) }
  }

  // MARK: Steps

  /// Runs one job of a caller; `false` where none waits.
  func runJob() -> Bool { executor.runJob() }

  /// Commits what waits in the store, in one transaction, and gives how many changes that were. Nobody is told.
  @discardableResult
  func commit() -> Int { store.commitWaiting() }

  /// Hands the results of one commit to those who wait for them, whose jobs then wait; `false` where there are none.
  func deliver() -> Bool {
    guard let results = tidings.take() else { return false }
    results()
    return true
  }

  /// Commits whose results nobody has heard yet.
  var undelivered: Int { tidings.count }

  /// Runs every job that waits.
  func runJobs() { while runJob() {} }

  /// Goes on until nothing moves any more.
  func settle() {
    repeat { runJobs() } while deliver() || commit() > 0
  }

  // MARK: Callers

  /// Starts a call; it runs in steps.
  func start<Value>(_ body: @escaping () async throws -> Value) -> Call<Value> {
    let call = Call<Value>()
    nonisolated(unsafe) let (work, end) = (body, call.end)
    Task(executorPreference: executor) {
      do { end(.success(try await work())) } catch { end(.failure(error)) }
    }
    return call
  }

  /// Makes a call, lets everything move, and gives what the call led to.
  @discardableResult
  func run<Value>(_ body: @escaping () async throws -> Value) throws -> Value {
    let call = start(body)
    settle()
    return try call.get()
  }

  // MARK: Ends

  /// What a crash at this moment leaves: the database and its log.
  func crash() throws -> TemporaryDirectory {
    let left = try TemporaryDirectory()
    let files = FileManager.default
    for name in ["consentd.db", "consentd.db-wal"] where files.fileExists(atPath: directory.file(name)) {
      try files.copyItem(atPath: directory.file(name), toPath: left.file(name))
    }
    return left
  }

  /// Another process on what a crash at this moment leaves. Like the daemon, it first ends what fell due meanwhile.
  func afterCrash() throws -> World {
    let world = try World(
      in: try crash(), clock: clock, isSandbox: broker.rules.isSandbox, policy: broker.rules.policy,
      apps: broker.rules.apps, accounts: accounts, coolDowns: broker.rules.coolDowns)
    try world.run { try await world.broker.expireDue() }
    return world
  }
}
