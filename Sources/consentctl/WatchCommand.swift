// SPDX-License-Identifier: Apache-2.0
//
// The way out of a companion: every change in what a guardian has to see, as text, as JSON, or handed to a command.
// When the daemon goes it is waited for; what is open is told again by the daemon itself, so nothing is remembered
// here. What the command does, or fails to do, answers no question.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let watch = Command(
    name: "watch", group: .guardian, operands: "", arity: 0...0, summary: "see the questions as they come",
    details: [
      "--json prints one object per change: change (added, changed, reminder, removed, revoked, ready), question,",
      "contentHash, choices, reason and card, as far as they apply. --exec gives the same object to COMMAND's standard",
      "input, one at a time and without ready. Both tell the open questions first, and again whenever the daemon came",
      "back.",
    ],
    options: [
      Option("--person", .required("WHO"), "only about this person"),
      Option("--exec", .required("COMMAND"), "run COMMAND with /bin/sh for each change"),
    ],
    run: { call in
      let watch = try WatchCommand(call)
      return try await call.arguments.has("--exec") ? watch.run() : call.output.whileRead { try await watch.run() }
    })
}

/// Follows the changes, over as many connections as it takes.
@Loop
final class WatchCommand {
  private let call: Invocation
  private let command: String?
  private var backOff = BackOff()
  private var hasBeenConnected = false
  private var isAway = false

  init(_ call: Invocation) throws(CommandFailure) {
    self.call = call
    command = call.arguments.value("--exec")
    if command?.isEmpty == true { throw .usage("--exec needs a command") }
    if command != nil, call.output.json != nil { throw .usage("--exec and --json exclude each other") }
  }

  /// Runs until it is interrupted, or the daemon refuses.
  func run() async throws -> ExitCode {
    let guardian = GuardianClient(daemon: call.daemon)
    let person = try call.person("--person")
    while true {
      do {
        for try await change in guardian.changes(person: person) { try await take(change) }
      } catch let error as ConsentError {
        guard hasBeenConnected, WatchCommand.passes(error) else { throw error }
      }
      if !isAway { call.output.remark(Messages.daemonAway) }
      isAway = true
      try await Pause.wait(usec: backOff.next())
    }
  }

  private func take(_ change: QuestionChange) async throws {
    if isAway { call.output.remark(Messages.daemonBack) }
    hasBeenConnected = true
    isAway = false
    backOff = BackOff()
    let object = WatchCommand.object(change)
    if let command {
      if change.change != "ready" { try await ShellCommand(command).run(input: object, call.output) }
    } else if change.change == "ready", call.output.json == nil {
      call.output.remark(Messages.watching)
    } else {
      try call.output.reply(object) { Messages.change(change, call.output) }
    }
  }

  /// The shape programs are given: what an answer needs at the top, and the whole card.
  nonisolated static func object(_ change: QuestionChange) -> JSONObject {
    var object: JSONObject = ["change": .string(change.change)]
    for name in ["question", "contentHash", "choices"] { object[name] = change.card?.json[name] }
    object["reason"] = change.reason.map(JSON.string)
    object["card"] = (change.card?.json).map(JSON.object)
    return object
  }

  /// Whether a connection that ended like this is worth another try.
  private static func passes(_ error: ConsentError) -> Bool {
    switch error {
    case .unreachable, .connectionLost: true
    case .refused(let refusal): refusal.shortName == "SubscriberTooSlow" || refusal.isRetryable
    case .protocolViolation, .cancelled: false
    }
  }
}

/// How long to wait before the next try: within a second at first, then doubling to half a minute.
struct BackOff {
  private static let longestUSec: Int64 = 30_000_000
  private static let eagerUSec: Int64 = 1_000_000
  private static let eagerTries = 10
  private var tries = 0
  private var usec: Int64 = 250_000

  /// The wait before the next try, in microseconds.
  mutating func next() -> Int64 {
    defer {
      tries += 1
      let limit = tries < BackOff.eagerTries ? BackOff.eagerUSec : BackOff.longestUSec
      usec = min(usec * 2, limit)
    }
    return usec
  }
}
