// SPDX-License-Identifier: Apache-2.0
//
// One command line, understood: what a command's code is given to work with. Values are read here in the one way each
// of them is typed; whether a person exists or a span is allowed is for the daemon to say.

import ConsentKit
import Glibc
import HostRuntime
import StrictJSON

/// A command with its arguments, its streams and the daemon it speaks to.
struct Invocation: Sendable {
  let arguments: Arguments
  let output: Output
  let daemon: Daemon

  /// Reads the options every command takes from `arguments`.
  init(_ arguments: Arguments) throws(CommandFailure) {
    self.arguments = arguments
    output = Output(json: try Invocation.style(in: arguments))
    let directory = arguments.value("--runtime-directory")
    guard directory?.isEmpty != true else { throw .usage("--runtime-directory needs a directory") }
    daemon = Daemon(runtimeDirectory: directory)
  }

  /// Whether somebody sits there to read what is shown, to be asked, and to answer.
  var isAttended: Bool {
    output.json == nil && output.isTerminal && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// Asks whoever sits there; only a typed yes is one.
  @Loop func confirms(_ question: String) async throws -> Bool {
    output.prompt(question)
    guard case .text(let typed)? = try await LineReader().next() else { return false }
    return Messages.isYes(String(decoding: typed, as: UTF8.self))
  }

  /// The operand at `index`, which the command's arity vouches for.
  func operand(_ index: Int) throws(CommandFailure) -> String {
    guard arguments.operands.indices.contains(index) else { throw .usage("an operand is missing") }
    return arguments.operands[index]
  }

  /// The wire's form of the person or guardian behind an option.
  func person(_ option: String) throws(CommandFailure) -> String? {
    guard let typed = arguments.value(option) else { return nil }
    return try Names.wire(typed)
  }

  /// The span behind an option.
  func span(_ option: String) throws(CommandFailure) -> TimeSpan? {
    guard let typed = arguments.value(option) else { return nil }
    guard let span = TimeSpan(typed: typed) else {
      throw .usage("\(option) takes a whole number with s, m, h or d, such as 30s, 15m, 2h or 7d")
    }
    return span
  }

  /// The whole number behind an option.
  func number(_ option: String) throws(CommandFailure) -> Int64? {
    guard let typed = arguments.value(option) else { return nil }
    return try Invocation.number(typed, for: option)
  }

  /// A whole number somebody typed for `label`.
  static func number(_ typed: String, for label: String) throws(CommandFailure) -> Int64 {
    guard let number = Int64(typed) else { throw .usage("\(label) takes a whole number") }
    return number
  }

  /// The app's side, for the person and app that were named.
  func app() throws(CommandFailure) -> AppClient {
    AppClient(daemon: daemon, person: try person("--person"), app: arguments.value("--app"))
  }

  private static func style(in arguments: Arguments) throws(CommandFailure) -> JSONStyle? {
    guard arguments.has("--json") else { return nil }
    guard let style = JSONStyle(rawValue: arguments.value("--json") ?? JSONStyle.short.rawValue) else {
      throw .usage("--json is short or pretty")
    }
    return style
  }
}
