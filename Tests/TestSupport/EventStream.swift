// SPDX-License-Identifier: Apache-2.0
//
// A `more` call read reply by reply: first what stood, then one `ready`, then what happens.

package import StrictJSON

/// A stream of events or changes on a connection of its own.
package final class EventStream {
  package let client: TestClient

  /// Calls `method` with `more`.
  package init(_ client: TestClient, _ method: String, _ parameters: JSONObject) throws {
    self.client = client
    try client.send(method, parameters, more: true)
  }

  /// The next event. Throws `CallError` where the stream ends with an error; fails where it ends without one.
  package func next() throws -> JSONObject {
    guard let reply = try client.receive() else { throw TestFailure("the stream was closed") }
    if let error = reply.error { throw CallError(error, reply.parameters) }
    guard reply.continues else { throw TestFailure("the stream ended: \(reply.parameters.json)") }
    return reply.parameters
  }

  /// Everything up to `ready`, which is left out.
  package func backlog() throws -> [JSONObject] {
    var events: [JSONObject] = []
    while true {
      let event = try next()
      if event.isReady { return events }
      events.append(event)
    }
  }

  /// The next `count` events.
  package func next(_ count: Int) throws -> [JSONObject] {
    try (0..<count).map { _ in try next() }
  }

  /// The next change of this kind, others skipped (a card may change while a test looks at its end).
  package func next(change: String) throws -> JSONObject {
    while true {
      let news = try next()
      if news["change"] == .string(change) { return news }
      guard news["change"] == "changed" else { throw TestFailure("\(news.json) instead of \(change)") }
    }
  }
}

extension JSONObject {
  /// Whether this event says that the backlog is over.
  package var isReady: Bool { self["event"] == "ready" || self["change"] == "ready" }
}
