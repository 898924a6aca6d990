// SPDX-License-Identifier: Apache-2.0
//
// One peer's socket and its half of the protocol.
//
// Bytes go in and out here, and calls are handed to the server one at a time. A peer that sends nonsense or does not
// read loses its own connection and nothing else; a peer that leaves while its call waits ends that wait and no
// question.

import ConsentInterface
import HostRuntime
import Varlink

/// A connected peer.
@Loop
final class Connection {
  /// What becomes of a connection, told to its server.
  struct Owner {
    let role: SocketRole
    let serve: @Loop (Exchange) -> Void
    let violated: @Loop (Connection, ProtocolViolation) -> Void
    let closed: @Loop (Connection) -> Void
    /// A connection that takes no more calls has none in progress any more, or one that only waits.
    let rested: @Loop () -> Void
  }

  /// What another process needs to go on with a connection.
  struct Departure {
    let entry: Handover.Entry
    let socket: StreamSocket
    /// By when the call in progress came to rest, among all calls.
    let turn: UInt64
  }

  /// How long a stream's peer may take for what it was sent, microseconds.
  private static let patienceUSec: Int64 = 30_000_000

  let peer: PeerCredentials
  private let socket: StreamSocket
  private let owner: Owner
  private var session: ServerSession
  /// Where the first call had come to in an earlier process.
  private var resumption: Resumption?
  private var watch: Watch?
  private var exchange: Exchange?
  private var isAdvancing = false
  /// Whether the connection ends once everything is sent.
  private var isEnding = false
  /// Whether no further call is taken.
  private var isPaused = false
  /// Runs while the peer is awaited to take what was sent.
  private var patience: Timer?

  /// Takes over a socket, and what an earlier process left of it: `goOn` then begins with that.
  init(
    _ peer: PeerCredentials, _ socket: StreamSocket, owner: Owner, goingOnWith entry: Handover.Entry? = nil
  ) throws(SystemError) {
    self.peer = peer
    self.socket = socket
    self.owner = owner
    resumption = entry?.resumption
    session = ServerSession(goingOnWith: entry?.remainder ?? .init())
    watch = try Watch(socket.descriptor, interest: .readable) { [weak self] in self?.becameReady($0) }
  }

  /// Whether so much is unsent that a stream should pause.
  var isBehind: Bool { session.unsent >= SessionLimits.standard.outputPauseBytes }

  /// Whether so much is unsent that a live stream ends.
  var isTooSlow: Bool { session.isOverLimit }

  /// Queues a reply of the call in progress and sends what the socket takes.
  func send(_ reply: Reply) {
    session.send(reply)
    if !session.callInProgress {
      exchange = nil
      cameToRest()
    }
    if !isAdvancing { advance() }
  }

  /// Ends the connection once everything is sent, and in any case after a grace period.
  func closeWhenSent() {
    guard watch != nil, !isEnding else { return }
    isEnding = true
    limitPatience()
    advance()
  }

  /// Ends the connection unless the peer soon takes what was sent.
  func limitPatience() {
    guard patience == nil else { return }
    do throws(SystemError) {
      patience = try Timer(.boot) { [weak self] in self?.close() }
      patience?.arm(at: HostClock.bootUSec() + Self.patienceUSec)
    } catch {
      close()
    }
  }

  /// Ends the connection; a call in progress is abandoned.
  func close() {
    guard let open = watch else { return }
    open.cancel()
    watch = nil
    patience = nil
    exchange?.abandon()
    exchange = nil
    owner.closed(self)
  }

  /// Sends and serves what an earlier process left.
  func goOn() { advance() }

  /// Takes no further call. What is in progress goes on, and what was answered is sent.
  func pause() {
    isPaused = true
    updateInterest()
  }

  /// Whether a call is in progress that does not merely wait.
  var isBusy: Bool { exchange.map { $0.restingPlace == nil } ?? false }

  /// The call in progress waits, or has ended.
  func cameToRest() {
    if isPaused { owner.rested() }
  }

  /// Ends the connection for this process, and gives what another needs to go on with it; `nil` where the peer is owed
  /// nothing, and where a call is in progress that only this process could end.
  func leave() -> Departure? {
    guard watch != nil else { return nil }
    defer { close() }
    guard !isBusy, isEnding || !session.wantsInput || receive(), flush() else { return nil }
    var remainder = session.remainder(puttingBack: exchange?.call)
    if isEnding { remainder = .init(output: remainder.output, inputEnded: true) }
    guard !remainder.isEmpty else { return nil }
    let resumption = exchange?.restingPlace?() ?? resumption
    return Departure(
      entry: .init(role: owner.role, remainder: remainder, resumption: resumption), socket: socket,
      turn: exchange?.turn ?? 0)
  }

  /// Whether a call is in progress whose caller would want to hear of it.
  private var isAwaited: Bool { exchange.map { !$0.call.oneway } ?? false }

  private func becameReady(_ readiness: Watch.Readiness) {
    if readiness.contains(.hangUp), isAwaited || !receive() { return close() }
    if readiness.contains(.readable), session.wantsInput, !receive() { return close() }
    advance()
  }

  /// Takes what has arrived, at most one buffer of it; `false` where the connection is broken.
  private func receive() -> Bool {
    switch ReceiveBuffer.shared.receive(from: socket, into: &session) {
    case .bytes, .wouldBlock: break
    case .ended: session.endOfInput()
    case .failed: return false
    }
    return true
  }

  /// Serves what can be served, sends what can be sent, and waits for the rest.
  private func advance() {
    isAdvancing = true
    defer { isAdvancing = false }
    guard !isEnding else { return finishSending() }
    guard !isPaused else { return flush() ? updateInterest() : close() }
    do throws(ProtocolViolation) {
      var hasMore = true
      while hasMore {
        let wasBehind = isBehind
        let step = try session.next()
        if case .call(let call) = step { begin(call) }
        guard flush() else { return close() }
        if step == .finished, session.unsent == 0 { return close() }
        // Sending may have made room for calls that were read while there was none: no new byte would announce them.
        hasMore = (step != .idle && step != .finished) || (wasBehind && !isBehind)
      }
    } catch {
      owner.violated(self, error)
      return close()
    }
    if !isBehind {
      patience = nil
      exchange?.resumeDrained()
    }
    updateInterest()
  }

  /// Sends the rest before the end; nothing more is read.
  private func finishSending() {
    guard flush(), session.unsent > 0 else { return close() }
    watch?.interest = .writable
  }

  private func begin(_ call: MethodCall) {
    let exchange = Exchange(call, on: self, resuming: resumption.take())
    self.exchange = exchange
    owner.serve(exchange)
  }

  /// Sends until the socket is full; `false` where the peer is lost.
  private func flush() -> Bool {
    while session.unsent > 0 {
      switch session.withUnsent({ socket.send($0) }) {
      case .bytes(let count): session.sent(count)
      case .wouldBlock: return true
      case .ended, .failed: return false
      }
    }
    return true
  }

  private func updateInterest() {
    var interest: Watch.Interest = []
    if session.wantsInput, !isPaused { interest.insert(.readable) }
    if session.unsent > 0 { interest.insert(.writable) }
    watch?.interest = interest
  }
}

/// The one buffer that all connections receive into: what they keep, they keep for themselves.
@Loop
private final class ReceiveBuffer {
  static let shared = ReceiveBuffer()
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  func receive(from socket: StreamSocket, into session: inout ServerSession) -> StreamSocket.Transfer {
    let transfer = socket.receive(into: bytes)
    if case .bytes(let count) = transfer { session.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    return transfer
  }
}
