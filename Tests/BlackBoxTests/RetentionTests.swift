// SPDX-License-Identifier: Apache-2.0
//
// What is kept no longer than the configuration says, on a real daemon; and that streams neither miss nor repeat
// anything across it, a restart, or each other.

import StrictJSON
import TestSupport
import Testing

@Suite struct RetentionTests {
  private func family() throws -> Family {
    try Family(
      daemon: .sandbox(
        configuration: "{retention: {eventsDays: 10, questionsDays: 10, grantsDays: 10, auditDays: 10}}"))
  }

  private func expired(_ oldest: Int64, _ newest: Int64) -> CallError {
    CallError("\(Interface.permission).CursorExpired", ["oldest": .integer(oldest), "newest": .integer(newest)])
  }

  @Test func `an event is encoded once, however many follow`() throws {
    let family = try Family()
    let streams = try (0..<20).map { _ in try family.responses() }
    for stream in streams { #expect(try stream.backlog() == []) }
    let before = try family.statistics().number("eventsEncoded")
    for number in 0..<30 { try family.ask(.own("change-\(number)")) }
    for stream in streams {
      #expect(try stream.next(30).map { try $0.number("sequence") } == Array(1...30))
    }
    #expect(try family.statistics().number("eventsEncoded") == before + 30)
  }

  @Test func `who acknowledged too little before a retention is told so, and goes on from what is kept`() throws {
    let family = try family()
    let old = try family.question(.update("old"))
    try family.answer(old, "deny")
    try family.app.permission("Acknowledge", ["sequence": 1])
    try family.advance(11 * Family.day)
    try family.ask(.update("new"))
    #expect(throws: expired(3, 3)) { try family.responses().next() }
    #expect(throws: expired(3, 3)) { try family.responses(["after": 1]).next() }
    #expect(throws: expired(3, 3)) { try family.responses(["after": 4]).next() }
    #expect(try family.responses(["after": 2]).backlog().map { try $0.number("sequence") } == [3])
    #expect(try family.look(old)["topic"] == nil)
    #expect(try family.look(old)["state"] == "denied")
    #expect(try family.status(.update("old"))["status"] == "notDetermined")
  }

  @Test func `three streams have every event once across a retention and a restart`() throws {
    let family = try family()
    var streams = try (0..<3).map { _ in try family.responses() }
    for stream in streams { #expect(try stream.backlog() == []) }
    var sequences = [[Int64]](repeating: [], count: streams.count)
    func take(_ count: Int) throws {
      for (place, stream) in streams.enumerated() {
        sequences[place] += try stream.next(count).map { try $0.number("sequence") }
      }
    }
    for number in 0..<5 { try family.answer(family.question(.own("early-\(number)")), "deny") }
    try take(10)
    try family.advance(11 * Family.day)
    for number in 0..<5 { try family.ask(.own("late-\(number)")) }
    try take(5)
    try family.daemon.kill()
    try family.startAgain()
    #expect(throws: expired(11, 15)) { try family.responses(["after": 9]).next() }
    streams = try (0..<3).map { _ in try family.responses(["after": 12]) }
    for (place, stream) in streams.enumerated() {
      sequences[place] = sequences[place].filter { $0 <= 12 }
      sequences[place] += try stream.backlog().map { try $0.number("sequence") }
    }
    try family.ask(.own("last"))
    try take(1)
    #expect(sequences.allSatisfy { $0 == Array(1...16) })
  }

  @Test func `the audit still holds when what it says is gone, and says what went`() throws {
    let family = try family()
    try family.answer(family.question(.update("old")), "approve")
    let head = try family.desk.administration("GetAuditHead")
    try family.advance(11 * Family.day)
    let verdict = try family.desk.administration("VerifyAudit", ["head": .object(head)])
    #expect(verdict["valid"] == true)
    #expect(try verdict.number("size") == head.number("size") + 1)
    #expect(try family.status(.update("old"))["status"] == "approved", "a grant that lives is kept")
  }
}
