// SPDX-License-Identifier: Apache-2.0
//
// The story of a family on one machine, told with the commands that people type, each run by the user who would.

import TestSupport
import Testing

/// A child, two guardians, an administrator and a stranger.
@Suite(PreparedRoots.boot)
struct FamilyTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.startWithFamily()
  }

  @Test func `a child asks, one guardian looks, the other answers, everybody hears of it`() throws {
    let question = try machine.ask("2.0")
    #expect(try machine.consentctl("get", "significantUpdate/2.0", as: .mia, status: 4).contains("pending"))
    let card = try machine.consentctl("show", String(question.prefix(8)), as: .anna)
    #expect(card.contains("Adds voice rooms.") && card.contains("mia"))
    try machine.consentctl("deny", String(question.prefix(8)), "--note", "Ask me at dinner.", as: .ben)
    try machine.consentctl("await", question, as: .mia, status: 3)
    #expect(try machine.pending(as: .anna) == [])
    #expect(try machine.consentctl("responses", "--until-ready", "--json", as: .mia).contains("\"state\":\"denied\""))
    try machine.consentctl("approve", question, as: .anna, status: 5)
  }

  @Test func `a script gates by age, and a stranger's age is not known`() throws {
    try machine.consentctl("age", "declare", "mia", "--born", "2010-01-01")
    try machine.consentctl("age", "check", "13", as: .mia)
    try machine.consentctl("age", "check", "120", as: .mia, status: 3)
    try machine.consentctl("age", "check", "13", as: .otto, status: 6)
    try machine.consentctl("age", "declare", "mia", "--at-least", "18", as: .otto, status: 1)
  }

  @Test func `a bridge between two commands answers for a guardian`() throws {
    let watching = try machine.starting("watch", "--json", as: .anna)
    let question = try machine.ask("3.0")
    var line = try watching.readLine()
    while let text = line, !text.contains(question) { line = try watching.readLine() }
    let hash = try #require(line?.firstMatch(of: /"contentHash":"([0-9a-f]{64})"/)).output.1
    let answer = "{\"question\":\"\(question)\",\"choice\":\"approve\",\"contentHash\":\"\(hash)\"}\n"
    let result = try machine.container.output(of: ["consentctl", "answer", "--stdin"], as: "anna", input: answer)
    #expect(result.contains("\"accepted\":true"))
    try machine.consentctl("await", question, as: .mia)
  }

  @Test func `only root and those it named administer`() throws {
    try machine.consentctl("enroll", "otto", "--born", "2015-01-01", "--guardian", "ben", as: .anna, status: 1)
    try machine.container.write("{ administrators: [\"anna\"] }\n", to: "/etc/consentd/consentd.json5.d/anna.json5")
    try machine.container.output(of: ["systemctl", "reload", "consentd.service"])
    try machine.consentctl("enroll", "otto", "--born", "2015-01-01", "--guardian", "ben", as: .anna)
    #expect(try machine.consentctl("person", "list", as: .ben).contains("otto"))
    try machine.consentctl("person", "remove", "otto", "--yes", as: .anna)
  }

  @Test func `a configuration that is not good changes nothing and is named`() throws {
    let file = "/etc/consentd/consentd.json5.d/wrong.json5"
    try machine.container.write("{ administrators: [\"anna\"], polcy: \"baseline\" }\n", to: file)
    #expect(try machine.container.run(["systemctl", "reload", "consentd.service"]).exit != .status(0))
    try machine.consentctl("person", "remove", "mia", "--yes", as: .anna, status: 1)
    #expect(try machine.container.run(["consentctl", "reload"]).errors.contains(file))
    #expect(try machine.container.run(["consentd", "--check-config"]).errors.contains("polcy"))
    #expect(try machine.property("StatusText").contains(file))
    #expect(try machine.property("ActiveState") == "active")
  }
}
