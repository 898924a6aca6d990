// SPDX-License-Identifier: Apache-2.0
//
// The server's half of one connection: bytes in, calls out; replies in, bytes out. It knows no socket and no clock.
//
// Calls are handed out one at a time and strictly in order: none while one is in progress, none while much output is
// unsent. So a stream holds back what was pipelined behind it, and a peer that does not read cannot make us write.
// It refuses what has no reply by throwing; the owner then closes the connection.

internal import StrictJSON

/// The server's half of one Varlink connection.
package struct ServerSession {
  /// What the owner does next.
  package enum Step: Sendable, Equatable {
    /// Carry out this call and send its replies.
    case call(MethodCall)
    /// Nothing, until bytes arrive, the call in progress has ended, or output was sent.
    case idle
    /// The peer sends no more and every call is answered: close once nothing is unsent.
    case finished
  }

  /// The replies that the call in progress may still get.
  private enum Expected {
    case nothing, one, many, silence

    init(_ kind: MethodCall.Kind) {
      switch kind {
      case .single, .upgrade: self = .one
      case .more: self = .many
      case .oneway: self = .silence
      }
    }
  }

  private let limits: SessionLimits
  private var input = InputBuffer()
  private var output = OutputBuffer()
  private var expected = Expected.nothing
  private var inputEnded = false

  package init(limits: SessionLimits = .standard) {
    self.limits = limits
  }

  // MARK: From one process to the next

  /// The bytes of a session that are still to be dealt with.
  package struct Remainder: Sendable, Equatable {
    /// What the peer sent and was not answered.
    package var input: [UInt8]
    /// What the peer is to be sent, from the middle of a message perhaps.
    package var output: [UInt8]
    /// Whether the peer sends no more.
    package var inputEnded: Bool

    package init(input: [UInt8] = [], output: [UInt8] = [], inputEnded: Bool = false) {
      self.input = input
      self.output = output
      self.inputEnded = inputEnded
    }

    /// Whether nobody is owed anything.
    package var isEmpty: Bool { input.isEmpty && output.isEmpty }
  }

  /// A session that goes on where another ended.
  package init(goingOnWith remainder: Remainder, limits: SessionLimits = .standard) {
    self.init(limits: limits)
    remainder.input.withUnsafeBytes { input.append($0) }
    if !remainder.output.isEmpty { output.append(encoded: remainder.output) }
    inputEnded = remainder.inputEnded
  }

  /// What a session elsewhere needs to go on with this one. `call`, the one in progress, is put back in front of the
  /// input, so that it is the first to be handed out there.
  package func remainder(puttingBack call: MethodCall?) -> Remainder {
    let message = call.map { $0.message.encoded() + [0] } ?? []
    return Remainder(input: message + input.rest, output: output.withUnsent { Array($0) }, inputEnded: inputEnded)
  }

  // MARK: Calls

  /// Takes bytes from the peer, cut anywhere.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    input.append(bytes)
  }

  /// The peer sends no more. What it sent before is still answered.
  package mutating func endOfInput() {
    inputEnded = true
  }

  /// The next thing to do; ask again after every `receive`, `endOfInput`, `send` and `sent`, until it is not a call.
  /// A violation is final: asked again, it is thrown again.
  package mutating func next() throws(ProtocolViolation) -> Step {
    guard !callInProgress, unsent < limits.outputPauseBytes else { return .idle }
    let call = try input.next(limit: limits.messageBytes) { (message) throws(ProtocolViolation) in
      try MethodCall(parsing: message)
    }
    if let call {
      expected = Expected(call.kind)
      return .call(call)
    }
    guard inputEnded else { return .idle }
    guard input.count == 0 else { throw .inputEndedInsideMessage }
    return .finished
  }

  /// Whether a call was handed out whose last reply is still to come.
  package var callInProgress: Bool { expected != .nothing }

  /// Whether the owner should read from the peer.
  package var wantsInput: Bool {
    !inputEnded && unsent < limits.outputPauseBytes && !(callInProgress && input.count >= limits.parkedInputBytes)
  }

  /// Whether a message has begun and its end is awaited; to be asked when `next` has said that there is nothing to do.
  package var isInsideMessage: Bool { !callInProgress && unsent < limits.outputPauseBytes && input.count > 0 }

  /// The bytes kept of this peer: unread input and unsent output.
  package var queued: Int { input.count + output.count }

  // MARK: Replies

  /// Answers the call in progress. Without `continues`, or to a call that did not ask for more, the reply is its last.
  /// Nothing is sent for a oneway call, and nothing while no call is in progress.
  package mutating func send(_ reply: Reply) {
    var reply = reply
    reply.continues = reply.continues && reply.error == nil && expected == .many
    if expected == .one || expected == .many { output.append(reply.message) }
    if !reply.continues { expected = .nothing }
  }

  /// Answers the call in progress with a reply encoded by `Reply.encoded()`, such as one event for many subscribers.
  /// `continues` says what the bytes say; bytes that continue are sent only to a call that asked for more.
  package mutating func send(encoded: [UInt8], continues: Bool) {
    if expected == .many || (expected == .one && !continues) { output.append(encoded: encoded) }
    if !continues { expected = .nothing }
  }

  /// The number of bytes that wait to be sent.
  package var unsent: Int { output.count }

  /// Whether more output waits than a peer may leave unread.
  package var isOverLimit: Bool { unsent > limits.outputLimitBytes }

  /// Hands the unsent bytes to `body`, to send as many of them as the socket takes.
  package func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try output.withUnsent(body)
  }

  /// `count` bytes from the front of the unsent ones are sent.
  package mutating func sent(_ count: Int) {
    output.drop(count)
  }
}
