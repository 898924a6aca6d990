// SPDX-License-Identifier: Apache-2.0
//
// The sockets and everybody connected to them.
//
// Whoever connects is admitted here, whether it has just come or was handed over: `admit` is the one way in. What each
// may take is in the `Ledger`, what becomes of who takes more in `Server+Limiting`.

import ConsentBroker
import HostRuntime
import Varlink

/// Listens on the daemon's sockets and keeps their connections.
@Loop
final class Server {
  let authority: Authority
  let ledger: Ledger
  let patience: Patience
  let throttle: Throttle
  private let clock: any DaemonClock
  private let log: Journal
  private var listeners: [Listener] = []
  private(set) var connections: [ObjectIdentifier: Connection] = [:]
  /// Connections closed because the peer broke the protocol, since the start.
  private(set) var protocolViolations: Int64 = 0

  init(_ authority: Authority, _ limits: Limits, _ clock: any DaemonClock, log: Journal) throws(SystemError) {
    self.authority = authority
    self.clock = clock
    self.log = log
    let ledger = Ledger(limits, at: clock.bootUSec)
    self.ledger = ledger
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
  func listen(on socket: ListeningSocket, _ dispatcher: Dispatcher) throws(SystemError) {
    listeners.append(
      try Listener(socket) { [weak self] arrival in
        switch arrival {
        case .connected(let socket, let peer): self?.admit(peer, socket, to: dispatcher)
        case .refused(let reason): self?.noteRefused(reason)
        }
      })
  }

  /// Takes no more peers and ends every connection.
  func close() {
    for listener in listeners { listener.close() }
    for connection in Array(connections.values) { connection.close() }
  }

  /// Serves a connection, a new one or one that was handed over; one above a limit is told so at its first call, or
  /// closed at once where too many are told already.
  @discardableResult
  func admit(_ peer: PeerCredentials, _ socket: StreamSocket, to dispatcher: Dispatcher) -> Connection? {
    let account = ledger.account(of: peer.uid, authority.rank(of: peer.uid), at: now)
    let refusal = makeRoom(for: account)
    if let refusal {
      note(refusal, of: account)
      guard ledger.mayTellRefusal(to: account, at: now) else { return nil }
    }
    let charge = Charge(ledger, account)
    do {
      let connection = try Connection(peer, socket, of: self, dispatcher, charge, refusal: refusal)
      charge.hold { held in
        if refusal == nil { held.connections = 1 } else { held.refusals = 1 }
      }
      connections[ObjectIdentifier(connection)] = connection
      return connection
    } catch {
      log.log(.warning, "cannot serve a new connection of uid \(peer.uid): \(error)")
      return nil
    }
  }

  /// A connection has ended.
  func closed(_ connection: Connection) { connections.removeValue(forKey: ObjectIdentifier(connection)) }

  /// A peer broke the protocol.
  func violated(_ connection: Connection, _ violation: ProtocolViolation) {
    protocolViolations += 1
    log.log(
      .warning, "closed a connection of uid \(connection.peer.uid), pid \(connection.peer.pid): \(violation)")
  }

  /// A user met a limit.
  func note(_ limit: Limit, of account: Account) {
    guard ledger.note(limit, of: account, at: now) else { return }
    log.log(.warning, "uid \(account.uid) \(limit.sentence) (no more lines about this for a minute)")
  }

  private func noteRefused(_ reason: SystemError) {
    log.log(.warning, "refused a connection: \(reason)")
  }
}
