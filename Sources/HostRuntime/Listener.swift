// SPDX-License-Identifier: Apache-2.0
//
// Takes connections. A failure to take one is never the end of taking them: what concerns one connection refuses that
// one, and what concerns the machine is tried again a little later.
//
// When descriptors run out, one that was kept in reserve is given up for the moment it takes to accept the newest
// connection and close it: that peer sees an end at once instead of a silence, and those already served notice nothing.

internal import CLinux
internal import Glibc

/// Hands each new connection, with who made it, to its handler.
@Loop
package final class Listener {
  /// What came of a connection.
  package enum Arrival: Sendable {
    /// A peer that is identified.
    case connected(StreamSocket, PeerCredentials)
    /// A connection that was closed, or could not even be taken; for a log line and a count.
    case refused(SystemError)
  }

  /// How many connections are taken before everything else on the loop gets its turn.
  static let acceptsPerTurn = 16
  /// How long to wait before trying again what the machine cannot do now.
  private static let pauseUSec: Int64 = 100_000

  private let socket: ListeningSocket
  private var handler: (@Loop (Arrival) -> Void)?
  private var reserve: Descriptor?
  private var watch: Watch?
  private var pause: Timer?

  /// Begins to take connections. The handler is kept, with all it holds, until the listener is closed or let go.
  package init(_ socket: ListeningSocket, handler: @escaping @Loop (Arrival) -> Void) throws(SystemError) {
    self.socket = socket
    self.handler = handler
    reserve = try Self.openReserve()
    watch = try Watch(socket.descriptor, interest: .readable) { [weak self] _ in self?.acceptBatch() }
    pause = try Timer(.boot) { [weak self] in self?.resume() }
  }

  /// Takes no more connections, and removes the socket's file where this process made it.
  package func close() {
    watch?.cancel()
    watch = nil
    pause = nil
    reserve = nil
    handler = nil
    socket.removePath()
  }

  private func acceptBatch() {
    for _ in 0..<Self.acceptsPerTurn where watch?.interest == .readable {
      let number = linux_accept(socket.descriptor.number)
      if number >= 0 {
        admit(StreamSocket(Descriptor(owning: number)))
        continue
      }
      switch errno {
      case EAGAIN: return
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE: refuseNewest(.last("accept4"))
      default: holdOff(.last("accept4"))
      }
    }
  }

  private func admit(_ connection: StreamSocket) {
    do {
      handler?(.connected(connection, try PeerCredentials(of: connection)))
    } catch {
      handler?(.refused(error))
    }
  }

  private func refuseNewest(_ reason: SystemError) {
    guard reserve != nil else { return holdOff(reason) }
    reserve = nil
    let number = linux_accept(socket.descriptor.number)
    if number >= 0 { Glibc.close(number) }
    reserve = try? Self.openReserve()
    if number >= 0 { handler?(.refused(reason)) }
  }

  private func holdOff(_ reason: SystemError) {
    watch?.interest = []
    pause?.arm(at: HostClock.bootUSec() + Self.pauseUSec)
    handler?(.refused(reason))
  }

  private func resume() {
    if reserve == nil { reserve = try? Self.openReserve() }
    watch?.interest = .readable
  }

  private static func openReserve() throws(SystemError) -> Descriptor {
    try Descriptor(opening: open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null")
  }
}
