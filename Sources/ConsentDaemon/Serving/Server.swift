// SPDX-License-Identifier: Apache-2.0
//
// The sockets and everybody connected to them.

import ConsentBroker
import ConsentInterface
import HostRuntime
import Varlink

/// Listens on the daemon's sockets and keeps their connections.
@Loop
final class Server {
  /// How long calls in progress may take once the daemon is to stop, microseconds.
  private static let patienceUSec: Int64 = 1_000_000

  private let log: Log
  private var listeners: [Listener] = []
  private var owners: [SocketRole: Connection.Owner] = [:]
  private var connections: [ObjectIdentifier: Connection] = [:]
  /// Rings when a call in progress has ended or waits, once the daemon is to stop.
  private let restBell = Doorbell()
  /// Connections closed because the peer broke the protocol, since the start.
  private(set) var protocolViolations: Int64 = 0

  init(log: Log) {
    self.log = log
  }

  /// Serves the peers of a listening socket with `dispatcher`.
  func listen(on socket: ListeningSocket, as role: SocketRole, _ dispatcher: Dispatcher) throws(SystemError) {
    let owner = Connection.Owner(
      role: role,
      serve: { dispatcher.serve($0) },
      violated: { [weak self] in self?.note($1, of: $0) },
      closed: { [weak self] in self?.forget($0) },
      rested: { [restBell] in restBell.ring() })
    owners[role] = owner
    listeners.append(
      try Listener(socket) { [weak self] arrival in
        self?.take(arrival, owner: owner)
      })
  }

  /// Goes on with the connections of an earlier process.
  func goOn(with arrivals: [TakingOver.Arrival]) {
    for arrival in arrivals {
      guard let owner = owners[arrival.entry.role] else { continue }
      accept(arrival.peer, arrival.socket, owner: owner, goingOnWith: arrival.entry)?.goOn()
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

  private func take(_ arrival: Listener.Arrival, owner: Connection.Owner) {
    switch arrival {
    case .connected(let socket, let peer): accept(peer, socket, owner: owner)
    case .refused(let reason): log.write(.connectionRefused(reason, uid: nil))
    }
  }

  @discardableResult
  private func accept(
    _ peer: PeerCredentials, _ socket: StreamSocket, owner: Connection.Owner, goingOnWith entry: Handover.Entry? = nil
  ) -> Connection? {
    do {
      let connection = try Connection(peer, socket, owner: owner, goingOnWith: entry)
      connections[ObjectIdentifier(connection)] = connection
      return connection
    } catch {
      log.write(.connectionRefused(error, uid: peer.uid))
      return nil
    }
  }

  private func forget(_ connection: Connection) {
    connections.removeValue(forKey: ObjectIdentifier(connection))
    restBell.ring()
  }

  private func note(_ violation: ProtocolViolation, of connection: Connection) {
    protocolViolations += 1
    log.write(.protocolViolation(violation, uid: connection.peer.uid, pid: connection.peer.pid))
  }
}
