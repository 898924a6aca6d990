// SPDX-License-Identifier: Apache-2.0
//
// What happened to an app's questions, from where it last stopped. Events are printed before they are acknowledged: an
// event that is printed twice is better than one that is lost.

import ConsentKit
import HostRuntime

extension Command {
  static let responses = Command(
    name: "responses", group: .app, operands: "", arity: 0...0,
    summary: "what happened to this app's questions, then what happens",
    details: [
      "Starts behind the last event that was acknowledged, and goes on until it is stopped. KIND is one of",
      "\(ResponsesCommand.kinds.joined(separator: ", ")).",
    ],
    options: [
      Option("--after", .required("N"), "start behind event N; 0 is the beginning"),
      Option("--kinds", .required("KIND,…"), "only these"),
      Option("--until-ready", "end where the past ends"),
      Option("--acknowledge", "say to the daemon that each printed event is dealt with"),
    ] + AskCommands.nameOptions,
    run: { call in try await call.output.whileRead { try await ResponsesCommand.run(call) } })
}

/// The code of `responses`.
enum ResponsesCommand {
  /// What can be asked for; `ready` comes anyway.
  static let kinds = [
    "asked", "delivered", "decided", "expired", "withdrawn", "superseded", "moot", "granted", "revoked", "grantEnded",
  ]

  @Loop static func run(_ call: Invocation) async throws -> ExitCode {
    let app = try call.app()
    let kinds = try kinds(call)
    var last = try call.number("--after")
    do {
      for try await event in app.responses(after: last, kinds: kinds) {
        if try await take(event, of: app, call) { return .yes }
        last = event.sequence
      }
    } catch ConsentError.connectionLost {
      throw Failures.failure(.connectionLost, Messages.lostResponses(after: last))
    }
    return .yes
  }

  private static func kinds(_ call: Invocation) throws(CommandFailure) -> [String] {
    guard let list = call.arguments.value("--kinds") else { return [] }
    let typed = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard typed.allSatisfy(kinds.contains) else {
      throw .usage("--kinds takes some of \(kinds.joined(separator: ","))")
    }
    return typed
  }

  /// Prints one event; true where it is the last that is wanted.
  private static func take(_ event: ConsentEvent, of app: AppClient, _ call: Invocation) async throws -> Bool {
    let isReady = event.event == "ready"
    try call.output.reply(event.json) { isReady ? [] : [Messages.event(event)] }
    if !isReady, call.arguments.has("--acknowledge") { try await app.acknowledge(event.sequence) }
    return isReady && call.arguments.has("--until-ready")
  }
}
