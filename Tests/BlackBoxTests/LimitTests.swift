// SPDX-License-Identifier: Apache-2.0
//
// What a caller is told who takes more than its share, and that what it gave back is there again. The limits are small,
// so that a test meets them soon.

import StrictJSON
import TestSupport
import Testing

@Suite struct LimitTests {
  private static let info = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
  private static let status =
    Array(
      #"{"method":"org.consentd.Permission.GetStatus","parameters":{"topic":{"kind":"resource","resource":"a.b"}}}"#
        .utf8)
    + [0]

  /// A family whose daemon allows `limits` to whoever speaks for many; in a sandbox everybody does.
  private func family(_ limits: String, total: String = "") throws -> Family {
    try Family(
      daemon: try Daemon.sandbox(configuration: "{limits: {perService: {\(limits)}, total: {\(total)}}}"))
  }

  private func met(_ limit: String, _ family: Family) throws -> Int64 {
    try family.statistics().member("limitsMet").number(limit)
  }

  // MARK: Connections

  @Test func `above the number of connections the longest idle makes room for an administrator`() throws {
    let family = try family("connections: 4")
    let idle = try family.daemon.apps()
    #expect(try idle.call("\(Interface.service).GetInfo")["vendor"] != nil)
    for client in [family.app, family.desk] { try client.call("\(Interface.service).GetInfo") }
    let newest = try (0..<2).map { _ in try family.daemon.apps() }
    for client in newest { try client.call("\(Interface.service).GetInfo") }
    #expect(try idle.receive() == nil)
    #expect(try family.statistics()["connections"] == 4)
    #expect(try met("idle", family) == 1)
  }

