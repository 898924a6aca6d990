// SPDX-License-Identifier: Apache-2.0
//
// One user against all others: it takes every slot there is, or calls as fast as a processor can, and nobody but itself
// notices. Row 37 of the scenarios, and the latency that a daemon under attack must keep.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct HostileUserTests {
  private static let connect = "{\"method\":\"org.varlink.service.GetInfo\"}\0"

  @Test func `one user that takes every slot leaves all others theirs`() throws {
    let household = try Household()
    let path = household.daemon.setup.apps
    let question = try household.question()
    let stranger = Household.Uid.stranger
    // Half-finished messages until the bytes are used up, then waiting calls, idle connections, and calls for ever.
    let before = try connections(household)
    let half = try hold(90, String(repeating: " ", count: 100_000), household)
    try settle(household, ["queuedBytes"])
    half.signal(SIGKILL)
    // What is refused while those still count would leave slots free that nobody takes later.
    let deadline = Deadline()
    while try connections(household) > before, !deadline.hasPassed {}
    let wait = "{\"method\":\"org.consentd.Permission.Responses\",\"more\":true}$"
    let holders = [try hold(150, wait, household), try hold(300, "", household)]
    let flood = try Hostile.start(.flood, on: path, as: stranger, processor: 0)
    try settle(household, ["connections", "queuedBytes", "waiting", "calls"])
    for round in 0..<20 {
      try serveEverybody(household, question, round)
    }
    try household.guardian.guardian("Answer", ["question": .string(question), "choice": "approve"])
    #expect(try household.child.permission("Await", ["question": .string(question)])["state"] == "approved")
    for attacker in holders + [flood] { #expect(attacker.isRunning) }
    flood.signal(SIGKILL)
    #expect(try refusal(of: stranger, household) == "tooManyConnections")
  }

  /// A process of the hostile user that holds so many connections, and has sent `text` over each.
  private func hold(_ count: Int, _ text: String, _ household: Household) throws -> Program {
    let holder = try Hostile.hold(
      count, sending: text, on: household.daemon.setup.apps, as: Household.Uid.stranger)
    _ = try holder.readLine()
    return holder
  }

  /// Everybody but the hostile user gets what they ask for, over old connections and new.
  private func serveEverybody(_ household: Household, _ question: String, _ round: Int) throws {
    let topic: JSONObject = ["topic": .object(.update("2.0"))]
    #expect(try household.child.permission("GetStatus", topic)["status"] == "pending")
    #expect(try household.child.permission("Ask", topic)["question"] == .string(question))
    let look: JSONObject = ["question": .string(question), "timeoutUSec": 1_000]
    #expect(try household.child.permission("Await", look)["state"] == "pending")
    #expect(try household.guardian.guardian("ListQuestions").list("questions").count == 1)
    #expect(try household.root.administration("ListPeople").list("people").count >= 2)
    guard round % 10 == 0 else { return }
    let newcomer = try household.daemon.apps(as: Household.Uid.otherChild)
    #expect(try newcomer.permission("GetStatus", topic)["topicKey"] == "significantUpdate/2.0")
    #expect(try household.daemon.guardians().administration("GetStatistics")["openQuestions"] == 1)
  }

  private func connections(_ household: Household) throws -> Int64 {
    try household.root.administration("GetStatistics").number("connections")
  }

  /// Returns when each of these limits has been met.
  private func settle(_ household: Household, _ limits: [String]) throws {
    let deadline = Deadline()
    while true {
      let met = try household.root.administration("GetStatistics").member("limitsMet")
      if try limits.allSatisfy({ try met.number($0) > 0 }) { return }
      guard !deadline.hasPassed else { throw TestFailure("not met: \(met.json)") }
    }
  }

  /// What the hostile user is told, now that it leaves room to be told something.
  private func refusal(of user: UInt32, _ household: Household) throws -> String {
    let deadline = Deadline()
    while !deadline.hasPassed {
      let client = try TestClient(path: household.daemon.setup.apps, as: user)
      guard try client.send(bytes: Array(Self.connect.utf8)), let reply = try? client.receive() else { continue }
      if let reason = reply.parameters["reason"]?.string, reason != "tooManyCalls" { return reason }
    }
    throw TestFailure("no refusal is told")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "needs two processors"))
  func `a user at full speed costs others no more than a few milliseconds`() throws {
    let household = try Household(wrappers: [.processor(1), .urgent])
    let path = household.daemon.setup.apps
    let client = try MeasuredClient(on: path, as: Household.Uid.child, processor: 1)
    let attackers = try Hostile.Attack.allCases.map {
      try Hostile.start($0, on: path, as: Household.Uid.stranger, processor: 0)
    }
    try settle(household, ["calls"])
    // By turns, so that whatever else this machine does falls on both alike.
    var (quiet, loud): ([Int], [Int]) = ([], [])
    for _ in 0..<10 {
      for attacker in attackers { attacker.signal(SIGSTOP) }
      quiet += try client.measure(100)
      for attacker in attackers { attacker.signal(SIGCONT) }
      loud += try client.measure(250)
    }
    let (before, under) = (percentile(99, of: quiet), percentile(99, of: loud))
    #expect(under <= max(3 * before, 5_000), "p99 \(before) µs alone, \(under) µs under attack")
    for attacker in attackers { #expect(attacker.isRunning) }
    print(
      "p99 \(before) µs alone, \(under) µs under attack, median \(percentile(50, of: loud)), max \(loud.max() ?? 0)")
  }

  private func percentile(_ percent: Int, of times: [Int]) -> Int {
    let sorted = times.sorted()
    return sorted[min(sorted.count * percent / 100, sorted.count - 1)]
  }
}
