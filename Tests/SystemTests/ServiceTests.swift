// SPDX-License-Identifier: Apache-2.0
//
// consentd as a machine runs it: installed, started by systemd under a user that exists only while it runs, asked by one
// user and answered by another.

import StrictJSON
import TestSupport
import Testing

/// The installed service under a real systemd.
@Suite(InstalledRoot.boots, .serialized)
struct ServiceTests {
  private static let sockets = ["consentd-apps.socket", "consentd-guardians.socket"]
  private static let guardian: UInt32 = 1000
  private static let person: UInt32 = 1001

  private let machine: Container

  /// Boots a machine with two users, of whom nobody is enrolled.
  init() throws {
    machine = try Container(booting: try InstalledRoot.find())
    for (login, user) in [("ada", Self.guardian), ("kim", Self.person)] {
      try machine.output(of: ["useradd", "--uid=\(user)", "--user-group", login])
    }
  }

  @Test func `one user asks, another answers, the first goes on`() throws {
    try startAndEnroll()
    let question = try ask("2.0")
    let waiting = try machine.start(["consentctl", "await", question], as: Self.person)
    let refusal = try machine.run(["consentctl", "approve", question], as: Self.person)
    #expect(refusal.exit != .status(0))
    try machine.output(of: ["consentctl", "approve", question], as: Self.guardian)
    let answer = try waiting.outcome()
    #expect(answer.exit == .status(0), "\(answer.errors)")
    #expect(answer.output.contains("approved"))
  }

  @Test func `a restart keeps the sockets and what was asked`() throws {
    try startAndEnroll()
    let question = try ask("2.0")
    let before = try socketFiles()
    try machine.output(of: ["systemctl", "restart", "consentd.service"])
    #expect(try socketFiles() == before)
    #expect(try pending() == [question])
    try machine.output(of: ["consentctl", "deny", question], as: Self.guardian)
    #expect(try machine.run(["consentctl", "await", question], as: Self.person).exit == .status(3))
  }

  @Test func `anybody may connect, and nobody but root may move the sockets`() throws {
    try startAndEnroll()
    #expect(try socketFiles().allSatisfy { $0.hasPrefix("666 root ") })
    #expect(try machine.output(of: ["stat", "--format=%a %U", "/run/consentd"]) == "755 root")
  }

  @Test func `the service manager and the journal know how it stands`() throws {
    try startAndEnroll()
    _ = try ask("2.0")
    #expect(try property("ActiveState") == "active")
    try settle("StatusText", "1 open question, 0 callers waiting, 0 companions connected")
    let journal = try machine.output(of: ["journalctl", "--unit=consentd", "--output=cat", "_COMM=consentd"])
    #expect(journal.split(separator: "\n") == ["serving /run/consentd"])
    #expect(try machine.output(of: ["consentctl", "status"]).contains("open questions: 1"))
  }

  @Test func `the service never starts with one socket alone`() throws {
    try machine.output(of: ["systemctl", "start", "consentd.service"])
    for socket in Self.sockets {
      #expect(try machine.output(of: ["systemctl", "is-active", socket]) == "active")
    }
    try machine.output(of: ["consentctl", "status"])
    try enroll()
    _ = try ask("2.0")
  }

  @Test func `a store that is no store stops the service for good and stays as it is`() throws {
    let store = "/var/lib/private/consentd/consentd.db"
    try machine.output(of: ["systemctl", "start", "consentd.service"])
    try machine.output(of: ["systemctl", "stop", "consentd.service"])
    try machine.output(of: ["sh", "-c", "rm -f \(store)* && tee \(store)"], input: "This is no database.\n")
    #expect(try machine.run(["systemctl", "start", "consentd.service"]).exit != .status(0))
    #expect(try property("ExecMainStatus") == "65")
    #expect(try property("NRestarts") == "0")
    #expect(try machine.output(of: ["cat", store]) == "This is no database.")
  }

  @Test func `the running service is confined as its unit says`() throws {
    try startAndEnroll()
    try machine.output(of: ["systemd-analyze", "security", "--no-pager", "--threshold=10", "consentd.service"])
    #expect(try property("DynamicUser") == "yes")
    #expect(try machine.output(of: ["stat", "--format=%a", "/var/lib/private/consentd"]) == "700")
  }

  private func startAndEnroll() throws {
    try machine.output(of: ["systemctl", "enable", "--now"] + Self.sockets)
    try enroll()
  }

  private func enroll() throws {
    try machine.output(of: ["consentctl", "enroll", "kim", "--born", "2014-03-05", "--guardian", "ada"])
  }

  /// Asks as the person and gives the id of the question.
  private func ask(_ change: String) throws -> String {
    let command = ["consentctl", "ask", "significantUpdate/\(change)", "--text", "Adds voice rooms.", "--json"]
    let asked = try machine.run(command, as: Self.person)
    #expect(asked.exit == .status(4), "\(asked.errors)")
    return try JSONObject(parsing: Array(asked.output.utf8)).text("question")
  }

  /// The ids of the questions the guardian sees.
  private func pending() throws -> [String] {
    let cards = try machine.output(of: ["consentctl", "pending", "--json"], as: Self.guardian)
    return try JSONObject(parsing: Array(cards.utf8)).list("questions").map { try $0.text("question") }
  }

  /// Mode, owner and inode of the two sockets.
  private func socketFiles() throws -> [String] {
    let names = ["org.consentd.Permission", "org.consentd.Guardian"].map { "/run/consentd/\($0)" }
    return try machine.output(of: ["stat", "--format=%a %U %i"] + names).split(separator: "\n").map(String.init)
  }

  /// Returns when the service manager says so: it is told a little after the fact.
  private func settle(_ name: String, _ value: String) throws {
    let deadline = Deadline()
    while try property(name) != value {
      guard !deadline.hasPassed else { throw TestFailure("\(name) is \(try property(name))") }
    }
  }

  private func property(_ name: String) throws -> String {
    try machine.output(of: ["systemctl", "show", "--property=\(name)", "--value", "consentd.service"])
  }
}
