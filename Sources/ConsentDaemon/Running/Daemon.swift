// SPDX-License-Identifier: Apache-2.0
//
// The life of the daemon, first to last. Read this file first.
//
// It says it is ready when both sockets are served and everything that fell due while it was down has happened. It ends
// on SIGTERM: calls that wait are left to the next process, connections that owe nothing close, questions stay open.
// What cannot be mended ends it with a line and an exit code.

import ConsentBroker
import ConsentInterface
import ConsentModel
import ConsentStore
import Glibc
import HostRuntime

/// A running daemon.
@Loop
final class Daemon {
  private let options: Options
  private let log: Log

  init(_ options: Options, log: Log) {
    self.options = options
    self.log = log
  }

  /// Serves until SIGTERM or SIGINT.
  func run() async throws {
    let end = try EndSignal()
    let configuration = try Configuration.load(options)
    let store = try openStore()
    defer { store.close() }
    let (broker, clock) = try await recover(store, configuration)
    let alarms = try Alarms(broker, clock, log: log)
    let status = try StatusLine(broker, log: log)
    broker.changed = {
      alarms.update()
      status.changed()
    }
    alarms.update()
    let server = try serve(broker, clock, configuration, status)
    let housekeeping = try Housekeeping(broker, clock)
    defer { withExtendedLifetime(housekeeping) {} }
    try Notifier.startWatchdog()
    log.write(.serving(directory: options.runtimeDirectory, isSandbox: isSandbox))
    try Notifier.send(.ready, .status(status.text ?? "serving"), patience: 10 * Notifier.patienceUSec)
    await end.signal()
    await stop(server)
  }

  /// Ends what is in progress, and leaves what waits to the next process.
  private func stop(_ server: Server) async {
    await server.settle()
    let departures = server.leave()
    var kept = 0
    do throws(SystemError) {
      try Notifier.send(.stopping)
      kept = try HandingOut.give(departures)
    } catch {
      log.write(.notHandedOver(connections: departures.count, error))
    }
    log.writeRest()
    log.write(.stopped(left: kept))
  }

  private var isSandbox: Bool { options.sandbox != nil }

  private var storePath: String { "\(options.stateDirectory)/\(SQLiteStore.fileName)" }

  private func openStore() throws(Fault) -> SQLiteStore {
    do {
      return try SQLiteStore(path: storePath) { results in Task { @Loop in results() } }
    } catch {
      throw .store(error, path: storePath)
    }
  }

  /// A broker for which everything has happened that fell due while the daemon was down.
  private func recover(
    _ store: SQLiteStore, _ configuration: Configuration
  ) async throws -> (Broker, any DaemonClock) {
    var cause: StoreError?
    do {
      try await Keepsake.claim(store, forSandbox: isSandbox)
      let clock: any DaemonClock =
        isSandbox ? SandboxClock(aheadUSec: try Keepsake.clockOffset(in: store)) : MachineClock()
      if let copy = try await store.write({ [now = clock.now.usec] in try $0.takeUpCopy(nowUSec: now) }) {
        log.write(.tookUpBackup(copy))
      }
      var rules = BrokerRules(
        isSandbox: isSandbox, policy: configuration.policy, apps: configuration.apps,
        limits: configuration.limits.questions, coolDowns: configuration.coolDowns,
        salt: try await Keepsake.salt(in: store))
      rules.retention = configuration.retention
      let broker = Broker(
        store: store, clock: clock, rules: rules, accounts: isSandbox ? NoAccounts() : MachineAccounts())
      broker.failed = { cause = $0 as? StoreError }
      broker.ended = { [log] in log.write(.questionEnded($0)) }
      try await broker.expireDue()
      broker.failed = { [log, storePath] in log.write(.storageFailed($0, store: storePath)) }
      return (broker, clock)
    } catch let other as Keepsake.OtherPurpose {
      throw Fault.otherPurpose(other.purpose, path: storePath)
    } catch {
      guard let known = error as? StoreError ?? cause else { throw error }
      throw Fault.store(known, path: storePath)
    }
  }

  private func serve(
    _ broker: Broker, _ clock: any DaemonClock, _ configuration: Configuration, _ status: StatusLine
  ) throws -> Server {
    let authority = Authority(
      isSandbox: isSandbox, administrators: configuration.administrators, apps: configuration.apps)
    let server = try Server(authority, configuration.limits, clock, log: log)
    let reloading = Reloading(options, server, broker, status, log: log)
    let handed = try Sockets.handed()
    let sockets = try Sockets.open(handed, below: options.runtimeDirectory)
    for (role, socket) in sockets {
      let dispatcher = try Dispatcher(
        services(on: role, broker, clock, server, reloading), log: log,
        interfaces: try Contract.interfaces(on: role, isSandbox: isSandbox))
      try server.listen(on: socket, as: role, dispatcher)
    }
    server.goOn(with: TakingOver.arrivals(from: handed, log: log))
    return server
  }

  private func services(
    on role: SocketRole, _ broker: Broker, _ clock: any DaemonClock, _ server: Server, _ reloading: Reloading
  ) -> [any Service] {
    let authority = server.authority
    switch role {
    case .apps:
      return [PermissionService(broker, authority), AgeRangeService(broker, authority)]
    case .guardians:
      let administration = AdministrationService(broker, server, reloading)
      let guardian = GuardianService(broker, authority)
      guard let clock = clock as? SandboxClock else { return [guardian, administration] }
      return [guardian, administration, SandboxService(broker, clock, server)]
    }
  }
}

/// The signal to end.
@Loop
private final class EndSignal {
  private let doorbell = Doorbell()
  private var signals: Signals?

  init() throws(SystemError) {
    signals = try Signals([SIGTERM, SIGINT]) { [doorbell] _ in doorbell.ring() }
  }

  /// Waits for SIGTERM or SIGINT.
  func signal() async { _ = await doorbell.wait() }
}
