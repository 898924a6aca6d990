// SPDX-License-Identifier: Apache-2.0
//
// The client's half of one connection: calls in, bytes out; bytes in, replies out. Calls may be pipelined; replies
// come in the order of the calls. It refuses a reply that no call waits for, and knows no socket and no clock.

package import StrictJSON

/// The client's half of one Varlink connection.
package struct ClientSession {
  private let limits: SessionLimits
  private var input = InputBuffer()
  private var output = OutputBuffer()
  /// Of every call sent that is not fully answered, from `answered` on: whether it asked for more.
  private var asked: [Bool] = []
  private var answered = 0

  package init(limits: SessionLimits = .standard) {
    self.limits = limits
  }

  // MARK: Calls

  /// Queues a call. A oneway call is never answered, so `more` says nothing there.
  package mutating func call(
    _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false
  ) {
    let kind: MethodCall.Kind = oneway ? .oneway : more ? .more : .single
    output.append(MethodCall(method: method, parameters: parameters, kind: kind).message)
    if !oneway { asked.append(more) }
  }

  /// The number of calls that still wait for their last reply.
  package var outstanding: Int { asked.count - answered }

  // MARK: Replies

  /// Takes bytes from the server, cut anywhere.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    input.append(bytes)
  }

  /// The next reply, which belongs to the oldest outstanding call; `nil` when none is complete.
  /// A violation is final: asked again, it is thrown again.
  package mutating func next() throws(ProtocolViolation) -> Reply? {
    let more = outstanding > 0 ? asked[answered] : nil
    let reply = try input.next(limit: limits.messageBytes) { (message) throws(ProtocolViolation) in
      let reply = try Reply(parsing: message)
      guard let more else { throw .replyWithoutCall }
      guard more || !reply.continues else { throw .continuesNotAsked }
      return reply
    }
    if let reply, !reply.continues { endOldestCall() }
    return reply
  }

  private mutating func endOldestCall() {
    answered += 1
    guard answered * 2 >= asked.count else { return }
    asked.removeFirst(answered)
    answered = 0
  }

  // MARK: Output

  /// The number of bytes that wait to be sent.
  package var unsent: Int { output.count }

  /// Hands the unsent bytes to `body`, to send as many of them as the socket takes.
  package func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try output.withUnsent(body)
  }

  /// `count` bytes from the front of the unsent ones are sent.
  package mutating func sent(_ count: Int) {
    output.drop(count)
  }
}
