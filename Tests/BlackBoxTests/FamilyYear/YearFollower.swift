// SPDX-License-Identifier: Apache-2.0
//
// An app that listens to the events of its questions for a year, and is cut off now and then: whatever it read, it goes
// on behind it, and at the end it has read everything once.

import StrictJSON
import TestSupport

/// One `Responses` stream after another.
struct YearFollower {
  private(set) var events: [JSONObject] = []
  private var stream: EventStream?
  private var last: Int64 = 0

  /// The connection is gone, with whatever it still held.
  mutating func lose() {
    stream?.client.close()
    stream = nil
  }

  /// Connects where it is not connected, behind the last event it read.
  mutating func connect(_ client: @autoclosure () throws -> TestClient, _ parameters: JSONObject) throws {
    guard stream == nil else { return }
    let new = try EventStream(
      try client(), "\(Interface.permission).Responses", parameters.with(["after": .integer(last)]))
    for event in try new.backlog() { try take(event) }
    stream = new
  }

  /// Reads what has arrived.
  mutating func read() throws {
    guard let stream else { return }
    while !stream.client.isQuiet { try take(stream.next()) }
  }

  /// Reads on until the event with this sequence has come.
  mutating func read(through sequence: Int64) throws {
    while let stream, last < sequence { try take(stream.next()) }
  }

  private mutating func take(_ event: JSONObject) throws {
    guard !event.isReady else { return }
    let sequence = try event.number("sequence")
    guard sequence > last else { throw TestFailure("\(sequence) again, after \(last)") }
    last = sequence
    events.append(event)
  }
}
