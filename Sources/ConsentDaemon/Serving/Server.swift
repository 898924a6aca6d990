// SPDX-License-Identifier: Apache-2.0
//
// The sockets and everybody connected to them.

import HostRuntime
import Varlink

/// Listens on the daemon's sockets and keeps their connections.
@Loop
final class Server {
  private let log: Log
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: Connection] = [:]
  /// Connections closed because the peer broke the protocol, since the start.
  private(set) var protocolViolations: Int64 = 0

  init(log: Log) {
    self.log = log
  }

  /// Serves the peers of a listening socket with `dispatcher`.
  func listen(on socket: ListeningSocket, _ dispatcher: Dispatcher) throws(SystemError) {
    let owner = Connection.Owner(
      serve: { dispatcher.serve($0) },
      violated: { [weak self] in self?.note($1, of: $0) },
      closed: { [weak self] in self?.connections.removeValue(forKey: ObjectIdentifier($0)) })
    listeners.append(
      try Listener(socket) { [weak self] arrival in
        self?.take(arrival, owner: owner)
      })
  }

  /// Takes no more peers and ends every connection.
  func close() {
    for listener in listeners { listener.close() }
    for connection in Array(connections.values) { connection.close() }
  }

  private func take(_ arrival: Listener.Arrival, owner: Connection.Owner) {
    switch arrival {
    case .connected(let socket, let peer): accept(peer, socket, owner: owner)
    case .refused(let reason): log.write(.connectionRefused(reason, uid: nil))
    }
  }

  private func accept(_ peer: PeerCredentials, _ socket: StreamSocket, owner: Connection.Owner) {
    do {
      let connection = try Connection(peer, socket, owner: owner)
      connections[ObjectIdentifier(connection)] = connection
    } catch {
      log.write(.connectionRefused(error, uid: peer.uid))
    }
  }

  private func note(_ violation: ProtocolViolation, of connection: Connection) {
    protocolViolations += 1
    log.write(.protocolViolation(violation, uid: connection.peer.uid, pid: connection.peer.pid))
  }
}
