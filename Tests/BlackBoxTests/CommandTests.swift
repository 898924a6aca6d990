// SPDX-License-Identifier: Apache-2.0
//
// consentctl as people and scripts use it: what it does, what its exit status means, what it prints and what it never
// prints.

import StrictJSON
import TestSupport
import Testing

@Suite struct CommandTests {
  @Test func `a family is enrolled, an app asks, a guardian answers, the app goes on`() throws {
    let family = try Family(guardians: [])
    let enrolled = try family.consentctl("enroll", "uid:5001", "--born", "2014-03-05", "--guardian", "uid:5000")
    #expect(enrolled.exit == .status(0))
    #expect(enrolled.errors == "")
    let request = try family.startConsentctl(
      "request", "significantUpdate/2.0", "--text", "Adds voice rooms.", "--person", "uid:5001", "--timeout", "1h")
    try family.settle(waiters: 1)
    let pending = try family.consentctl("pending")
    #expect(pending.output.contains("significantUpdate/2.0"))
    let question = try family.desk.guardian("ListQuestions").list("questions")[0].text("question")
    let shown = try family.consentctl("show", String(question.prefix(6)))
    #expect(shown.output.contains("Adds voice rooms."))
    let approved = try family.consentctl("approve", String(question.prefix(6)))
    #expect(approved.exit == .status(0))
    let outcome = try request.outcome()
    #expect(outcome.exit == .status(0))
    #expect(outcome.output.contains("approved"))
    #expect(try family.consentctl("get", "significantUpdate/2.0", "--person", "uid:5001").exit == .status(0))
  }

  @Test func `the exit status says how a question stands`() throws {
    let family = try Family()
    let asked = try family.ctl("ask", "resource/org.example.screenTime", "--purpose", "Half an hour more.")
    #expect(asked.exit == .status(4))
    let question = try family.desk.guardian("ListQuestions").list("questions")[0].text("question")
    #expect(try family.consentctl("await", question, "--timeout", "0").exit == .status(4))
    #expect(try family.ctl("get", "resource/org.example.screenTime").exit == .status(4))
    #expect(try family.consentctl("deny", question).exit == .status(0))
    #expect(try family.consentctl("await", question).exit == .status(3))
    #expect(try family.ctl("get", "resource/org.example.screenTime").exit == .status(3))
    #expect(try family.consentctl("approve", question).exit == .status(5))
    let second = try family.question(.resource("org.example.other"))
    #expect(try family.consentctl("withdraw", second).exit == .status(0))
    #expect(try family.consentctl("await", second).exit == .status(5))
    let third = try family.question(.resource("org.example.third"))
    #expect(try family.consentctl("approve", third, "--once").exit == .status(0))
    #expect(try family.consentctl("await", third).exit == .status(0))
    let nobody = try family.consentctl(
      "ask", "significantUpdate/2.0", "--text", "x", "--person", "uid:5777")
    #expect(nobody.exit == .status(6))
    #expect(nobody.remarks.count == 1)
  }

  @Test func `an age is checked by the exit status`() throws {
    let family = try Family()
    #expect(try family.ctl("age", "check", "13").exit == .status(6))
    #expect(try family.consentctl("age", "declare", "uid:5001", "--born", "2000-01-01").exit == .status(0))
    #expect(try family.ctl("age", "check", "18").exit == .status(0))
    #expect(try family.ctl("age", "check", "120").exit == .status(3))
    #expect(try family.ctl("age", "get").exit == .status(0))
    #expect(try family.ctl("age", "check", "1").exit == .status(2))
  }

  @Test(arguments: [
    [], ["dance"], ["approve", "--louder"], ["get"], ["get", "telepathy/x"], ["await"], ["await", "3f9c", "more"],
    ["ask", "significantUpdate/2.0", "--expires", "soon"], ["age", "check", "old"], ["person"], ["enroll", "uid:5001"],
    ["answer"], ["pending", "--json=loud"], ["age", "get", "--gates", ","], ["watch", "--exec", ""],
    ["responses", "--kinds", "asked,bogus"], ["pending", "--runtime-directory", ""],
    ["enroll", "uid:5009", "--born", "5.3.2014", "--guardian", "uid:5000"],
  ])
  func `what it does not understand is a usage error and does nothing`(arguments: [String]) throws {
    let family = try Family()
    let before = try family.statistics()
    let outcome = try Program.run(
      Program.path(of: "consentctl"), arguments, environment: family.environment)
    #expect(outcome.exit == .status(2))
    #expect(try family.statistics() == before)
    if !arguments.isEmpty {
      #expect(outcome.output == "")
      #expect(outcome.remarks.count == 1)
    }
  }

  @Test func `without a daemon one line says what to do`() throws {
    let directory = try TemporaryDirectory()
    for arguments in [["status"], ["pending"], ["await", "3f9c"], ["age", "check", "13"]] {
      let outcome = try Program.run(
        Program.path(of: "consentctl"), arguments + ["--runtime-directory", directory.path])
      #expect(outcome.exit != .status(0) && outcome.exit != .status(3))
      #expect(outcome.output == "")
      #expect(outcome.remarks.count == 1)
      #expect(outcome.errors.contains(directory.path))
    }
  }

