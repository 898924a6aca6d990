// SPDX-License-Identifier: Apache-2.0
//
// An app's questions from the command line: look, ask, wait, take back. A wait that ends says so with the status of
// "pending" and never with that of "no".

import ConsentKit
import HostRuntime

extension Command {
  static let get = Command(
    name: "get", group: .app, operands: "TOPIC", arity: 1...1, summary: "where a topic stands; asks nobody",
    details: TopicArgument.details, options: TopicArgument.subjectOptions + AskCommands.nameOptions,
    run: AskCommands.get)

  static let ask = Command(
    name: "ask", group: .app, operands: "TOPIC", arity: 1...1, summary: "put a topic to the guardians; do not wait",
    details: TopicArgument.details + ["An open question of the same content is joined."],
    options: AskCommands.askOptions, run: AskCommands.ask)

  static let request = Command(
    name: "request", group: .app, operands: "TOPIC", arity: 1...1, summary: "put a topic to the guardians and wait",
    details: TopicArgument.details + AskCommands.waitDetails,
    options: AskCommands.askOptions + [AskCommands.timeoutOption], run: AskCommands.request)

  static let wait = Command(
    name: "await", group: .app, operands: "QUESTION", arity: 1...1, summary: "wait for the answer to a question",
    details: AskCommands.waitDetails, options: [AskCommands.timeoutOption], run: AskCommands.wait)

  static let withdraw = Command(
    name: "withdraw", group: .app, operands: "QUESTION", arity: 1...1, summary: "take a question back",
    run: AskCommands.withdraw)
}

/// The code of the commands that ask.
enum AskCommands {
  /// Who asks about whom.
  static let nameOptions = [
    Option("--person", .required("WHO"), "whom it is about: a login name, uid:N or account:… (default: yourself)"),
    Option("--app", .required("APP"), "the app that asks, a reverse-domain id"),
  ]

  static let askOptions =
    TopicArgument.subjectOptions + TopicArgument.textOptions + [
      Option("--key", .required("KEY"), "name this ask: the same key gives the same question for 48 hours"),
      Option("--expires", .required("SPAN"), "how long it may stay open: 1h to 90d (default 30d)"),
      Option("--app-version", .required("VERSION"), "the version of the app that asks"),
    ] + nameOptions

  static let timeoutOption = Option("--timeout", .required("SPAN"), "how long to wait: 30s, 15m, 2h; 0 only looks")

  static let waitDetails = [
    "Without --timeout it waits until the question ends where standard output is a terminal, else for 30 seconds.",
    "When the time passes the question stays open and the exit status is 4.",
  ]

  /// How long a wait is when nobody said and nobody watches.
  private static let unattendedWait = Duration.seconds(30)

  @Loop static func get(_ call: Invocation) async throws -> ExitCode {
    let topic = try TopicArgument.topic(try call.operand(0), call.arguments)
    let status = try await call.app().status(of: topic)
    try call.output.reply(status.json) { [Messages.status(status)] }
    return ExitCode(status: status.status)
  }

  @Loop static func ask(_ call: Invocation) async throws -> ExitCode {
    let topic = try TopicArgument.topic(try call.operand(0), call.arguments)
    let decision = try await asked { try await call.app().ask(topic, terms(call)) }
    try call.output.reply(decision.json) { [Messages.asked(decision)] }
    return ExitCode(state: decision.state)
  }

  @Loop static func request(_ call: Invocation) async throws -> ExitCode {
    let topic = try TopicArgument.topic(try call.operand(0), call.arguments)
    let timeout = try call.span("--timeout")
    guard timeout == nil, call.output.isTerminal else {
      let wait = timeout.map { Duration.microseconds($0.usec) } ?? unattendedWait
      return try finish(call, try await asked { try await call.app().request(topic, terms(call), timeout: wait) })
    }
    let decision = try await asked { try await call.app().ask(topic, terms(call)) }
    guard decision.state == "pending", let question = decision.question else { return try finish(call, decision) }
    call.output.remark(Messages.waiting(decision))
    return try finish(call, try await ended(question, nil, call))
  }

  @Loop static func wait(_ call: Invocation) async throws -> ExitCode {
    let question = try call.operand(0)
    let typed = try call.span("--timeout").map { Duration.microseconds($0.usec) }
    let timeout = typed ?? (call.output.isTerminal ? nil : unattendedWait)
    return try finish(call, try await ended(question, timeout, call))
  }

  @Loop static func withdraw(_ call: Invocation) async throws -> ExitCode {
    let question = try call.operand(0)
    let decision = try await call.app().withdraw(question)
    try call.output.reply(decision.json) { [Messages.withdrawn(question, decision)] }
    return decision.state == "withdrawn" ? .yes : .failure
  }

  /// A lost connection loses no question: say how to go on.
  private static func ended(
    _ question: String, _ timeout: Duration?, _ call: Invocation
  ) async throws -> Decision {
    do {
      return try await call.app().decision(of: question, timeout: timeout)
    } catch ConsentError.connectionLost {
      throw Failures.failure(.connectionLost, Messages.lostWhileWaiting(question))
    }
  }

  /// Asking again does no harm: what was asked already is joined.
  private static func asked(_ ask: () async throws -> Decision) async throws -> Decision {
    do {
      return try await ask()
    } catch ConsentError.connectionLost {
      throw Failures.failure(.connectionLost, Messages.lostWhileAsking)
    }
  }

  private static func finish(_ call: Invocation, _ decision: Decision) throws(CommandFailure) -> ExitCode {
    try call.output.reply(decision.json) { [Messages.decided(decision, call.output)] }
    return ExitCode(state: decision.state)
  }

  private static func terms(_ call: Invocation) throws(CommandFailure) -> AskTerms {
    AskTerms(
      key: call.arguments.value("--key"), expires: try call.span("--expires").map { .microseconds($0.usec) },
      appVersion: call.arguments.value("--app-version"))
  }
}
