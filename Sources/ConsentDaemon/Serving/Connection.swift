// SPDX-License-Identifier: Apache-2.0
//
// One peer's socket and its half of the protocol.
//
// Bytes go in and out here, and calls are handed to the server one at a time. A peer that sends nonsense or does not
// read loses its own connection and nothing else; a peer that leaves while its call waits ends that wait and no
// question. What is limited is judged by the server (`Server+Limiting`); here stands what becomes of the socket then:
//
// - a turn serves so many calls, then come everybody else's (`Hold.turn`);
// - over the call rate nothing is read until the server says so (`Hold.rate`);
// - what the peer owes, taking what was sent or ending what it began, it owes by `deadline`.

import ConsentInterface
import HostRuntime
import Varlink

/// A connected peer.
@Loop
final class Connection {
  /// Where a connection belongs.
  struct Place {
    let server: Server
    let role: SocketRole
    /// Answers the calls that come over the connection.
    let dispatcher: Dispatcher
  }

  let peer: PeerCredentials
  let charge: Charge
  let place: Place
  /// Above a limit: the first call is refused with this and the connection ends.
  let refusal: Limit?
  /// When the peer last did something, boot-time microseconds.
  private(set) var usedAt: Int64
  /// By when the peer has to do what it owes; boot-time microseconds.
  private(set) var deadline: Int64?

  let socket: StreamSocket
  private(set) var session: ServerSession
  /// Where the first call had come to in an earlier process.
  private(set) var resumption: Resumption?
  private(set) var exchange: Exchange?
  private var watch: Watch?
  private var isAdvancing = false
  /// Whether the connection ends once everything is sent.
  private(set) var isEnding = false
  /// Whether no further call is taken.
  private var isPaused = false
  /// Why nothing is read and no call served until `resume`.
  private var hold: Hold?

  private enum Hold {
    /// It is others' turn.
    case turn
    /// The user calls too often.
    case rate
  }

  /// Takes over a socket, and what an earlier process left of it: `goOn` then begins with that.
  init(
    _ peer: PeerCredentials, _ socket: StreamSocket, at place: Place, _ charge: Charge, refusal: Limit?,
    goingOnWith entry: Handover.Entry?
  ) throws(SystemError) {
    self.peer = peer
    self.socket = socket
    self.place = place
    self.charge = charge
    self.refusal = refusal
    resumption = entry?.resumption
    session = ServerSession(goingOnWith: entry?.remainder ?? .init())
    usedAt = place.server.now
    watch = try Watch(socket.descriptor, interest: .readable) { [weak self] in self?.becameReady($0) }
    if refusal != nil { owe() }
  }

  private var server: Server { place.server }

  /// Whether so much is unsent that a stream should pause.
  var isBehind: Bool { session.unsent >= SessionLimits.standard.outputPauseBytes }

  /// Whether so much is unsent that a live stream ends.
  var isTooSlow: Bool { session.isOverLimit }

  /// Whether no answer is lost if the connection ends now.
  var isIdle: Bool { isOpen && exchange == nil && refusal == nil && !isEnding && session.unsent == 0 }

  var isOpen: Bool { watch != nil }

  /// Queues a reply of the call in progress and sends what the socket takes.
  func send(_ reply: Reply) {
    session.send(reply)
    if !session.callInProgress {
      exchange = nil
      charge.hold { $0.waiting = 0 }
      cameToRest()
    }
    if !isAdvancing { advance() }
  }

  /// Queues an encoded reply of the call in progress, one that others follow, and sends what the socket takes.
  func send(encoded: [UInt8]) {
    session.send(encoded: encoded, continues: true)
    if !isAdvancing { advance() }
  }

  /// The call in progress waits from now on; `false` where one more may not.
  func beginWaiting() -> Bool { charge.held.waiting > 0 || server.beginWaiting(charge) }

  /// Says that a limit was met.
  func note(_ limit: Limit) { server.note(limit, of: charge.account) }

  /// Ends the connection once everything is sent, and in any case after a grace period.
  func closeWhenSent() {
    guard isOpen, !isEnding else { return }
    isEnding = true
    owe()
    if !isAdvancing { advance() }
  }

  /// Reads and serves again.
  func resume() {
    guard isOpen, hold != nil else { return }
    hold = nil
    advance()
  }

  /// Sends and serves what an earlier process left.
  func goOn() { advance() }

  /// Takes no further call. What is in progress goes on, and what was answered is sent.
  func pause() {
    isPaused = true
    updateInterest()
  }

  /// The call in progress waits, or has ended.
  func cameToRest() {
    if isPaused { server.rested() }
  }

