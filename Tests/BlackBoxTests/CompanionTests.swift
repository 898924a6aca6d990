// SPDX-License-Identifier: Apache-2.0
//
// Feeding the answers of guardians in: `watch` and `answer` as the two ends of a companion, alone and joined by a
// bridge, and that nothing an app wrote reaches a terminal as more than text.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct CompanionTests {
  @Test func `watch, a bridge of ten lines and answer are a complete companion`() throws {
    let family = try Family()
    let early = try family.requester(.update("2.0", "Adds voice rooms."))
    let companion = try Program(
      "sh", ["-c", #""$0" watch --json | /usr/bin/python3 -I "$1" | "$0" answer --stdin"#, consentctl, bridge],
      environment: family.environment, wrappers: [.session])
    #expect(try early.receiveAnswer()["state"] == "denied")
    let first = try result(companion)
    #expect(first["accepted"] == true)
    #expect(first["state"] == "denied")
    #expect(first["waitersResumed"] == 1)
    for topic in [JSONObject.talk(with: ["Ann"]), .resource(), .resource("org.example.shops")] {
      let requester = try family.requester(topic)
      #expect(try requester.receiveAnswer()["nextAction"] == "proceed")
      #expect(try result(companion)["state"] == "approved")
    }
    #expect(try family.statistics()["openQuestions"] == 0)
  }

  @Test func `a companion outlives the daemon and has the backlog when it is back`() throws {
    let family = try Family()
    let watch = try family.startConsentctl("watch", "--json")
    #expect(try change(watch)["change"] == "ready")
    let question = try family.question(.update("2.0"))
    #expect(try change(watch)["question"] == .string(question))
    try family.daemon.kill()
    try family.startAgain()
    let again = try change(watch)
    #expect(again["change"] == "added")
    #expect(again["question"] == .string(question))
  }

  @Test func `watch prints one object per change with what an answer needs`() throws {
    let family = try Family()
    let watch = try family.startConsentctl("watch", "--json")
    #expect(try change(watch) == ["change": "ready"])
    let question = try family.question(.update("2.0"))
    let added = try change(watch)
    #expect(added["change"] == "added")
    #expect(added["question"] == .string(question))
    #expect(added["contentHash"] == (try family.card(question))["contentHash"])
    #expect(try added.list("choices").map { try $0.text("choice") } == ["approve", "deny"])
    try family.answer(question, "deny")
    var news = try change(watch)
    while news["change"] == "changed" { news = try change(watch) }
    #expect(news["change"] == "removed")
    #expect(news["question"] == .string(question))
    #expect(news["reason"] == "denied")
  }

  @Test func `watch runs a command with each change on its input`() throws {
    let family = try Family()
    let file = family.daemon.directory.file("changes")
    let watch = try family.startConsentctl("watch", "--exec", "cat >> \(file); echo done")
    let question = try family.question(.update("2.0"))
    #expect(try watch.readLine() == "done")
    let object = try JSONObject(parsing: family.daemon.directory.read("changes"))
    #expect(object["question"] == .string(question))
    try family.answer(question, "approve")
    #expect(try watch.readLine() == "done")
  }

  @Test func `a command that fails answers nothing and ends no watch`() throws {
    let family = try Family()
    let watch = try family.startConsentctl("watch", "--exec", "echo seen; exit 7")
    let questions = try [family.question(.update("2.0")), family.question(.resource())]
    #expect(try watch.readLine() == "seen")
    #expect(try watch.readLine() == "seen")
    for question in questions { #expect(try family.look(question)["state"] == "pending") }
    #expect(watch.isRunning)
  }

  @Test func `a command that fails for a question is tried three times, and then the next change is told`() throws {
    let family = try Family()
    let watch = try family.startConsentctl(
      "watch", "--exec", "echo \"$CONSENTD_CHANGE $CONSENTD_QUESTION\"; test $CONSENTD_CHANGE = removed")
    let question = try family.question(.resource())
    for _ in 0..<3 { #expect(try watch.readLine() == "added \(question)") }
    try family.answer(question, "deny")
    #expect(try watch.readLine() == "removed \(question)")
    #expect(watch.errors.contains("as often as it is tried"))
  }

  @Test func `a command that never ends for one question hinders no other`() throws {
    let family = try Family()
    let stuck = try family.question(.resource("org.example.stuck"))
    let watch = try family.startConsentctl(
      "watch", "--exec",
      "echo \"$CONSENTD_QUESTION $CONSENTD_CHOICES\"; test $CONSENTD_QUESTION != \(stuck) || tail --pid=$PPID -f /dev/null"
    )
    #expect(try watch.readLine() == "\(stuck) approveOnce approve deny")
    for number in 0..<3 {
      let question = try family.question(.resource("org.example.r\(number)"))
      #expect(try watch.readLine() == "\(question) approveOnce approve deny")
    }
    #expect(try family.look(stuck)["state"] == "pending")
  }

  @Test func `answers are read line by line and each has its result in order`() throws {
    let family = try Family()
    let questions = try (0..<50).map { try family.question(.resource("org.example.r\($0)")) }
    var lines = questions.map { (["question": .string($0), "choice": "approve"] as JSONObject).json }
    lines.insert("this is no JSON", at: 10)
    lines.insert(#"{"question":"00000000000000000000000000000000","choice":"approve"}"#, at: 20)
    lines.insert((["question": .string(questions[0]), "choice": "deny"] as JSONObject).json, at: 30)
    lines.insert((["question": .string(questions[49]), "choice": "maybe"] as JSONObject).json, at: 40)
    lines.insert("{}", at: 45)
    let outcome = try family.consentctl("answer", "--stdin", input: lines.joined(separator: "\n") + "\n")
    let results = try outcome.output.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
    #expect(outcome.exit == .status(1))
    #expect(results.count == 55)
    let refused = results.enumerated().filter { $0.element["accepted"] == false }.map(\.offset)
    #expect(refused == [10, 20, 30, 40, 45])
    #expect(try family.statistics()["openQuestions"] == 0)
  }

  @Test func `an answer is printed while the next is not written yet`() throws {
    let family = try Family()
    let answer = try family.startConsentctl("answer", "--stdin")
    for number in 0..<3 {
      let question = try family.question(.update("change-\(number)"))
      try answer.write("{\"question\":\"\(question)\",\"choice\":\"approve\"}\n")
      #expect(try result(answer)["state"] == "approved")
    }
    answer.input.close()
    #expect(try answer.waitForExit() == .status(0))
  }

  @Test func `what an app wrote is shown as text and as nothing else`() throws {
    let family = try Family()
    let hostile = "Yes?\nstate: approved\n\u{200b}\u{feff}\u{ad}\u{e0041}\u{200e}\u{61c} أهلا"
    let question = try family.question(
      JSONObject.update("2.0", hostile).with(["ifDenied": "x\ny\tz"]),
      ["app": "org.example.Chat"])
    try family.ask(.talk(with: ["\u{200b}Ann\u{2060}"]))
    let outputs = try [
      family.consentctl("show", question), family.consentctl("pending"), family.consentctl("show", question, "--json"),
      family.consentctl("pending", "--json"), family.consentctl("show", question, "--json=pretty"),
    ]
    for text in texts(outputs) {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || isHarmless($0) })
    }
    try family.desk.administration("AddPerson", ["person": "uid:5001", "displayName": "Mia\u{200b}\u{feff}"])
    let people = try family.consentctl("person", "list").output
    #expect(people.unicodeScalars.allSatisfy { $0 == "\n" || isHarmless($0) })
    let lines = outputs[0].output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!lines.contains { $0.hasPrefix("state:") })
    #expect(try outputs[2].object == family.card(question))
  }

  @Test func `what was typed is escaped as well`() throws {
    let family = try Family()
    for words in [["show", "\u{1b}[31mred"], ["\u{1b}]0;title\u{7}"], ["get", "a\nb"], ["approve", "--\u{202e}x"]] {
      let outcome = try Program.run(Program.path(of: "consentctl"), words, environment: family.environment)
      #expect(outcome.exit != .status(0))
      #expect(outcome.errors.unicodeScalars.allSatisfy { $0 == "\n" || isHarmless($0) })
      #expect(outcome.remarks.count == 1)
    }
  }

  @Test func `nothing is coloured where nobody looks`() throws {
    let family = try Family()
    try family.answer(family.question(.update("2.0")), "approve")
    let outcome = try family.consentctl("get", "significantUpdate/2.0", "--person", Family.person)
    #expect(!outcome.output.contains("\u{1b}"))
  }

  private var bridge: String { URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/bridge.py" }

  private var consentctl: String {
    get throws { try Program.path(of: "consentctl") }
  }

  private func result(_ program: Program) throws -> JSONObject { try change(program) }

  /// The next line of a program, as the object it is.
  private func change(_ program: Program) throws -> JSONObject {
    guard let line = try program.readLine() else { throw TestFailure("ended; it said: \(program.errors)") }
    return try JSONObject(parsing: Array(line.utf8))
  }

  private func texts(_ outcomes: [Program.Outcome]) -> [String] { outcomes.flatMap { [$0.output, $0.errors] } }

  /// Whether a scalar shows itself and moves, hides or turns around nothing.
  private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: !scalar.properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(scalar.value)
    }
  }
}
