// SPDX-License-Identifier: Apache-2.0
//
// The replies of a method that goes on replying, as an asynchronous sequence. A reader that pauses stops the reading:
// what it does not take stays with the daemon, which drops a subscriber that is too far behind.

import HostRuntime
import StrictJSON
import Varlink

/// The replies to one call, in order, over a connection of its own. Ends with an error, or when the daemon ends it.
public struct ReplySequence<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = ConsentError

  let path: String
  let method: String
  let parameters: JSONObject
  let element: @Sendable (JSONObject) -> Element

  /// Connects and calls at the first `next`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

  /// Reads one sequence of replies.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let sequence: ReplySequence
    private var connection: Connection?
    private var ended = false

    init(sequence: ReplySequence) { self.sequence = sequence }

    /// The next reply; `nil` behind the last.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ConsentError) -> Element? {
      if ended { return nil }
      let connection = try await connected()
      let reply = try await connection.next()
      if let name = reply.error { throw .refused(Refusal(name: name, parameters: reply.parameters)) }
      ended = !reply.continues
      return sequence.element(reply.parameters)
    }

    private mutating func connected() async throws(ConsentError) -> Connection {
      if let connection { return connection }
      let opened = try await Connection.open(sequence.path)
      await opened.send(sequence.method, sequence.parameters, more: true)
      connection = opened
      return opened
    }
  }
}
