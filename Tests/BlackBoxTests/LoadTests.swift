// SPDX-License-Identifier: Apache-2.0
//
// Peers that take too much: too many connections, calls without reading the answers, streams nobody drains. Each harms
// itself alone. Rows 36 and 38 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct LoadTests {
  @Test func `without descriptors the newest is refused, the others are served, and later there is room again`() throws
  {
    let family = try Family(daemon: try Daemon.sandbox(wrappers: [.openFiles(96)]))
    var served: [TestClient] = []
    var refused = 0
    for _ in 0..<200 {
      let client = try family.daemon.apps()
      if try answers(client) { served.append(client) } else { refused += 1 }
    }
    #expect(served.count >= 10)
    #expect(refused >= 100)
    for client in served { #expect(try answers(client)) }
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
    for client in served.prefix(8) { client.close() }
    try eventually { try answers(family.daemon.apps()) }
    #expect(family.daemon.program.isRunning)
  }

  @Test func `callers that read nothing are held back, lose nothing and delay nobody`() throws {
    let family = try Family()
    let rude = try (0..<4).map { _ in try family.daemon.apps() }
    let accepted = try rude.map { try pour(into: $0, family) }
    for (client, calls) in zip(rude, accepted) {
      for _ in 0..<calls { #expect(try #require(try client.receive()).error == nil) }
    }
  }

  /// Sends calls without reading until no more are taken, and gives how many were. Somebody else is served meanwhile.
  private func pour(into rude: TestClient, _ family: Family) throws -> Int {
    let call: JSONObject = [
      "method": "org.varlink.service.GetInterfaceDescription", "parameters": ["interface": .string(Interface.service)],
    ]
    let message = call.encoded() + [0]
    var rest = Array(repeatElement(message, count: 50_000).joined())
    let total = rest.count
    var blocked = 0
    while blocked < 20 && !rest.isEmpty {
      let sent = rude.sendWithoutWaiting(rest)
      rest.removeFirst(sent)
      blocked = sent == 0 ? blocked + 1 : 0
      #expect(try answers(family.app))
    }
    #expect(!rest.isEmpty)
    return (total - rest.count) / message.count
  }

  @Test(arguments: ["WatchQuestions", "Responses"])
  func `a subscriber that reads nothing is dropped alone`(method: String) throws {
    let family = try Family()
    let streams = try (0..<2).map { _ in method == "Responses" ? try family.responses() : try family.watch() }
    for stream in streams { #expect(try stream.backlog() == []) }
    let description = String(repeating: "🎙", count: 1_000)
    for number in 0..<800 {
      try family.ask(.own("change-\(number)", description))
      #expect(try nextTopic(streams[1])["resource"] == .string("org.example.change-\(number)"))
    }
    try eventually { try ends(streams[0].client) }
    #expect(try family.statistics()["openQuestions"] == 800)
    #expect(try family.statistics()["companions"] == (method == "Responses" ? 0 : 1))
    try family.ask(.own("last"))
    #expect(try nextTopic(streams[1])["resource"] == "org.example.last")
  }

  @Test func `one peer in the middle of a message hinders no other`() throws {
    let family = try Family()
    let slow = try (0..<50).map { _ in try family.daemon.apps() }
    for client in slow { try client.send(bytes: Array(#"{"method":"org.varlink.ser"#.utf8)) }
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
    for client in slow {
      try client.send(bytes: Array(#"vice.GetInfo"}"#.utf8) + [0])
      #expect(try #require(try client.receive()).parameters["vendor"] != nil)
    }
  }

  /// Whether a new or known connection is served; false where it was closed.
  private func answers(_ client: TestClient) throws -> Bool {
    guard try client.send(bytes: Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]) else { return false }
    return try client.receive() != nil
  }

  /// Whether what was sent so far can be read up to an end: an error that says so, or the close.
  private func ends(_ client: TestClient) throws -> Bool {
    while !client.isQuiet {
      guard let reply = try? client.receive() else { return true }
      if reply.error != nil {
        #expect(reply.error?.hasSuffix(".SubscriberTooSlow") == true)
        return true
      }
    }
    return false
  }

  /// Tries until it is so; each try is a round trip, and there is an end to them.
  private func eventually(_ isSo: () throws -> Bool) throws {
    let deadline = Deadline()
    while try !isSo() { try #require(!deadline.hasPassed) }
  }

  /// The topic of the next event or new card.
  private func nextTopic(_ stream: EventStream) throws -> JSONObject {
    while true {
      let news = try stream.next()
      guard let card = news["question"]?.object else { return try news.member("topic") }
      if news["change"] == "added" { return try card.member("topic") }
    }
  }
}