  @Test func `a connection whose answers are not all read yet is not idle`() throws {
    let family = try family("connections: 4")
    let slow = try family.daemon.apps()
    let calls = 200
    let describe = Array(
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.consentd.Permission"}}"#
        .utf8)
    try slow.send(bytes: Array((0..<calls).map { _ in describe + [0] }.joined()))
    // Until all that the socket has room for is sent, it is the others who have done nothing for longer.
    for _ in 0..<50 {
      for client in [family.app, family.desk] { try client.call("\(Interface.service).GetInfo") }
    }
    let newest = try (0..<2).map { _ in try family.daemon.apps() }
    for client in newest { try client.call("\(Interface.service).GetInfo") }
    for _ in 0..<calls { #expect(try slow.receive()?.parameters["description"] != nil) }
    #expect(try family.app.receive() == nil)
  }

  @Test func `where every connection has a call in progress the newest is told, and nobody is closed`() throws {
    let family = try family("connections: 6")
    let question = try family.question(.update("2.0"))
    family.app.close()
    let waiters = try (0..<5).map { _ in try family.daemon.apps() }
    let wait: JSONObject = ["question": .string(question)]
    for waiter in waiters { try waiter.send("\(Interface.permission).Await", wait) }
    try family.settle(waiters: 5)
    let watch = try family.daemon.guardians()
    try watch.send("\(Interface.guardian).WatchQuestions", more: true)
    // The desk is idle and makes room for the watch; then nobody is.
    #expect(try watch.receive()?.continues == true)
    let refused = try TestClient(path: family.daemon.setup.apps)
    try refused.send(bytes: Self.info + Self.info)
    let reply = try #require(try refused.receive())
    #expect(reply.error == "\(Interface.permission).NotAvailable")
    #expect(reply.parameters == ["reason": "tooManyConnections", "retryable": true])
    #expect(try refused.receive() == nil)
    watch.close()
    let answer: JSONObject = ["question": .string(question), "choice": "approve"]
    let answered = try eventually { try? family.daemon.guardians().guardian("Answer", answer) }
    #expect(answered["waitersResumed"] == 5)
    for waiter in waiters { #expect(try waiter.receiveAnswer()["state"] == "approved") }
  }

  @Test func `few who are refused are told, the others are closed at once`() throws {
    let family = try family("connections: 3, waiting: 3")
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<2).map { _ in try family.waiter(for: question) }
    family.app.close()
    try family.desk.send("\(Interface.guardian).WatchQuestions", more: true)
    #expect(try family.desk.receive()?.continues == true)
    let refused = try (0..<30).map { _ in try TestClient(path: family.daemon.setup.apps) }
    let replies = try refused.map { client in
      try client.send(bytes: Self.status) ? try client.receive() : nil
    }
    #expect((1...12).contains(replies.count { $0 != nil }))
    for reply in replies.compactMap({ $0 }) { #expect(reply.error == "\(Interface.permission).NotAvailable") }
    withExtendedLifetime(waiters) {}
  }

  @Test func `a full table is as full for all`() throws {
    let family = try family("connections: 100", total: "connections: 5")
    let idle = try family.daemon.apps()
    for client in [idle, family.app, family.desk] { try client.call("\(Interface.service).GetInfo") }
    let others = try (0..<3).map { _ in try family.daemon.apps() }
    for client in others { try client.call("\(Interface.service).GetInfo") }
    #expect(try idle.receive() == nil)
    #expect(try family.statistics()["connections"] == 5)
    #expect(family.app.isQuiet)
  }

  // MARK: Waiting

  @Test(arguments: ["perService", "total"])
  func `above the number of waiting calls the next is refused, and calls that answer at once are served`(
    place: String
  ) throws {
    let family = try Family(daemon: try Daemon.sandbox(configuration: "{limits: {\(place): {waiting: 3}}}"))
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<2).map { _ in try family.waiter(for: question) }
    let stream = try family.responses()
    _ = try stream.backlog()
    let calls: [(JSONObject, String, Bool)] = [
      (["question": .string(question)], "Await", false), (family.asking(.update("2.0")), "Request", false),
      (family.asking(.update("9.0")), "Request", false), (["person": .string(Family.person)], "Responses", true),
    ]
    for (parameters, method, more) in calls {
      try family.app.send("\(Interface.permission).\(method)", parameters, more: more)
      let refusal = #expect(throws: CallError.self) { try family.app.receiveAnswer() }
      #expect(refusal == CallError("\(Interface.permission).NotAvailable", Self.tooManyWaiting))
    }
    try family.desk.send("\(Interface.guardian).WatchQuestions", more: true)
    #expect(throws: CallError("\(Interface.guardian).NotAvailable", Self.tooManyWaiting)) {
      try family.desk.receiveAnswer()
    }
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.statistics()["openQuestions"] == 1)
    #expect(try met("waiting", family) == 5)
    waiters[0].close()
    try family.settle(waiters: 1)
    let next = try family.waiter(for: question)
    try family.answer(question, "deny")
    for waiter in [waiters[1], next] { #expect(try waiter.receiveAnswer()["state"] == "denied") }
  }

  private static let tooManyWaiting: JSONObject = ["reason": "tooManyWaiting", "retryable": true]

  // MARK: Open questions

