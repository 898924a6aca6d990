// SPDX-License-Identifier: Apache-2.0
//
// A Varlink client for tests with framing of its own. It does what a test says, however rude: raw bytes, calls nobody
// waits for, a half-closed or forgotten connection. Every reply it receives is read strictly, and judged where the test
// has a judge.

package import StrictJSON

/// One connection to a Varlink server.
package final class TestClient {
  private let incoming: Endpoint
  private let outgoing: Endpoint
  private let relay: Program?
  private let judge: (any ReplyJudge)?
  private var unread: [UInt8] = []
  private var scanned = 0
  private var outstanding: [String] = []

  /// Connects to the socket at `path` as this process.
  package init(path: String, judge: (any ReplyJudge)? = nil) throws {
    incoming = try Endpoint(connectingTo: path)
    outgoing = incoming
    relay = nil
    self.judge = judge
  }

  /// Connects to the socket at `path` as the process of another user, which lives as long as this client.
  package init(path: String, as user: UInt32, judge: (any ReplyJudge)? = nil) throws {
    let relay = try Relay.start(to: path, as: user)
    incoming = relay.output
    outgoing = relay.input
    self.relay = relay
    self.judge = judge
  }

  /// Calls `method` (its full name) and gives the parameters of its one reply. Throws `CallError` for an error.
  @discardableResult
  package func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try send(method, parameters)
    return try receiveAnswer()
  }

  /// Sends a call and waits for nothing.
  package func send(_ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false) throws {
    var call: JSONObject = ["method": .string(method)]
    if !parameters.isEmpty { call["parameters"] = .object(parameters) }
    if more { call["more"] = true }
    if oneway { call["oneway"] = true } else { outstanding.append(method) }
    try send(bytes: call.encoded() + [0])
  }

  /// Sends bytes as they are. Returns false where the server has closed.
  @discardableResult
  package func send(bytes: [UInt8]) throws -> Bool {
    try outgoing.write(bytes)
  }

  /// Sends as many of `bytes` as go out at once, and gives their number.
  package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int { outgoing.writeWithoutWaiting(bytes) }

  /// The next reply; `nil` when the server has closed. Throws when the deadline passes first.
  package func receive(before deadline: Deadline = Deadline()) throws -> ServerReply? {
    while true {
      if let message = takeMessage() { return try read(message) }
      let bytes = try incoming.read(before: deadline)
      if bytes.isEmpty {
        guard unread.isEmpty else { throw TestFailure("the server closed in the middle of a reply") }
        return nil
      }
      unread += bytes
    }
  }

  /// The parameters of the next reply. Throws `CallError` for an error, and fails where the server has closed.
  package func receiveAnswer(before deadline: Deadline = Deadline()) throws -> JSONObject {
    guard let reply = try receive(before: deadline) else { throw TestFailure("closed instead of an answer") }
    if let error = reply.error { throw CallError(error, reply.parameters) }
    return reply.parameters
  }

  /// Whether nothing has arrived that was not received yet: no reply, no close.
  package var isQuiet: Bool { unread.isEmpty && !incoming.isReadable }

  /// Waits until one of `clients` has something to receive, a reply or a close, and gives its place.
  package static func firstReadable(of clients: [TestClient], before deadline: Deadline = Deadline()) throws -> Int {
    if let place = clients.firstIndex(where: { !$0.unread.isEmpty }) { return place }
    return try Endpoint.firstReadable(of: clients.map(\.incoming), before: deadline)
  }

  /// Half-close: no more calls will come, answers may.
  package func finishSending() {
    outgoing.finishWriting()
  }

  /// Hangs up.
  package func close() {
    relay?.signal(9)
    incoming.close()
    outgoing.close()
  }

  private func takeMessage() -> [UInt8]? {
    guard let end = unread[scanned...].firstIndex(of: 0) else {
      scanned = unread.count
      return nil
    }
    defer {
      unread.removeSubrange(...end)
      scanned = 0
    }
    return Array(unread[..<end])
  }

  private func read(_ message: [UInt8]) throws -> ServerReply {
    let reply = try ServerReply(parsing: message)
    guard let method = outstanding.first else { return reply }
    if !reply.continues { outstanding.removeFirst() }
    if let complaint = judge?.complaint(about: reply, to: method) {
      throw TestFailure("\(method): \(complaint) in \(String(decoding: message, as: UTF8.self))")
    }
    return reply
  }
}