  /// Ends the connection; a call in progress is abandoned.
  func close() {
    guard let open = watch else { return }
    open.cancel()
    watch = nil
    setDeadline(nil)
    charge.release()
    server.closed(self)
    exchange?.abandon()
    exchange = nil
  }
}

// MARK: Moving on

extension Connection {
  /// Whether a call is in progress whose caller would want to hear of it.
  private var isAwaited: Bool { exchange.map { !$0.call.oneway } ?? false }

  private func becameReady(_ readiness: Watch.Readiness) {
    if readiness.contains(.hangUp) {
      if hold == .turn { return }
      if isAwaited || hold == .rate || !receive() { return close() }
    }
    if readiness.contains(.readable), session.wantsInput {
      if server.isInDebt(charge.account) { throttle() } else if !receive() { return close() }
    }
    advance()
  }

  /// Takes what has arrived, at most one buffer of it; `false` where the connection is broken.
  func receive() -> Bool {
    switch ReceiveBuffer.shared.receive(from: socket, into: &session) {
    case .bytes(let count): server.spend(bytes: count, of: charge.account)
    case .wouldBlock: break
    case .ended: session.endOfInput()
    case .failed: return false
    }
    return true
  }

  /// Serves what can be served, sends what can be sent, and waits for the rest.
  private func advance() {
    isAdvancing = true
    defer { isAdvancing = false }
    do throws(ProtocolViolation) {
      guard try serveCalls() else { return close() }
    } catch {
      server.violated(self, error)
      return close()
    }
    if isEnding, session.unsent == 0 { return close() }
    charge.hold { $0.queuedBytes = session.queued }
    guard server.maySpare(self) else { return close() }
    if !isBehind { exchange?.resumeDrained() }
    reviewDeadline()
    updateInterest()
  }

  /// Serves calls, as many as one turn allows; `false` where the peer is lost or there is nothing more to do.
  private func serveCalls() throws(ProtocolViolation) -> Bool {
    var left = Limits.callsPerTurn
    while !isEnding, !isPaused, hold == nil {
      guard left > 0 else {
        if !session.callInProgress { yieldTurn() }
        break
      }
      let wasBehind = isBehind
      let step = try session.next()
      if case .call(let call) = step { begin(call) }
      guard flush() else { return false }
      if step == .finished, session.unsent == 0 { return false }
      left -= 1
      // Sending may have made room for calls that were read while there was none: no new byte would announce them.
      let hasMore = (step != .idle && step != .finished) || (wasBehind && !isBehind)
      if !hasMore { return true }
    }
    return flush()
  }

  private func begin(_ call: MethodCall) {
    usedAt = server.now
    setDeadline(nil)
    let exchange = Exchange(call, on: self, resuming: resumption.take())
    self.exchange = exchange
    server.serve(exchange, on: self)
  }

  /// Nothing more is read or served until the server says so.
  func throttle() {
    hold = .rate
    server.throttle.add(self)
  }

  private func yieldTurn() {
    hold = .turn
    server.turns.add(self)
  }

  /// Sends until the socket is full; `false` where the peer is lost.
  func flush() -> Bool {
    while session.unsent > 0 {
      switch session.withUnsent({ socket.send($0) }) {
      case .bytes(let count):
        session.sent(count)
        server.spend(bytes: count, of: charge.account)
        if !isEnding { setDeadline(nil) }
      case .wouldBlock: return true
      case .ended, .failed: return false
      }
    }
    return true
  }

  private func updateInterest() {
    var interest: Watch.Interest = []
    if session.wantsInput, hold == nil, !isEnding, !isPaused { interest.insert(.readable) }
    if session.unsent > 0 { interest.insert(.writable) }
    watch?.interest = interest
  }
}

// MARK: Patience

extension Connection {
  /// Ends the connection if the peer still owes what it owed by now.
  func expire(at now: Int64) {
    guard let deadline, deadline <= now else { return }
    if refusal == nil { note(.patience) }
    close()
  }

  /// Finds out whether the peer owes something: to take what was sent, to end the message it began.
  private func reviewDeadline() {
    let isInsideMessage = session.isInsideMessage && hold == nil && !isPaused
    if session.unsent > 0 || isInsideMessage || isEnding || refusal != nil {
      if deadline == nil { owe() }
    } else {
      setDeadline(nil)
    }
  }

  private func owe() { setDeadline(server.now + (refusal == nil ? Limits.graceUSec : Limits.refusalGraceUSec)) }

  private func setDeadline(_ instant: Int64?) {
    guard deadline != instant else { return }
    deadline = instant
    server.patience.deadlineChanged(of: self)
  }
}
