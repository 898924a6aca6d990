// SPDX-License-Identifier: Apache-2.0
//
// A stop and a start under a service manager that keeps descriptors: whoever waits notices nothing. Row 39 of the
// scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct HandoverTests {
  private let family: Family

  init() throws { family = try Family(daemon: .managed()) }

  /// Stops the daemon and starts it again on what it left.
  private func restart() throws {
    #expect(try family.daemon.stop().exit == .status(0))
    try family.startAgain()
    #expect(family.daemon.notify.store.names == [])
  }

  @Test func `a hundred callers of four kinds live through three restarts and are each told once`() throws {
    let topics = (0..<10).map { JSONObject.resource("org.example.r\($0)") }
    let questions = try topics.map { try family.question($0) }
    let waiters = try (0..<40).map { try parked("Await", ["question": .string(questions[$0 % 10])]) }
    let requesters = try (0..<40).map { try parked("Request", family.asking(topics[$0 % 10])) }
    try family.settle(waiters: 80)
    let followers = try (0..<10).map { _ in try family.responses(["after": 0]) }
    let companions = try (0..<10).map { _ in try family.watch() }
    for follower in followers { #expect(try follower.backlog().count == 10) }
    for companion in companions { #expect(try companion.backlog().count == 10) }
    for follower in followers { #expect(try follower.next(10).allSatisfy { $0["event"] == "delivered" }) }
    try quieten(companions)
    for _ in 0..<3 {
      try restart()
      try family.settle(waiters: 80)
      #expect(try family.statistics()["companions"] == 10)
      try family.daemon.notify.wait(for: family.daemon.program) { $0.contains("80 callers waiting") }
      let all = waiters + requesters + followers.map(\.client) + companions.map(\.client)
      #expect(all.filter { !$0.isQuiet }.count == 0)
    }
    #expect(try family.statistics()["openQuestions"] == 10)
    for question in questions { #expect(try family.answer(question, "approve")["waitersResumed"] == 8) }
    for (number, caller) in (waiters + requesters).enumerated() {
      let told = try caller.receiveAnswer()
      #expect(told["question"] == .string(questions[number % 10]))
      #expect(told["state"] == "approved")
      #expect(told["reach"] == (number < 40 ? nil : "delivered"))
    }
    for follower in followers {
      let events = try follower.next(20)
      #expect(try events.map { try $0.number("sequence") } == Array(21...40))
      #expect(
        try events.map { try $0.text("event") } == Array(repeating: ["decided", "granted"], count: 10).flatMap { $0 })
    }
    for companion in companions {
      let removed = try (0..<10).map { _ in try companion.next(change: "removed").member("question").text("question") }
      #expect(removed == questions)
    }
    #expect((waiters + requesters).filter { !$0.isQuiet }.count == 0)
  }

  @Test func `a request that waits does not ask again, and answers in its own shape`() throws {
    let requester = try family.requester(.update("2.0"), ["timeoutUSec": .integer(Family.hour)])
    let events = try family.responses(["after": 0]).backlog()
    try restart()
    try family.settle(waiters: 1)
    #expect(try family.responses(["after": 0]).backlog() == events)
    let question = try family.desk.guardian("ListQuestions").list("questions")[0].text("question")
    try family.answer(question, "deny")
    let told = try requester.receiveAnswer()
    #expect(told["question"] == .string(question))
    #expect(told["state"] == "denied")
    #expect(told["joined"] == false)
    #expect(told["expiresAtUSec"] != nil)
  }

  @Test func `a wait ends when it would have ended`() throws {
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    let minute = Family.hour / 60
    try family.advance(30 * minute)
    try restart()
    try family.advance(28 * minute)
    try restart()
    try family.settle(waiters: 1)
    #expect(waiter.isQuiet)
    try family.advance(2 * minute)
    #expect(try waiter.receiveAnswer()["state"] == "pending")
  }

  @Test func `what was pipelined behind a call that waits is answered after it`() throws {
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    try waiter.send("\(Interface.service).GetInfo")
    try waiter.send("\(Interface.permission).GetStatus", family.asking(.update("2.0")))
    try restart()
    try waiter.send("\(Interface.permission).Await", ["question": .string(question), "timeoutUSec": 0])
    try family.settle(waiters: 1)
    #expect(waiter.isQuiet)
    try family.answer(question, "approve")
    #expect(try waiter.receiveAnswer()["evidence"] != nil)
    #expect(try waiter.receiveAnswer()["vendor"] != nil)
    #expect(try waiter.receiveAnswer()["status"] == "approved")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
  }

  @Test func `a call of which half has come is answered when the rest comes`() throws {
    let client = try family.daemon.apps()
    let call = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    try client.send(bytes: Array(call.prefix(9)))
    _ = try family.statistics()
    try restart()
    try client.send(bytes: Array(call.dropFirst(9)))
    #expect(try client.receive()?.parameters["vendor"] != nil)
  }

  @Test func `a peer that only listens still gets its answer`() throws {
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    waiter.finishSending()
    try restart()
    try family.settle(waiters: 1)
    try family.answer(question, "approve")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(try waiter.receive() == nil)
  }

  @Test func `a caller that leaves while nobody serves is noticed`() throws {
    let question = try family.question(.update("2.0"))
    let (stays, goes) = (try family.waiter(for: question), try family.waiter(for: question))
    let companion = try family.watch()
    #expect(try companion.backlog()[0].member("question")["waiters"] == 2)
    _ = try family.daemon.stop()
    goes.close()
    try family.startAgain()
    try family.settle(waiters: 1)
    #expect(try companion.next(change: "changed").member("question")["waiters"] == 1)
    try family.answer(question, "approve")
    #expect(try stays.receiveAnswer()["state"] == "approved")
  }

  @Test func `a stream that was not read goes on where it was, without a gap`() throws {
    let text = String(repeating: "many words ", count: 90)
    for number in 0..<400 {
      try family.ask(JSONObject.resource("org.example.r\(number)").with(["purpose": .string(text)]))
    }
    let slow = try family.responses(["after": 0])
    try family.settle("openQuestions", 400)
    for round in 0..<3 {
      try restart()
      let events = try slow.next(100)
      #expect(try events.map { try $0.number("sequence") } == Array(Int64(round * 100 + 1)...Int64(round * 100 + 100)))
    }
    let rest = try slow.backlog()
    #expect(try rest.map { try $0.number("sequence") } == Array(301...400))
    try family.answer(try rest[0].text("question"), "deny")
    #expect(try slow.next()["event"] == "decided")
  }

  @Test func `connections without a call under way are closed`() throws {
    let idle = try family.daemon.apps()
    _ = try idle.call("\(Interface.service).GetInfo")
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    _ = try family.daemon.stop()
    #expect(family.daemon.notify.store.names == ["handover", "apps-0"])
    #expect(try idle.receive() == nil)
    try family.startAgain()
    try family.settle(waiters: 1)
    #expect(waiter.isQuiet)
  }

  @Test func `a daemon that is killed after taking over leaves nothing behind that is said twice`() throws {
    let question = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: question)
    try restart()
    try family.settle(waiters: 1)
    try family.daemon.kill()
    #expect(try waiter.receive() == nil)
    try family.startAgain()
    #expect(try family.statistics()["waiters"] == 0)
    #expect(try family.look(question)["state"] == "pending")
  }

  @Test func `what the manager has no room for is closed, and the rest goes on`() throws {
    family.daemon.notify.store.limit = 4
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<5).map { _ in try family.waiter(for: question) }
    try restart()
    try family.settle(waiters: 3)
    try family.answer(question, "approve")
    #expect(try waiters.compactMap { try $0.receive()?.parameters["state"] }.count == 3)
  }

  @Test func `who waits comes before who has only begun to speak`() throws {
    family.daemon.notify.store.limit = 4
    let question = try family.question(.update("2.0"))
    let beginners = try (0..<3).map { _ in try family.daemon.apps() }
    for beginner in beginners { try beginner.send(bytes: Array("{".utf8)) }
    let waiters = try (0..<3).map { _ in try family.waiter(for: question) }
    try restart()
    try family.settle(waiters: 3)
    for beginner in beginners { #expect(try beginner.receive() == nil) }
    try family.answer(question, "approve")
    for waiter in waiters { #expect(try waiter.receiveAnswer()["state"] == "approved") }
  }

  /// What was paid for in one process is not asked for again in the next, however little that allows.
  @Test func `callers that waited before the restart have not called too often after it`() throws {
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<60).map { _ in try parked("Await", ["question": .string(question)]) }
    try family.settle(waiters: 60)
    _ = try family.daemon.stop()
    try family.daemon.directory.write(
      "{limits: {perService: {callsPerSecond: 40, callBurst: 40}}}", to: "sandbox/consentd.json5")
    try family.startAgain()
    #expect(try family.answer(question, "approve")["waitersResumed"] == 60)
    for waiter in waiters { #expect(try waiter.receiveAnswer()["state"] == "approved") }
  }

  @Test func `a stop takes less than two seconds where nobody reads what it says`() throws {
    let questions = try (0..<50).map { try family.question(.resource("org.example.r\($0)")) }
    let waiters = try (0..<500).map { try parked("Await", ["question": .string(questions[$0 % 50])]) }
    try family.settle(waiters: 500)
    family.daemon.notify.stopListening()
    let ending = try family.daemon.stop()
    #expect(ending.exit == .status(0))
    #expect(ending.time < .seconds(2))
    // What lies in the socket that nobody reads is still open.
    #expect(waiters.filter(\.isQuiet).count < 20)
  }

  @Test func `five hundred callers are left to the next process in less than two seconds`() throws {
    let question = try family.question(.update("2.0"))
    let waiters = try (0..<500).map { _ in try parked("Await", ["question": .string(question)]) }
    try family.settle(waiters: 500)
    #expect(try family.daemon.stop().time < .seconds(2))
    try family.startAgain()
    try family.settle(waiters: 500)
    #expect(try family.answer(question, "approve")["waitersResumed"] == 500)
    for waiter in waiters { #expect(try waiter.receiveAnswer()["state"] == "approved") }
  }

  /// Answers land around the stop: before it, in it, and after it.
  @Test func `an answer that lands at the stop reaches every caller once`() throws {
    var chance = SeededGenerator(seed: 3)
    for round in 0..<40 {
      let questions = try (0..<8).map { try family.question(.resource("org.example.r\(round)-\($0)")) }
      let callers = try questions.map { try parked("Await", ["question": .string($0)]) }
      try family.settle(waiters: 8)
      let desk = try family.daemon.guardians()
      for question in questions {
        try desk.send("\(Interface.guardian).Answer", ["question": .string(question), "choice": "approve"])
      }
      for _ in 0..<Int.random(in: 0...4, using: &chance) where try desk.receive() == nil { break }
      try restart()
      for question in questions { try family.answer(question, "approve") }
      for (question, caller) in zip(questions, callers) {
        let told = try caller.receiveAnswer()
        #expect(told["question"] == .string(question))
        #expect(told["state"] == "approved")
        let next = caller.isQuiet ? nil : try caller.receive()
        #expect(next == nil)
      }
      while try desk.receive() != nil { guard !desk.isQuiet else { break } }
    }
  }

  /// A connection on which a call of `method` waits an hour.
  private func parked(_ method: String, _ parameters: JSONObject) throws -> TestClient {
    let client = try family.daemon.apps()
    try client.send(
      "\(Interface.permission).\(method)", parameters.with(["timeoutUSec": .integer(Family.hour)]))
    return client
  }

  /// Returns when nothing is on its way to these streams: counts are told a little after the fact.
  private func quieten(_ companions: [EventStream]) throws {
    try family.daemon.notify.wait(for: family.daemon.program) { $0.contains("10 companions connected") }
    _ = try family.statistics()
    for stream in companions { while !stream.client.isQuiet { _ = try stream.next() } }
  }
}
