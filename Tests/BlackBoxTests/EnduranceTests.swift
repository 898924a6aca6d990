// SPDX-License-Identifier: Apache-2.0
//
// Row 43 of the scenarios: 64 clients ask and withdraw again and again; descriptors and memory stay as they are. So many
// asks in all as `CONSENTD_ASKS` says; `CONSENTD_PROGRAMS` names the directory of a release build to do it with.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct EnduranceTests {
  private static let clients = 64
  private static let asks = ProcessInfo.processInfo.environment["CONSENTD_ASKS"].flatMap(Int.init) ?? 20_000

  @Test func `asking and withdrawing for long takes neither descriptors nor memory`() throws {
    let family = try Family()
    let clients = try (0..<Self.clients).map { _ in try TestClient(path: family.daemon.setup.apps) }
    let rounds = max(Self.asks / Self.clients, 8)
    for round in 0..<rounds / 4 { try askAndWithdraw(clients, family, round) }
    let before = try family.daemon.program.footprint
    for round in rounds / 4..<rounds { try askAndWithdraw(clients, family, round) }
    let after = try family.daemon.program.footprint
    #expect(after.descriptors == before.descriptors)
    // The allocator's own swings, and the store's cache, which has a size it does not exceed.
    #expect(after.kibibytes - before.kibibytes < 6_000, "\(before) \(after)")
    #expect(try family.statistics()["openQuestions"] == 0)
    #expect(try family.statistics().number("connections") == Int64(Self.clients) + 2)
    print("\(rounds * Self.clients) asks: \(before) \(after)")
  }

  /// One ask and one withdrawal of every client, all at once.
  private func askAndWithdraw(_ clients: [TestClient], _ family: Family, _ round: Int) throws {
    for (place, client) in clients.enumerated() {
      try client.send("\(Interface.permission).Ask", family.asking(.resource("org.example.r\(place)")))
    }
    let questions = try clients.map { try $0.receiveAnswer().text("question") }
    for (client, question) in zip(clients, questions) {
      try client.send("\(Interface.permission).Withdraw", ["question": .string(question)])
    }
    for client in clients {
      let state = try client.receiveAnswer()["state"]
      guard state == "withdrawn" else { throw TestFailure("\(state ?? .null) in round \(round)") }
    }
  }
}
