// SPDX-License-Identifier: Apache-2.0
//
// A service with accounts of its own, registered by the administrator as docs/operating.md tells it: it enrols, asks for
// its accounts, and its bridge answers for parents who have no account on this machine.

import StrictJSON
import TestSupport
import Testing

/// A registered service and its bridge, each a system user.
@Suite(PreparedRoots.boot)
struct RegisteredServiceTests {
  private static let account = "account:org.example.Chat/k7"
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.container.write(
      """
      { id: "org.example.Chat", names: { en: "Example Chat" }, uid: "example-chat", bridgeUid: "example-chat-bridge" }

      """, to: "/etc/consentd/apps.d/org.example.Chat.json5")
    try machine.start()
    try machine.consentctl("person", "add", Self.account, as: .chat)
    try machine.consentctl("guardian", "add", Self.account, "contact:org.example.Chat/p3", as: .chat)
  }

  @Test func `it asks for an account, and its bridge brings the answer of a parent elsewhere`() throws {
    let bridge = try machine.starting("watch", "--json", as: .bridge)
    let asking = try machine.starting(
      "request", "significantUpdate/2.0", "--person", Self.account, "--text", "Adds voice rooms.", as: .chat)
    var line = try bridge.readLine()
    while let text = line, !text.contains("significantUpdate/2.0") { line = try bridge.readLine() }
    let card = try JSONObject(parsing: Array((line ?? "").utf8))
    let (question, hash) = (try card.text("question"), try card.text("contentHash"))
    let answer = """
      {"question":"\(question)","choice":"approve","contentHash":"\(hash)","guardian":"contact:org.example.Chat/p3"}

      """
    let result = try machine.container.output(
      of: ["consentctl", "answer", "--stdin"], as: Machine.User.bridge.rawValue, input: answer)
    #expect(result.contains("\"accepted\":true"), "\(result)")
    let asked = try asking.outcome()
    #expect(asked.exit == .status(0), "\(asked.errors)")
  }

  @Test func `it has no say about anybody else's persons, and nobody else about its accounts`() throws {
    try machine.consentctl("enroll", "mia", "--born", "2014-03-05", "--guardian", "anna")
    try machine.consentctl("export", "mia", as: .chat, status: 1)
    try machine.consentctl("person", "add", "account:org.example.Other/k7", as: .chat, status: 1)
    try machine.consentctl("export", Self.account, as: .otto, status: 1)
    try machine.consentctl(
      "ask", "resource/org.example.x", "--purpose", "To see.", "--app", "org.example.Chat", as: .mia, status: 1)
    #expect(try machine.consentctl("export", Self.account, as: .chat).contains(Self.account))
    try machine.consentctl("erase", Self.account, "--yes", as: .chat)
    #expect(try !machine.consentctl("person", "list").contains(Self.account))
    #expect(try machine.consentctl("app", "list").contains("org.example.Chat"))
  }

  @Test func `it imports a thousand accounts with one command`() throws {
    let lines = (0..<1_000).map { number in
      """
      {"person":"account:org.example.Chat/n\(number)","guardians":["contact:org.example.Chat/g\(number)"],\
      "birthDate":"2014-01-01"}

      """
    }
    try machine.container.write(lines.joined(), to: "/srv/accounts")
    try machine.container.shell("consentctl person import --stdin < /srv/accounts", as: Machine.User.chat.rawValue)
    #expect(try machine.consentctl("status", "--json").contains("\"people\":1001,"))
    try machine.consentctl("age", "check", "10", "--person", "account:org.example.Chat/n999", as: .chat)
  }
}
