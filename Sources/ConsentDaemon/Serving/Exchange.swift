// SPDX-License-Identifier: Apache-2.0
//
// One call and its replies.
//
// A handler sees this and not the connection. Once the peer has gone, replies go nowhere and nothing fails: whoever
// must know sooner, because it is waiting, says so with `whenGone`. A call that waits says with `rest` where it has come
// to, so that a daemon that is stopped can leave it to the next.

import ConsentModel
import HostRuntime
import StrictJSON
import Varlink

/// A call in progress.
@Loop
final class Exchange {
  let call: MethodCall
  let peer: PeerCredentials
  /// Where an earlier process had come to with this call.
  let resumption: Resumption?
  /// Where this process has come to with it; absent while it does something that must end here.
  private(set) var restingPlace: (() -> Resumption)?
  /// By when it came to rest, among all calls.
  private(set) var turn: UInt64 = 0
  private static var lastTurn: UInt64 = 0
  private var connection: Connection?
  /// The connection after the last reply.
  private weak var last: Connection?
  private var onGone: (() -> Void)?
  private var onDrained: CheckedContinuation<Void, Never>?

  init(_ call: MethodCall, on connection: Connection, resuming resumption: Resumption? = nil) {
    self.call = call
    self.resumption = resumption
    self.peer = connection.peer
    self.connection = connection
  }

  var parameters: JSONObject { call.parameters }

  /// Whether the peer has left, or the call was answered.
  var isOver: Bool { connection == nil }

  /// Sends the last reply.
  func finish(_ reply: Reply) {
    connection?.send(reply)
    last = connection
    connection = nil
    onGone = nil
  }

  /// Whether the peer has left more unread than a stream may wait for.
  var isTooSlow: Bool { connection?.isTooSlow == true }

  /// Ends the connection once the peer has taken what was sent.
  func closeWhenSent() { last?.closeWhenSent() }

  /// Sends a reply that others follow.
  func send(_ parameters: JSONObject) {
    connection?.send(Reply(parameters, continues: true))
  }

  /// Sends a reply that others follow, encoded by `Reply.encoded()`.
  func send(encoded: [UInt8]) { connection?.send(encoded: encoded) }

  /// From now on, and until its last reply, this call is one of those that wait. Throws `notAvailable(tooManyWaiting)`.
  func beginWaiting() throws(Refusal) {
    guard let connection, !call.oneway, !connection.beginWaiting() else { return }
    throw .notAvailable(reason: .tooManyWaiting, retryable: true)
  }

  /// Says that a limit was met.
  func note(_ limit: Limit) { connection?.note(limit) }

  /// From here on, until something else is said or the last reply, the call may go on in another process. `place` is
  /// asked where that would be, at a moment when the call waits.
  func rest(at place: @escaping () -> Resumption) {
    restingPlace = place
    Self.lastTurn += 1
    turn = Self.lastTurn
    connection?.cameToRest()
  }

  /// Runs `action` when the peer leaves before the last reply; at once where it has left already.
  func whenGone(_ action: @escaping () -> Void) {
    guard connection != nil else { return action() }
    onGone = action
  }

  /// Waits until little of what was sent is unsent, so that a slow reader slows the stream and not the daemon.
  func drained() async {
    guard let connection, connection.isBehind else { return }
    await withCheckedContinuation { onDrained = $0 }
  }

  /// The connection has room again.
  func resumeDrained() {
    onDrained?.resume()
    onDrained = nil
  }

  /// The peer has left.
  func abandon() {
    connection = nil
    let action = onGone
    onGone = nil
    resumeDrained()
    action?()
  }
}