  @Test func `an id is shortened to any prefix that fits one question`() throws {
    let family = try Family()
    let questions = try (0..<40).map { try family.question(.own("change-\($0)")) }
    for question in questions.prefix(3) {
      let prefix = String(question.prefix(12))
      #expect(try family.consentctl("show", prefix).exit == .status(0))
      #expect(try family.consentctl("deny", prefix).exit == .status(0))
      #expect(try family.look(question)["state"] == "denied")
    }
    #expect(try family.consentctl("show", String(questions[5].prefix(3))).exit == .status(1))
    #expect(try family.consentctl("approve", "zzzz").exit == .status(1))
    #expect(try family.statistics()["openQuestions"] == 37)
  }

  @Test func `every command gives JSON to programs`() throws {
    let family = try Family(born: "2014-03-05")
    let question = try family.question(.update("2.0"))
    let outcomes = try [
      family.consentctl("pending", "--json"), family.consentctl("show", question, "--json"),
      family.ctl("get", "significantUpdate/2.0", "--json"), family.ctl("age", "get", "--json"),
      family.consentctl("status", "--json"), family.consentctl("person", "list", "--json"),
      family.consentctl("await", question, "--timeout", "0", "--json"),
      family.ctl("responses", "--after", "0", "--until-ready", "--kinds", "grantEnded", "--json"),
      family.consentctl("deny", question, "--json"),
    ]
    for outcome in outcomes {
      #expect(outcome.errors == "")
      #expect(outcome.output.split(separator: "\n").count == 1)
      #expect(try !outcome.object.isEmpty)
    }
    let pretty = try family.consentctl("status", "--json=pretty")
    #expect(pretty.output.split(separator: "\n").count > 2)
    #expect(try pretty.object["openQuestions"] == 0)
  }

  @Test func `login names are taken and shown`() throws {
    let family = try Family()
    #expect(try family.consentctl("enroll", "games", "--born", "2014-03-05", "--guardian", "daemon").exit == .status(0))
    let people = try family.desk.administration("ListPeople").list("people")
    let names = Set(people.map { $0["person"]?.string })
    #expect(names.isSuperset(of: ["uid:5", "uid:1"]))
    let listed = try family.consentctl("person", "list")
    #expect(listed.output.contains("games") && listed.output.contains("daemon"))
    let unknown = try family.consentctl("person", "add", "nobody-has-this-name")
    #expect(unknown.exit != .status(0))
    #expect(unknown.remarks.count == 1)
  }

  @Test func `the events of an app are printed up to now`() throws {
    let family = try Family()
    try family.answer(family.question(.update("2.0")), "approve")
    let outcome = try family.ctl("responses", "--until-ready", "--json")
    let events = try outcome.output.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)).text("event") }
    #expect(events == ["asked", "decided", "granted", "ready"])
    #expect(try family.ctl("responses", "--until-ready", "--acknowledge").exit == .status(0))
    let rest = try family.ctl("responses", "--until-ready", "--json")
    #expect(try rest.object["event"] == "ready")
  }

  @Test func `the one open question is answered without its id only when that is confirmed`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    #expect(try family.consentctl("approve").exit == .status(2))
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.consentctl("approve", "--yes").exit == .status(0))
    #expect(try family.look(question)["state"] == "approved")
    try family.ask(.own("3.0"))
    try family.ask(.own("4.0"))
    #expect(try family.consentctl("approve", "--yes").exit == .status(2))
    #expect(try family.statistics()["openQuestions"] == 2)
  }

  @Test func `the daemon is told in numbers`() throws {
    let family = try Family()
    let requester = try family.requester(.update("2.0"))
    let watch = try family.watch()
    #expect(try watch.backlog().count == 1)
    let status = try family.consentctl("status", "--json").object
    #expect(status["openQuestions"] == 1 && status["waiters"] == 1 && status["companions"] == 1)
    let text = try family.consentctl("status").output
    for line in ["open questions: 1", "waiters: 1", "companions online: 1"] { #expect(text.contains(line)) }
    requester.close()
  }
}

@Suite struct HelpTests {
  private static let commands = [
    "enroll", "person", "guardian", "age", "get", "ask", "request", "await", "withdraw", "responses", "pending", "show",
    "approve", "deny", "answer", "watch", "status",
  ]

  @Test func `help has three groups with every command`() throws {
    let help = try Program.run(Program.path(of: "consentctl"), ["help"])
    #expect(help.exit == .status(0))
    let places = ["guardian", "app", "administrator"].map { group in
      help.output.split(separator: "\n").firstIndex {
        $0.lowercased().hasSuffix("\(group):") || $0.lowercased().hasSuffix("\(group)s:")
      }
    }
    #expect(places.compactMap { $0 }.count == 3)
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    for command in HelpTests.commands {
      #expect(help.output.contains("  \(command) ") || help.output.contains("\(command)\n"))
    }
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test(arguments: commands)
  func `each command explains itself`(command: String) throws {
    for arguments in [["help", command], [command, "--help"]] {
      let help = try Program.run(Program.path(of: "consentctl"), arguments)
      #expect(help.exit == .status(0))
      #expect(help.output.contains("consentctl \(command)"))
      #expect(help.errors == "")
    }
  }
}

extension Family {
  /// Runs consentctl for the family's person.
  fileprivate func ctl(_ arguments: String...) throws -> Program.Outcome {
    let words = arguments + ["--person", Family.person]
    return try Program.run(Program.path(of: "consentctl"), words, environment: environment)
  }
}
