// SPDX-License-Identifier: Apache-2.0
//
// The log of a sandbox: one line for each end of a question, one for whatever an administrator should know, nothing of
// what people wrote, and nobody who fills it.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct LogTests {
  private let family: Family

  init() throws { family = try Family(born: Secrets.birthDate) }

  /// The lines so far, without the time.
  private func lines() throws -> [String] {
    String(decoding: try family.daemon.directory.read("sandbox/consentd.log"), as: UTF8.self)
      .split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  /// The lines about a question.
  private func lines(about question: String) throws -> [String] {
    try lines().filter { $0.contains("CONSENT_QUESTION=\(question)") }
  }

  private func fields(_ question: String, _ kind: String = "significantUpdate") -> String {
    "CONSENT_QUESTION=\(question) CONSENT_PERSON=\(Family.person) CONSENT_APP=org.example.Chat CONSENT_TOPIC=\(kind)"
  }

  private let chat: JSONObject = ["app": "org.example.Chat"]

  @Test func `a start and a stop are a line each`() throws {
    _ = try family.daemon.stop()
    try family.startAgain()
    let place = family.daemon.directory.file("sandbox")
    #expect(
      try lines() == [
        "notice: serving \(place) (sandbox)", "notice: stopped; open questions stay open",
        "notice: serving \(place) (sandbox)",
      ])
  }

  @Test(arguments: [("approve", "approved"), ("deny", "denied")])
  func `an answer is one line, however often it is given`(choice: String, state: String) throws {
    let question = try family.question(.update("2.0"), chat)
    #expect(try lines(about: question) == [])
    for _ in 0..<3 { try family.answer(question, choice) }
    #expect(
      try lines(about: question) == [
        "info: question \(question) is \(state) by guardian \(fields(question)) CONSENT_UID=\(getuid())"
      ])
  }

  @Test func `whatever else ends a question is one line as well`() throws {
    let expired = try family.question(.talk(with: ["Ann"]), chat.with(["expiresInUSec": .integer(Family.hour)]))
    let withdrawn = try family.question(.resource(), chat)
    let superseded = try family.question(.update("2.0", "one"), chat)
    let moot = try family.question(.update("2.0", "two"), chat)
    try family.app.permission("Withdraw", ["question": .string(withdrawn)])
    try family.advance(Family.hour)
    try family.desk.administration("RemovePerson", ["person": .string(Family.person)])
    let ends = [
      (expired, "expired", "communication"), (withdrawn, "withdrawn", "resource"),
      (superseded, "superseded", "significantUpdate"), (moot, "moot (personRemoved)", "significantUpdate"),
    ]
    for (question, state, kind) in ends {
      let found = try lines(about: question)
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("info: question \(question) is \(state) \(fields(question, kind)) ") == true)
    }
  }

  @Test func `looking, asking, waiting and mistakes of form are no lines`() throws {
    let before = try lines()
    let question = try family.question(.update("2.0"))
    #expect(try family.status(.update("2.0"))["status"] == "pending")
    let waiter = try family.waiter(for: question)
    #expect(try family.watch().backlog().count == 1)
    waiter.close()
    for (method, parameters) in Secrets.spoilt { _ = try? family.app.call(method, parameters) }
    try family.settle(waiters: 0)
    #expect(try lines() == before)
  }

  @Test func `that there is nobody to ask is a line`() throws {
    #expect(throws: CallError.self) { try family.ask(.update("2.0"), chat.with(["person": "uid:7"])) }
    let line = try #require(try lines().last)
    #expect(line.hasPrefix("notice: refused org.consentd.Permission.Ask to uid "))
    #expect(line.contains("CONSENT_PERSON=uid:7 CONSENT_APP=org.example.Chat CONSENT_TOPIC=significantUpdate"))
  }

  @Test func `a reload is a line, done or not`() throws {
    try family.desk.administration("Reload")
    try family.daemon.directory.write("{policy: 7}", to: "sandbox/consentd.json5")
    _ = try? family.desk.administration("Reload")
    let file = family.daemon.directory.file("sandbox/consentd.json5")
    let found = try lines().suffix(2)
    #expect(found.first?.hasPrefix("notice: configuration reloaded; files read: ") == true)
    #expect(found.last?.hasPrefix("error: configuration not reloaded: \(file): policy: ") == true)
  }

  @Test func `a peer that breaks the protocol again and again gets ten lines, and the rest is counted`() throws {
    for number in 0..<200 {
      let peer = try family.daemon.apps()
      try peer.send(bytes: Array("{\"method\": \(number)}".utf8) + [0])
      #expect(try peer.receive() == nil)
    }
    #expect(try lines().count { $0.contains("closed a connection") } == 10)
    _ = try family.daemon.stop()
    let found = try lines().filter { $0.contains("closed a connection") }
    #expect(found.count == 11)
    #expect(found.last?.contains("the call names no method (189 more like this)") == true)
  }

  @Test func `nothing that anybody wrote is in the log`() throws {
    try family.desk.administration(
      "AddPerson", ["person": .string(Family.person), "displayName": .string(Secrets.mark)])
    for (number, topic) in Secrets.topics.enumerated() {
      let asked: JSONObject = [
        "key": .string("\(Secrets.mark)-\(number)"), "appVersion": .string("\(Secrets.mark).0"), "person": "uid:5001",
      ]
      let question = try family.question(topic, asked)
      try family.answer(question, number == 0 ? "approve" : "deny", ["note": .string(Secrets.text("note"))])
    }
    #expect(throws: CallError.self) { try family.ask(Secrets.topics[0], ["person": "uid:7"]) }
    for (method, parameters) in Secrets.spoilt {
      #expect(throws: CallError.self) { try family.app.call(method, parameters) }
    }
    for text in Secrets.violations {
      let peer = try family.daemon.apps()
      try peer.send(bytes: Array(text.utf8) + [0])
      #expect(try peer.receive() == nil)
    }
    #expect(try lines().count { $0.contains("is approved") || $0.contains("is denied") } == 3)
    #expect(try lines().count { $0.contains("closed a connection") } == Secrets.violations.count)
    _ = try family.daemon.stop()
    for line in try lines() {
      for secret in [Secrets.mark, Secrets.birthDate] { #expect(!line.contains(secret)) }
    }
  }
}
