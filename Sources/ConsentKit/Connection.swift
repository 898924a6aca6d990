// SPDX-License-Identifier: Apache-2.0
//
// One connection to the daemon: calls go out in order, replies come back in order, and one reader takes them. What the
// reader does not take in time stays in the socket, so that a slow reader costs the daemon's patience and not our
// memory. Closing it is the only way to end a call early.

import Glibc
package import HostRuntime
package import StrictJSON
package import Varlink

/// A client's connection to one socket of the daemon.
@Loop
package final class Connection {
  /// How many replies are held for a reader before reading stops.
  private static let replyLimit = 64
  private static let chunk = 64 << 10

  private var socket: StreamSocket?
  private var session = ClientSession()
  private var watch: Watch?
  private var replies: [Reply] = []
  private var reader: CheckedContinuation<Result<Reply, ConsentError>, Never>?
  private var ending: ConsentError?

  /// Connects to whoever listens at `path`.
  package convenience init(to path: String) throws(ConsentError) {
    do throws(SystemError) {
      try self.init(StreamSocket.connect(path: path))
    } catch {
      throw .unreachable(path: path, reason: error.reason)
    }
  }

  /// Connects from anywhere, and sees to it that the loop turns: in a program that does not give its main thread to it,
  /// on a thread of its own.
  package nonisolated static func open(_ path: String) async throws(ConsentError) -> Connection {
    do throws(SystemError) {
      try Loop.start { Journal().log(.error, "the event loop has stopped: \($0)") }
    } catch {
      throw .unreachable(path: path, reason: error.reason)
    }
    return try await Connection(to: path)
  }

  /// Speaks over a socket that is connected.
  package init(_ socket: StreamSocket) throws(SystemError) {
    self.socket = socket
    watch = try Watch(socket.descriptor, interest: .readable) { [weak self] in self?.serve($0) }
  }

  /// Whether calls can still be sent.
  package var isOpen: Bool { ending == nil }

  /// Calls a method. With `more`, several replies may come.
  package func send(_ method: String, _ parameters: JSONObject = [:], more: Bool = false) {
    guard ending == nil else { return }
    session.call(method, parameters, more: more)
    transmit()
  }

  /// The next reply, which belongs to the oldest call that is not fully answered. One reader at a time.
  package func next() async throws(ConsentError) -> Reply {
    if !replies.isEmpty {
      let reply = replies.removeFirst()
      adjustInterest()
      return reply
    }
    if let ending { throw ending }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { park($0) }
    } onCancel: {
      Task { @Loop in self.end(.cancelled) }
    }.get()
  }

  /// The result of a call that has one reply.
  package func outcome() async -> Result<JSONObject, ConsentError> {
    do throws(ConsentError) {
      let reply = try await next()
      guard let name = reply.error else { return .success(reply.parameters) }
      return .failure(.refused(Refusal(name: name, parameters: reply.parameters)))
    } catch {
      return .failure(error)
    }
  }

  /// Ends the connection. A reader that waits is told `.cancelled`.
  package func close() { end(.cancelled) }
}

extension Connection {
  private func park(_ continuation: CheckedContinuation<Result<Reply, ConsentError>, Never>) {
    if let ending {
      continuation.resume(returning: .failure(ending))
    } else {
      reader = continuation
    }
  }

  private func serve(_ readiness: Watch.Readiness) {
    if readiness.contains(.writable) { transmit() }
    if readiness.contains(.readable) { receive() }
    if readiness.contains(.hangUp), !readiness.contains(.readable) { end(.connectionLost) }
  }

  private func receive() {
    let transfer = withUnsafeTemporaryAllocation(byteCount: Connection.chunk, alignment: 1) { buffer in
      let transfer = socket?.receive(into: buffer) ?? .ended
      if case .bytes(let count) = transfer { session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return transfer
    }
    switch transfer {
    case .bytes: deliver()
    case .wouldBlock: break
    case .ended, .failed: end(.connectionLost)
    }
  }

  private func deliver() {
    do throws(ProtocolViolation) {
      while let reply = try session.next() { accept(reply) }
      adjustInterest()
    } catch {
      end(.protocolViolation("\(error)"))
    }
  }

  private func accept(_ reply: Reply) {
    if let reader = reader.take() {
      reader.resume(returning: .success(reply))
    } else {
      replies.append(reply)
    }
  }

  /// What a daemon that has left cannot take is dropped; that it has left is read behind its last replies.
  private func transmit() {
    while let socket, session.unsent > 0 {
      switch session.withUnsent({ socket.send($0) }) {
      case .bytes(let count): session.sent(count)
      case .wouldBlock: return adjustInterest()
      case .ended, .failed: session.sent(session.unsent)
      }
    }
    adjustInterest()
  }

  private func adjustInterest() {
    var interest: Watch.Interest = session.unsent > 0 ? .writable : []
    if replies.count < Connection.replyLimit { interest.insert(.readable) }
    watch?.interest = interest
  }

  /// What came before the end is still read.
  private func end(_ error: ConsentError) {
    guard ending == nil else { return }
    ending = error
    watch?.cancel()
    watch = nil
    socket = nil
    reader.take()?.resume(returning: .failure(error))
  }
}

extension SystemError {
  /// The system's sentence for the errno, without the call.
  fileprivate var reason: String { String(cString: strerror(errno)) }
}
