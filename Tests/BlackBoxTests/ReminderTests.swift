// SPDX-License-Identifier: Apache-2.0
//
// Whoever may answer is reminded of what is still open before it ends, and an end is an end: row 15 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct ReminderTests {
  @Test func `every companion is reminded before a question expires, and the app is told that it expired`() throws {
    let family = try Family()
    let companions = [try family.watch(), try family.watch()]
    for companion in companions { #expect(try companion.backlog() == []) }
    let question = try family.question(.update("2.0"), ["expiresInUSec": .integer(60 * Family.hour)])
    let waiter = try family.waiter(for: question, ["timeoutUSec": .integer(Family.hour)])
    for companion in companions { #expect(try companion.next()["change"] == "added") }
    waiter.close()
    for hours in [24, 12] as [Int64] {
      try family.advance(hours * Family.hour)
      for companion in companions {
        let card = try companion.next(change: "reminder").member("question")
        #expect(card["question"] == .string(question))
        #expect(card["state"] == "pending" && card["canAnswer"] == true)
      }
    }
    try family.advance(24 * Family.hour)
    for companion in companions {
      let change = try companion.next()
      #expect(change["change"] == "removed" && change["reason"] == "expired")
    }
    let decision = try family.look(question)
    #expect(decision["state"] == "expired")
    #expect(decision["choice"] == nil && decision["decidedBy"] == nil)
    #expect(try family.responses(["after": 0]).backlog().last?["event"] == "expired")
  }

  @Test func `several reminders that were missed are one`() throws {
    let family = try Family()
    let companion = try family.watch()
    #expect(try companion.backlog() == [])
    try family.ask(.update("2.0"))
    #expect(try companion.next()["change"] == "added")
    try family.advance(4 * Family.day)
    #expect(try companion.next()["change"] == "reminder")
    try family.advance(Family.hour)
    #expect(companion.client.isQuiet)
  }

  @Test func `a reminder that falls due during a restart comes after it, once`() throws {
    let family = try Family(daemon: .managed())
    let companions = [try family.watch(), try family.watch()]
    for companion in companions { #expect(try companion.backlog() == []) }
    try family.ask(.update("2.0"), ["expiresInUSec": .integer(2 * Family.hour)])
    for companion in companions { #expect(try companion.next()["change"] == "added") }
    #expect(try family.daemon.stop().exit == .status(0))
    try advanceStopped(family, by: Family.hour)
    try family.startAgain()
    for companion in companions { #expect(try companion.next()["change"] == "reminder") }
    #expect(try family.daemon.stop().exit == .status(0))
    try family.startAgain()
    try family.settle("companions", 2)
    #expect(companions.filter { !$0.client.isQuiet }.isEmpty)
  }

  @Test func `watch prints the reminder`() throws {
    let family = try Family()
    let watch = try family.startConsentctl("watch", "--json")
    #expect(try line(watch)["change"] == "ready")
    let question = try family.question(.update("2.0"), ["expiresInUSec": .integer(2 * Family.hour)])
    #expect(try line(watch)["change"] == "added")
    try family.advance(Family.hour)
    var change = try line(watch)
    while change["change"] == "changed" { change = try line(watch) }
    #expect(change["change"] == "reminder" && change["question"] == .string(question))
  }

  private func line(_ watch: Program) throws -> JSONObject {
    try JSONObject(parsing: Array(try #require(try watch.readLine()).utf8))
  }

  /// Moves the clock of a sandbox that is not running.
  private func advanceStopped(_ family: Family, by usec: Int64) throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      key = "sandboxClockOffsetUSec"
      old = c.execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
      new = (int(old[0]) if old else 0) + int(sys.argv[2])
      c.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, str(new).encode()])
      """
    let store = family.daemon.directory.file("sandbox/consentd.db")
    let outcome = try Program.run("/usr/bin/python3", ["-I", "-c", script, store, "\(usec)"])
    try #require(outcome.exit == .status(0), "\(outcome.errors)")
  }
}