  @Test func `above the number of open questions an ask is told the limit`() throws {
    let configuration = "{limits: {perUser: {openQuestions: 3}}}"
    let family = try Family(daemon: try Daemon.sandbox(configuration: configuration))
    let questions = try (0..<3).map { try family.question(.resource("org.example.r\($0)")) }
    for method in ["Ask", "Request"] {
      #expect(throws: CallError("\(Interface.permission).TooManyPending", ["limit": 3])) {
        try family.app.permission(method, family.asking(.resource("org.example.other")))
      }
    }
    #expect(try family.ask(.resource("org.example.r1"))["joined"] == true)
    try family.app.permission("Withdraw", ["question": .string(questions[0])])
    #expect(try family.ask(.resource("org.example.other"))["state"] == "pending")
    #expect(try met("openQuestions", family) == 2)
  }

  // MARK: Calls

  @Test func `above the call rate a call is refused, its connection read later, and every call answered once`() throws {
    let family = try family("callsPerSecond: 50, callBurst: 60")
    let client = try TestClient(path: family.daemon.setup.apps)
    let calls = 200
    try client.send(bytes: Array(repeatElement(Self.status, count: calls).joined()))
    var refused = 0
    for _ in 0..<calls {
      let reply = try #require(try client.receive())
      guard let error = reply.error else { continue }
      #expect(error == "\(Interface.permission).NotAvailable")
      #expect(reply.parameters == ["reason": "tooManyCalls", "retryable": true])
      refused += 1
    }
    #expect((1..<calls - 50).contains(refused))
    #expect(client.isQuiet)
  }

  @Test func `the refusal of a call of nobody's interface is the socket's own`() throws {
    let family = try family("callsPerSecond: 100, callBurst: 20")
    let client = try TestClient(path: family.daemon.setup.guardians)
    try client.send(bytes: Array(repeatElement(Self.info, count: 60).joined()))
    let errors = try (0..<60).compactMap { _ in try client.receive()?.error }
    #expect(Set(errors) == ["\(Interface.guardian).NotAvailable"])
  }

  // MARK: Bytes

  @Test func `whoever leaves too many bytes queued loses the connection that does`() throws {
    let family = try family("queuedBytes: 4194304")
    let half = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_000)
    var clients: [TestClient] = []
    for _ in 0..<6 {
      let client = try family.daemon.apps()
      try client.send(bytes: half)
      clients.append(client)
    }
    // Four of a million bytes fit; the others were closed in the middle of what they sent.
    try family.settle("connections", 6)
    #expect(clients.count(where: \.isQuiet) == 4)
    #expect(try met("queuedBytes", family) == 2)
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
  }

  // MARK: Patience

  @Test func `a message that is begun and not ended ends the connection after half a minute`() throws {
    let family = try Family()
    let half = try family.daemon.apps()
    try half.send(bytes: Array(Self.info.dropLast()))
    let idle = try family.daemon.apps()
    try family.settle("connections", 4)
    try family.advance(29_000_000)
    #expect(half.isQuiet)
    try half.send(bytes: [UInt8(ascii: " ")])
    _ = try family.statistics()
    try family.advance(1_100_000)
    #expect(try half.receive() == nil)
    #expect(try idle.call("\(Interface.service).GetInfo")["vendor"] != nil)
    #expect(try met("patience", family) == 1)
  }

  @Test func `a peer that takes nothing of its answers is closed after half a minute`() throws {
    let family = try Family()
    let mute = try family.daemon.apps()
    let description =
      Array(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.consentd.Permission"}}"#
          .utf8) + [0]
    let many = Array(repeatElement(description, count: 500).joined())
    var blocked = 0
    while blocked < 20 {
      blocked = mute.sendWithoutWaiting(many) == 0 ? blocked + 1 : 0
      _ = try family.statistics()
    }
    try family.advance(31_000_000)
    try family.settle("connections", 2)
    #expect(try met("patience", family) == 1)
  }

  @Test func `a caller that waits, or does nothing, may do so for long`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    let stream = try family.responses()
    _ = try stream.backlog()
    try family.advance(Family.hour / 2)
    try family.answer(question, "approve")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(try stream.next()["event"] != nil)
  }

  // MARK: What is told

  @Test func `a limit that is met again and again is logged ten times, and counted each time`() throws {
    let family = try family("waiting: 1")
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    for _ in 0..<20 {
      #expect(throws: CallError.self) { try family.app.permission("Await", ["question": .string(question)]) }
    }
    let log = String(decoding: try family.daemon.directory.read("sandbox/consentd.log"), as: UTF8.self)
    #expect(log.split(separator: "\n").count { $0.contains("too many calls that wait") } == 10)
    #expect(try met("waiting", family) == 20)
    waiter.close()
  }

  /// Tries until there is something; each try is a round trip, and there is an end to them.
  private func eventually<Value>(_ body: () throws -> Value?) throws -> Value {
    let deadline = Deadline()
    while true {
      if let value = try body() { return value }
      try #require(!deadline.hasPassed)
    }
  }
}
