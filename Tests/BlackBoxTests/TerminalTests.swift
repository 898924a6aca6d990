// SPDX-License-Identifier: Apache-2.0
//
// The cards on a real terminal: `script` gives consentctl one and hands over what is typed and shown.

import StrictJSON
import TestSupport
import Testing

@Suite struct TerminalTests {
  /// consentctl watch on a terminal that calls itself `term`, once it shows the question.
  private func watch(_ family: Family, _ term: String, showing question: String) throws -> Program {
    let consentctl = try Program.path(of: "consentctl")
    let command = "TERM=\(term) exec \(consentctl) watch"
    let watch = try Program(
      "/usr/bin/script", ["--quiet", "--flush", "--return", "--command", command, "/dev/null"],
      environment: family.environment)
    try expect(String(question.prefix(8)), on: watch)
    return watch
  }

  private func expect(_ text: String, on watch: Program) throws {
    while try watch.readLine()?.contains(text) == false {}
  }

  @Test(arguments: [("xterm", "oy"), ("dumb", "once\nyes\n")])
  func `a key and a yes let the waiting app go on`(term: String, keys: String) throws {
    let family = try Family()
    let requester = try family.requester(.resource())
    let question = try family.desk.guardian("ListQuestions").list("questions")[0].text("question")
    let watch = try watch(family, term, showing: question)
    try watch.write(keys)
    #expect(try requester.receiveAnswer()["choice"] == "approveOnce")
    try expect("It holds for this question alone", on: watch)
    try watch.write(term == "dumb" ? "q\n" : "q")
    #expect(try watch.waitForExit() == .status(0))
  }

  @Test func `an answer that was about to be confirmed is said to have had no effect`() throws {
    let family = try Family()
    let question = try family.question(.resource())
    let watch = try watch(family, "dumb", showing: question)
    try watch.write("approve\n")
    try expect("y yes", on: watch)
    try family.answer(question, "deny")
    try expect("was not sent and has no effect: denied", on: watch)
    try watch.write("yes\n")
    try expect("does nothing", on: watch)
    #expect(try family.look(question)["state"] == "denied")
  }
}
