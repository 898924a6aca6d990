// SPDX-License-Identifier: Apache-2.0
//
// What an earlier process wrote down gives nobody a right: a connection that gets another one's words is still the
// connection of its own user.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "SKIPPED: takes root, to be several users"))
struct HandoverAuthorityTests {
  private static let (mia, leo, anna): (UInt32, UInt32, UInt32) = (52_001, 52_005, 52_002)

  private let daemon: Daemon
  private let desk: TestClient

  /// Two children of one guardian.
  init() throws {
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory, user: 52_100)
    daemon = try Daemon.managed(setup, in: directory)
    desk = try daemon.guardians()
    for child in [Self.mia, Self.leo] {
      let person = JSON.string("uid:\(child)")
      try desk.administration("AddPerson", ["person": person])
      try desk.administration("AddGuardian", ["person": person, "guardian": .string("uid:\(Self.anna)")])
    }
  }

  /// Exchanges what two connections find of themselves, across a restart.
  private func exchange(_ first: String, _ second: String) throws {
    _ = try daemon.stop()
    #expect(Set(daemon.notify.store.names).isSuperset(of: [first, second]))
    daemon.notify.store.rename(first, to: "between")
    daemon.notify.store.rename(second, to: first)
    daemon.notify.store.rename("between", to: second)
    try daemon.start()
  }

  /// A connection of `user` with one call on it, which waits when this returns.
  private func parked(
    _ client: TestClient, _ method: String, _ parameters: JSONObject = [:], more: Bool = false, _ count: String,
    _ expected: Int64
  ) throws -> TestClient {
    try client.send(method, parameters, more: more)
    let deadline = Deadline()
    let counting = try daemon.guardians()
    while try counting.administration("GetStatistics").number(count) != expected {
      guard !deadline.hasPassed else { throw TestFailure("never \(expected) \(count)") }
    }
    return client
  }

  @Test func `a caller that finds another user's question in its place is refused it`() throws {
    let request = "\(Interface.permission).Request"
    let topic: JSONObject = ["topic": .object(.update("2.0"))]
    let mia = try parked(daemon.apps(as: Self.mia), request, topic, "waiters", 1)
    let leo = try parked(daemon.apps(as: Self.leo), request, topic, "waiters", 2)
    try exchange("apps-0", "apps-1")
    for caller in [mia, leo] {
      let refusal = #expect(throws: CallError.self) { try caller.receiveAnswer() }
      #expect(refusal?.name.hasSuffix(".UnknownQuestion") == true)
    }
  }

  /// Sequences are each asker's own: going on behind the other's would skip events.
  @Test func `a stream whose caller the new files make somebody else ends`() throws {
    let streams = try ["org.example.Game", "org.example.Other"].map { app in
      try EventStream(
        try daemon.apps(as: Self.mia), "\(Interface.permission).Responses", ["after": 0, "app": .string(app)])
    }
    for stream in streams { _ = try stream.backlog() }
    _ = try daemon.stop()
    try daemon.directory.write(
      "{id: 'org.example.Game', uid: \(Self.mia)}", to: "apps.d/org.example.Game.json5")
    try daemon.start()
    let refusal = #expect(throws: CallError.self) { try streams[0].next() }
    #expect(refusal?.name.hasSuffix(".NotPermitted") == true)
    _ = try daemon.apps(as: Self.mia).permission(
      "Ask", ["topic": .object(.update("2.0")), "app": "org.example.Other"])
    #expect(try streams[1].next()["event"] == "asked")
  }

  @Test func `a stream that finds another's place goes on as its own user's`() throws {
    let watch = "\(Interface.guardian).WatchQuestions"
    let anna = try parked(daemon.guardians(as: Self.anna), watch, more: true, "companions", 1)
    let stranger = try parked(daemon.guardians(as: 52_003), watch, more: true, "companions", 2)
    #expect(try anna.receive()?.parameters["change"] == "ready")
    #expect(try stranger.receive()?.parameters["change"] == "ready")
    try exchange("guardians-0", "guardians-1")
    _ = try daemon.apps(as: Self.mia).permission("Ask", ["topic": .object(.update("2.0"))])
    #expect(try anna.receive()?.parameters["change"] == "added")
    #expect(stranger.isQuiet)
  }
}
