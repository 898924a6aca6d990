// SPDX-License-Identifier: Apache-2.0
//
// One poll(2) loop over a listener and its connections, each with a session. What a session refuses ends its
// connection and no other.

import Glibc
import Varlink

/// Serves the certification.
final class PollingServer {
  /// One client.
  private final class Connection {
    let socket: UnixSocket
    var session = ServerSession()
    var isOpen = true

    init(_ socket: UnixSocket) {
      self.socket = socket
    }
  }

  private let listener: UnixSocket
  private var service: CertificationService
  private var connections: [Connection] = []

  init(listener: UnixSocket, service: CertificationService) {
    self.listener = listener
    self.service = service
  }

  /// Serves until poll fails.
  func run() throws {
    while true {
      var waits = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
      waits += connections.map { pollfd(fd: $0.socket.descriptor, events: interest(in: $0.session), revents: 0) }
      guard poll(&waits, nfds_t(waits.count), -1) >= 0 else { throw SystemFailure("poll") }
      for (connection, wait) in zip(connections, waits.dropFirst()) where wait.revents != 0 {
        serve(connection, wait.revents)
      }
      connections.removeAll { !$0.isOpen }
      if waits.first?.revents != 0 { connections.append(Connection(try listener.accept())) }
    }
  }

  private func interest(in session: ServerSession) -> Int16 {
    Int16((session.wantsInput ? POLLIN : 0) | (session.unsent > 0 ? POLLOUT : 0))
  }

  private func serve(_ connection: Connection, _ ready: Int16) {
    do {
      guard ready & Int16(POLLERR | POLLNVAL) == 0 else { throw SystemFailure("poll on a connection") }
      if connection.session.wantsInput, ready & Int16(POLLIN | POLLHUP) != 0 { try receive(connection) }
      try answerAll(connection)
    } catch {
      print("closed a connection: \(error)")
      fflush(nil)
      connection.isOpen = false
    }
  }

  private func receive(_ connection: Connection) throws {
    let bytes = try connection.socket.receive()
    if bytes.isEmpty {
      connection.session.endOfInput()
    } else {
      bytes.withUnsafeBytes { connection.session.receive($0) }
    }
  }

  /// Carries out what the session holds, and sends as long as the socket takes it.
  private func answerAll(_ connection: Connection) throws {
    var step = try connection.session.next()
    while true {
      if case .call(let call) = step {
        for reply in service.answer(call) { connection.session.send(reply) }
      } else {
        let sent = try connection.session.withUnsent { try connection.socket.send($0, waits: false) }
        guard sent > 0 else { break }
        connection.session.sent(sent)
      }
      step = try connection.session.next()
    }
    connection.isOpen = step != .finished || connection.session.unsent > 0
  }
}
