// SPDX-License-Identifier: Apache-2.0
//
// What consentctl makes of the words it is given where a mistake would be a yes: help that is none, questions nobody
// named, failures a program has to read.

import StrictJSON
import TestSupport
import Testing

@Suite struct CommandWordsTests {
  @Test(arguments: [
    ["ask", "resource/org.example.time", "--purpose", "--help"],
    ["request", "resource/org.example.time", "--timeout", "0", "--purpose=--help"],
    ["request", "resource/org.example.time", "--timeout", "0", "--purpose", "-h"],
  ])
  func `help as the value of an option opens no gate`(arguments: [String]) throws {
    let family = try Family()
    let outcome = try Program.run(
      Program.path(of: "consentctl"), arguments + ["--person", Family.person], environment: family.environment)
    #expect(outcome.exit == .status(4))
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test(arguments: [
    ["get", "--", "--help"], ["age", "check", "--", "--help"], ["age", "check", "13", "--person", "--help"],
    ["person", "list", "--help=please"], ["--runtime-directory", "/nonexistent", "get", "x", "--person", "--help"],
  ])
  func `help that is an operand or a value is answered as one`(arguments: [String]) throws {
    let outcome = try Program.run(Program.path(of: "consentctl"), arguments)
    #expect(outcome.exit == .status(2))
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    ["-h"], ["--help"], ["help", "age"], ["age", "--help"], ["age", "check", "--help"],
    ["get", "x", "--json", "--help"],
    ["--json", "status", "--help"],
  ])
  func `help that is asked for is given`(arguments: [String]) throws {
    let outcome = try Program.run(Program.path(of: "consentctl"), arguments)
    #expect(outcome.exit == .status(0))
    #expect(outcome.output.contains("consentctl"))
  }

  @Test func `the tool and the daemon are of one version`() throws {
    let versions = try ["consentctl", "consentd"].map { name in
      let outcome = try Program.run(Program.path(of: name), ["--version"])
      #expect(outcome.exit == .status(0))
      return outcome.output.split(separator: " ").last
    }
    #expect(versions[0] == versions[1])
  }

  @Test(arguments: ["consentctl approve > cards", "consentctl deny --json", "consentctl approve 2> remarks"])
  func `nobody is asked about a card they do not see`(command: String) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let outcome = try family.onTerminal(command, typing: "y\n")
    #expect(outcome.exit == .status(2))
    #expect(try family.look(question)["state"] == "pending")
  }

  @Test(arguments: [("y\n", "approved"), ("n\n", "pending")])
  func `on a terminal the one open question is shown and confirmed`(typed: String, state: String) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let outcome = try family.onTerminal("consentctl approve", typing: typed)
    #expect(outcome.output.contains("significantUpdate/2.0"))
    #expect(try family.look(question)["state"] == .string(state))
  }

  @Test func `a person is removed on a terminal only when that is confirmed`() throws {
    let family = try Family()
    #expect(try family.onTerminal("consentctl person remove uid:5001", typing: "n\n").exit == .status(1))
    #expect(try family.statistics()["people"] == 2)
    #expect(try family.onTerminal("consentctl person remove uid:5001", typing: "y\n").exit == .status(0))
    #expect(try family.statistics()["people"] == 1)
    let again = try family.consentctl("person", "remove", "uid:5001")
    #expect(again.exit == .status(0))
    #expect(again.output.contains("was not enrolled"))
  }

  @Test func `an enrolment that breaks off says what stands`() throws {
    let family = try Family()
    let outcome = try family.consentctl(
      "enroll", "uid:5009", "--born", "2014-03-05", "--guardian", "uid:5000", "--guardian", "uid:5001", "--json")
    #expect(outcome.exit == .status(2))
    #expect(try outcome.object["error"] == "org.consentd.Administration.InvalidValue")
    let message = try outcome.object.text("message")
    for part in ["uid:5009 is enrolled", "uid:5000 may answer", "uid:5001 is no guardian", "give the command again"] {
      #expect(message.contains(part))
    }
    let future = try family.consentctl("enroll", "uid:5009", "--born", "2999-01-01", "--guardian", "uid:5000")
    #expect(future.errors.contains("uid:5009 is enrolled") && future.errors.contains("--born cannot be that"))
  }

  @Test func `what is refused is named as it was typed`() throws {
    let family = try Family()
    let outcome = try family.consentctl(
      "ask", "significantUpdate/2.0", "--text", "x", "--expires", "1s", "--person", Family.person)
    #expect(outcome.exit == .status(2))
    #expect(outcome.errors.contains("--expires"))
    let address = try family.consentctl(
      "ask", "significantUpdate/2.0", "--text", "x", "--url", "ftp:", "--person", Family.person)
    #expect(address.errors.contains("--url"))
    let unknown = try family.consentctl("await", String(repeating: "0", count: 32))
    #expect(unknown.errors.contains("there is no such question of yours"))
    let usage = try family.consentctl("status", "now")
    #expect(usage.errors == "consentctl: usage: consentctl status\n")
  }

  @Test func `a declaration tells what counts now`() throws {
    let family = try Family()
    let outcome = try family.consentctl("age", "declare", "uid:5001", "--born", "2000-01-01")
    #expect(outcome.output.contains("What counts now: 18 years or older (guardianDeclared)."))
  }

  @Test func `an empty variable for the runtime directory is none`() throws {
    let outcome = try Program.run(
      Program.path(of: "consentctl"), ["pending"], environment: ["CONSENTD_RUNTIME_DIRECTORY": ""])
    #expect(!outcome.errors.contains("no consentd at /org.consentd"))
  }

  @Test(arguments: [("", true), ("1", false)])
  func `colours are left out where NO_COLOR says something`(value: String, isColoured: Bool) throws {
    let outcome = try Family().onTerminal("NO_COLOR=\(value) consentctl person list", typing: "")
    #expect(outcome.output.contains("\u{1B}[") == isColoured)
  }

  @Test(arguments: [["watch", "--json"], ["answer", "--stdin"], ["responses", "--person", Family.person]])
  func `a stream that nobody reads any more ends`(arguments: [String]) throws {
    let family = try Family()
    let program = try Program(Program.path(of: "consentctl"), arguments, environment: family.environment)
    if arguments[0] == "watch" { #expect(try program.readLine()?.contains("ready") == true) }
    program.output.close()
    #expect(try program.waitForExit() == .status(1))
    #expect(program.errors == "")
  }

  @Test func `lines that end as on another system are answers as well`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let line = "{\"question\":\"\(question)\",\"choice\":\"deny\"}\r\n\r\n"
    let outcome = try family.consentctl("answer", "--stdin", input: line)
    #expect(outcome.exit == .status(0))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }
}

extension Family {
  /// Runs a line of shell on a terminal of its own, in a directory of the test's.
  fileprivate func onTerminal(_ command: String, typing text: String) throws -> Program.Outcome {
    let tools = try Program.path(of: "consentctl").split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let line = "cd \(daemon.directory.path) && PATH=\(tools):$PATH && \(command)"
    return try Program.run("script", ["-qec", line, "/dev/null"], environment: environment, input: text)
  }
}
