// SPDX-License-Identifier: Apache-2.0
//
// The whole life of a command: find it, run it on the loop, explain what went wrong, exit. Nothing else in this
// program exits, and only what ran to its end exits with 0.

import ConsentKit
import Glibc
import HostRuntime

/// The entry point of consentctl.
@main
struct Program {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    occupyStandardStreams()
    let words = Array(CommandLine.arguments.dropFirst())
    let code: ExitCode
    do {
      code = try run(words)
    } catch {
      let failure = Failures.failure(error)
      if let message = failure.message { Output(json: nil).remark(message) }
      code = failure.exit
    }
    exit(code.rawValue)
  }

  /// A standard stream that is closed is made one that is empty, so that its number is nobody else's.
  private static func occupyStandardStreams() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
  }

  /// Does what the words say.
  private static func run(_ words: [String]) throws -> ExitCode {
    let (leading, words) = leadingOptions(words)
    if let page = try page(for: words) {
      try Output(json: nil).lines(page)
      return words.isEmpty ? .usage : .yes
    }
    let (command, rest) = try Command.find(in: words)
    let arguments = try Arguments(leading + rest, options: command.options + Command.commonOptions)
    if arguments.has("--help") {
      try Output(json: nil).lines(Help.page(for: command))
      return .yes
    }
    return try run(command, try Invocation(arguments))
  }

  /// Runs a command that was understood. To a program its failure is told as an object, too.
  private static func run(_ command: Command, _ call: Invocation) throws -> ExitCode {
    do {
      guard command.arity.contains(call.arguments.operands.count) else {
        throw CommandFailure.usage("usage: consentctl \(Help.usage(command))")
      }
      return try Loop.run { try await command.run(call) }
    } catch {
      if call.output.json != nil, let object = Failures.json(error) { try call.output.object(object) }
      throw error
    }
  }

  /// What the first words ask for where they name no command: help, of everything or of a command or family, or the
  /// version. Behind a command `--help` is an option like any other: as another's value, or behind `--`, it is not one,
  /// for an app's gate must not be opened by what somebody typed.
  private static func page(for words: [String]) throws(CommandFailure) -> [String]? {
    switch words.first {
    case nil: return Help.overview()
    case "--version"?: return [Help.version]
    case "help"?, "--help"?, "-h"?:
      let named = Array(words.dropFirst())
      return named.isEmpty ? Help.overview() : try Help.page(for: named)
    case let family?:
      return words.dropFirst() == ["--help"] && !Command.family(family).isEmpty ? try Help.page(for: [family]) : nil
    }
  }

  /// Options every command takes may stand before its name.
  private static func leadingOptions(_ words: [String]) -> (options: [String], rest: [String]) {
    var count = 0
    while count < words.count {
      switch words[count] {
      case "--runtime-directory": count += 2
      case let word where word.utf8.starts(with: "--runtime-directory=".utf8) || word.utf8.starts(with: "--json".utf8):
        count += 1
      default: return (Array(words[..<count]), Array(words[count...]))
      }
    }
    return (words, [])
  }
}
