// SPDX-License-Identifier: Apache-2.0
//
// The sockets and everybody connected to them.
//
// Whoever connects is admitted here, whether it has just come or was handed over: `admit` is the one way in. What each
// may take is in the `Ledger`, what becomes of who takes more in `Server+Limiting`.

import ConsentBroker
import ConsentInterface
import HostRuntime
import Varlink

/// Listens on the daemon's sockets and keeps their connections.
@Loop
final class Server {
  let authority: Authority
  let ledger: Ledger
  let patience: Patience
  let throttle: Throttle
  let turns: Turns
  private let clock: any DaemonClock
  private let log: Log
  private var listeners: [Listener] = []
  private var dispatchers: [SocketRole: Dispatcher] = [:]
  private(set) var connections: [ObjectIdentifier: Connection] = [:]
  /// Rings when a call in progress has ended or waits, once the daemon is to stop.
  private let restBell = Doorbell()
  /// Connections closed because the peer broke the protocol, since the start.
  private(set) var protocolViolations: Int64 = 0

  init(_ authority: Authority, _ limits: Limits, _ clock: any DaemonClock, log: Log) throws(SystemError) {
    self.authority = authority
    self.clock = clock
    self.log = log
    let ledger = Ledger(limits, at: clock.bootUSec)
    self.ledger = ledger
    turns = try Turns()
    patience = try Patience { clock.bootUSec }
    throttle = try Throttle { ledger.callsLeft(of: $0, at: clock.bootUSec) }
  }

  /// Boot-time microseconds, as a sandbox moves them.
  var now: Int64 { clock.bootUSec }

  /// What callers may take. Set anew, it holds for those who are connected as well.
  var limits: Limits {
    get { ledger.limits }
    set { ledger.adopt(newValue, at: now, rank: authority.rank) }
  }

  /// Serves the peers of a listening socket with `dispatcher`.
  func listen(on socket: ListeningSocket, as role: SocketRole, _ dispatcher: Dispatcher) throws(SystemError) {
    dispatchers[role] = dispatcher
    listeners.append(
      try Listener(socket) { [weak self] arrival in
        switch arrival {
        case .connected(let socket, let peer): self?.admit(peer, socket, as: role)
        case .refused(let reason): self?.noteRefused(reason)
        }
      })
  }

  /// Serves a connection, a new one or one that an earlier process left; one above a limit is told so at its first
  /// call, or closed at once where too many are told already.
  @discardableResult
  func admit(
    _ peer: PeerCredentials, _ socket: StreamSocket, as role: SocketRole, goingOnWith entry: Handover.Entry? = nil
  ) -> Connection? {
    guard let dispatcher = dispatchers[role] else { return nil }
    let account = ledger.account(of: peer.uid, authority.rank(of: peer.uid), at: now)
    let refusal = makeRoom(for: account)
    if let refusal {
      note(refusal, of: account)
      guard ledger.mayTellRefusal(to: account, at: now) else { return nil }
    }
    let charge = Charge(ledger, account)
    do {
      let connection = try Connection(
        peer, socket, at: Connection.Place(server: self, role: role, dispatcher: dispatcher), charge, refusal: refusal,
        goingOnWith: entry)
      charge.hold { held in
        if refusal == nil { held.connections = 1 } else { held.refusals = 1 }
      }
      connections[ObjectIdentifier(connection)] = connection
      return connection
    } catch {
      log.write(.connectionRefused(error, uid: peer.uid))
      return nil
    }
  }

  /// A connection has ended.
  func closed(_ connection: Connection) {
    connections.removeValue(forKey: ObjectIdentifier(connection))
    restBell.ring()
  }

  /// A connection that takes no more calls has none in progress any more, or one that only waits.
  func rested() { restBell.ring() }

  /// A peer broke the protocol.
  func violated(_ connection: Connection, _ violation: ProtocolViolation) {
    protocolViolations += 1
    log.write(.protocolViolation(violation, uid: connection.peer.uid, pid: connection.peer.pid))
  }

  /// A user met a limit.
  func note(_ limit: Limit, of account: Account) {
    ledger.note(limit)
    log.write(.limitMet(limit, uid: account.uid))
  }

  private func noteRefused(_ reason: SystemError) {
    log.write(.connectionRefused(reason, uid: nil))
  }
}

// MARK: From one process to the next

extension Server {
  /// How long calls in progress may take once the daemon is to stop, microseconds.
  private static let patienceUSec: Int64 = 1_000_000

  /// Goes on with the connections of an earlier process.
  func goOn(with arrivals: [TakingOver.Arrival]) {
    if !arrivals.isEmpty { log.write(.tookOver(arrivals.count)) }
    for arrival in arrivals {
      admit(arrival.peer, arrival.socket, as: arrival.entry.role, goingOnWith: arrival.entry)?.goOn()
    }
  }

  /// Takes no more peers and no more calls; returns when every call in progress has ended or waits for somebody, or has
  /// had time enough.
  func settle() async {
    for listener in listeners { listener.close() }
    for connection in connections.values { connection.pause() }
    guard let patience = try? Timer(.boot, handler: { [restBell] in restBell.close() }) else { return }
    patience.arm(at: HostClock.bootUSec() + Self.patienceUSec)
    while connections.values.contains(where: \.isBusy), await restBell.wait() == .rung {}
    patience.arm(at: nil)
  }

  /// Ends every connection, and gives those that another process could go on with.
  func leave() -> [Connection.Departure] {
    connections.values.compactMap { $0.leave() }
  }
}
