// SPDX-License-Identifier: Apache-2.0
//
// Two thousand spoilt messages, the same ones every time, each on a connection of its own: the daemon answers or
// closes, never hangs, never dies, and serves the next connection.

import StrictJSON
import TestSupport
import Testing

@Suite struct MutationTests {
  @Test func `two thousand spoilt messages leave a daemon that serves`() throws {
    try spoilTwoThousand(try Family(born: "2014-03-05"))
  }

  @Test func `nor is there a trap where every limit is met`() throws {
    let limits = """
      {limits: {perService: {connections: 3, waiting: 1, queuedBytes: 4194304, callsPerSecond: 300, callBurst: 1000},
        perUser: {openQuestions: 2}, total: {connections: 4, waiting: 1, openQuestions: 2, callsPerSecond: 400}}}
      """
    let family = try Family(daemon: try Daemon.sandbox(configuration: limits))
    var held: [TestClient] = []
    var chance = SeededGenerator(seed: 44)
    let messages = appMessages(family)
    for number in 0..<2_000 {
      let client = try TestClient(path: family.daemon.setup.apps)
      let message = messages.randomElement(using: &chance) ?? []
      try client.send(bytes: spoil(message, with: &chance) + [0] + message + [0])
      held.append(client)
      if held.count == 16 { held.removeAll() }
      if number % 5 == 0 { client.finishSending() }
    }
    held = []
    let deadline = Deadline()
    var met: JSONObject?
    while met == nil {
      try #require(!deadline.hasPassed)
      met = try? family.daemon.guardians().administration("GetStatistics").member("limitsMet")
    }
    #expect(try met?.number("calls") ?? 0 > 0)
    #expect(family.daemon.program.isRunning)
  }

  private func spoilTwoThousand(_ family: Family) throws {
    let question = try family.question(.update("2.0"))
    let apps = appMessages(family)
    let guardians = guardianMessages(question)
    var chance = SeededGenerator(seed: 44)
    for number in 0..<2_000 {
      let isApp = number % 2 == 0
      let message = (isApp ? apps : guardians).randomElement(using: &chance) ?? []
      let client = try isApp ? family.daemon.apps() : family.daemon.guardians()
      try client.send(bytes: spoil(message, with: &chance) + [0])
      client.finishSending()
      _ = try client.receive()
      if number % 100 == 99 { #expect(try family.app.call("\(Interface.service).GetInfo")["vendor"] != nil) }
    }
    #expect(family.daemon.program.isRunning)
    #expect(try family.statistics().number("protocolViolations") > 500)
  }

  private func appMessages(_ family: Family) -> [[UInt8]] {
    let wait: JSONObject = ["timeoutUSec": 0]
    let calls: [(String, JSONObject)] = [
      ("\(Interface.permission).GetStatus", family.asking(.update("2.0"))),
      ("\(Interface.permission).Ask", family.asking(.update("2.0"), ["key": "k", "expiresInUSec": 3_600_000_000])),
      ("\(Interface.permission).Request", family.asking(.talk(with: ["Ann", "Bob"]), wait)),
      ("\(Interface.permission).Request", family.asking(.resource(), wait)),
      ("\(Interface.permission).Await", wait.with(["question": "0123456789abcdef0123456789abcdef"])),
      ("\(Interface.permission).Acknowledge", ["sequence": 1, "person": .string(Family.person)]),
      ("\(Interface.ageRange).GetAgeRange", ["gates": [13, 16, 18], "person": .string(Family.person)]),
      ("\(Interface.service).GetInterfaceDescription", ["interface": .string(Interface.permission)]),
    ]
    return calls.map(message)
  }

  private func guardianMessages(_ question: String) -> [[UInt8]] {
    let calls: [(String, JSONObject)] = [
      ("\(Interface.guardian).ListQuestions", ["person": .string(Family.person), "limit": 10, "after": "1"]),
      ("\(Interface.guardian).DescribeQuestion", ["question": .string(question)]),
      ("\(Interface.guardian).DeclareAge", ["person": .string(Family.person), "birthDate": "2014-03-05"]),
      ("\(Interface.administration).AddPerson", ["person": "uid:5009", "displayName": "Ben"]),
      ("\(Interface.administration).ListPeople", ["limit": 10]),
      ("\(Interface.administration).GetStatistics", [:]),
    ]
    return calls.map(message)
  }

  private func message(_ method: String, _ parameters: JSONObject) -> [UInt8] {
    (["method": .string(method), "parameters": .object(parameters)] as JSONObject).encoded()
  }

  /// One to four of: a bit turned over, a byte changed, left out or doubled, the end cut off.
  private func spoil(_ message: [UInt8], with chance: inout SeededGenerator) -> [UInt8] {
    var bytes = message
    for _ in 0..<Int.random(in: 1...4, using: &chance) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &chance)
      switch Int.random(in: 0..<6, using: &chance) {
      case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
      case 2: bytes[place] = UInt8.random(in: 0...255, using: &chance)
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(bytes[place], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
