// SPDX-License-Identifier: Apache-2.0
//
// The manual page and the completions of consentctl, held against its own table of commands, both ways: nothing is
// missing, and nothing is told that is not there.

import Foundation
import TestSupport
import Testing

@testable import consentctl

/// What is written about consentctl outside its code.
struct ManualTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized.path

  /// Every option a command takes, and which of them want a value.
  private static func options(_ command: Command) -> Set<String> { Set(command.options.map(\.name)) }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(project)/\(path)", encoding: .utf8)
  }

  /// The options in bold in a piece of manual.
  private static func bold(_ text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /\*(--[a-z-]+)\*/).map { String($0.output.1) })
  }

  /// The terms of the sections of commands: their name, and the line of it.
  private static func entries() throws -> [String: Substring] {
    let page = try text("docs/man/consentctl.1.scd")
    let sections = page.split(separator: "\n# ").filter { $0.hasPrefix("FOR ") }
    let lines = sections.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("*") }
    return Dictionary(
      lines.map { line in (String(line.dropFirst().prefix { $0 != "*" }), line) }, uniquingKeysWith: { $1 })
  }

  @Test func `the manual has exactly the commands there are`() throws {
    #expect(Set(try Self.entries().keys) == Set(Command.all.map(\.name)))
  }

  @Test(arguments: Command.all.map(\.name))
  func `the manual has exactly the options of a command`(name: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    let line = try #require(try Self.entries()[name])
    #expect(Self.bold(line) == Self.options(command))
  }

  @Test func `the manual explains what every command takes, and the exit codes`() throws {
    let page = try Self.text("docs/man/consentctl.1.scd")
    let everywhere = try #require(page.split(separator: "\n# ").first { $0.hasPrefix("OPTIONS OF EVERY COMMAND") })
    #expect(Self.bold(everywhere) == Set(Command.commonOptions.map(\.name)))
    let exits = try #require(page.split(separator: "\n# ").first { $0.hasPrefix("EXIT STATUS") })
    let codes = exits.matches(of: /\n\*(\d+)\*/).compactMap { Int32($0.output.1) }
    #expect(codes == (0...6).map { Int32($0) } + [65])
    #expect(codes.allSatisfy { ExitCode(rawValue: $0) != nil } && ExitCode(rawValue: 7) == nil)
  }

  @Test func `bash completes exactly the commands there are`() throws {
    var commands: Set<String> = []
    for word in try bash("_consentctl_words", "") where !["help", "--version"].contains(word) {
      let family = try bash("_consentctl_words", word)
      commands.formUnion(family.isEmpty ? [word] : family.map { "\(word) \($0)" })
    }
    #expect(commands == Set(Command.all.map(\.name)))
  }

  @Test(arguments: Command.all.map(\.name))
  func `bash completes exactly the options of a command`(name: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    let known = command.options.map { option in
      if case .required = option.value { "\(option.name)=" } else { option.name }
    }
    #expect(try bash("_consentctl_rows", name).sorted() == known.sorted())
  }

  @Test func `zsh has a row for every command and every option`() throws {
    let file = try Self.text("completions/_consentctl")
    for command in Command.all {
      #expect(
        file.contains("\n    \(command.name))") || file.contains("\n    \"\(command.name)\")"), "\(command.name)")
    }
    let told = Set(file.matches(of: /'\*?(?:\([^)]*\))?(--[a-z-]+)/).map { String($0.output.1) })
    let known = Set((Command.all.flatMap(\.options) + Command.commonOptions).map(\.name))
    #expect(told == known)
  }

  @Test(arguments: [
    (["per"], ["person"]), (["person", ""], ["add", "import", "list", "move", "remove"]),
    (["help", "person", "a"], ["add"]), (["settings", "uid:1", "neverA"], ["neverAsk"]),
    (["request", "sig"], ["significantUpdate/"]), (["request", "x", "--rea"], ["--reason"]),
    (["request", "x", "--reason", "d"], ["dataCategories"]), (["ask", "x", "--reason", "=", "m"], ["monetization"]),
    (["status", "--json", "=", "p"], ["pretty"]), (["status", "--json", ""], []), (["enroll", "root"], ["root"]),
    (["approve", "3f9c", "--on"], ["--once"]), (["deny", "3f9c", "--on"], []), (["nothing", "--once"], []),
  ])
  func `bash completes what is being typed`(typed: [String], completed: [String]) throws {
    let script = """
      source "$0" && COMP_WORDS=(consentctl "$@") && COMP_CWORD=$# && { _consentctl; printf '%s\\n' "${COMPREPLY[@]}"; }
      """
    let outcome = try Self.bash(script, typed)
    #expect(outcome.output.split(separator: "\n").map(String.init).sorted() == completed)
    #expect(outcome.errors == "")
  }

  /// The words that a function of the completion prints for an argument.
  private func bash(_ function: String, _ argument: String) throws -> [String] {
    let script = "source \"$0\" && \(function) \"$1\""
    let outcome = try Self.bash(script, [argument])
    #expect(outcome.exit == .status(0) && outcome.errors == "", "\(argument): \(outcome.errors)")
    return outcome.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Runs a script of bash; `$0` is the completion. Where its input is a socket, bash would read somebody's start-up file.
  private static func bash(_ script: String, _ arguments: [String]) throws -> TestSupport.Program.Outcome {
    try TestSupport.Program.run("sh", ["-c", "exec bash -c \"$@\" < /dev/null", "sh", script, completion] + arguments)
  }

  private static let completion = "\(project)/completions/consentctl"
}
