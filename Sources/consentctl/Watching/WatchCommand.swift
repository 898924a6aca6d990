// SPDX-License-Identifier: Apache-2.0
//
// The way out of a companion: every change in what a guardian has to see, as text, as JSON, or handed to a command. What
// becomes of it there answers no question.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let watch = Command(
    name: "watch", group: .guardian, operands: "", arity: 0...0, summary: "see the questions as they come",
    details: [
      "--json prints one object per change: change (added, changed, reminder, removed, revoked, ready), question,",
      "contentHash, choices, reason and card, as far as they apply. --exec gives the same object to COMMAND's standard",
      "input, without ready, and CONSENTD_CHANGE, _QUESTION, _CONTENT_HASH, _CHOICES, _PERSON, _APP, _PROVENANCE,",
      "_TEXT, _STATE and _REASON in its environment: the changes of a question one after the other, questions side by side, at most 16",
      "at once, each up to 3 times until it ends with 0. All tell the open questions first, and again whenever the",
      "daemon came back.",
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

/// Tells the changes one after the other.
@Loop
final class WatchCommand {
  private let call: Invocation
  private let feed: ChangeFeed
  private let runs: CommandRuns?

  init(_ call: Invocation) throws(CommandFailure) {
    self.call = call
    let command = call.arguments.value("--exec")
    if command?.isEmpty == true { throw .usage("--exec needs a command") }
    if command != nil, call.output.json != nil { throw .usage("--exec and --json exclude each other") }
    feed = ChangeFeed(GuardianClient(daemon: call.daemon), person: try call.person("--person"))
    runs = command.map { CommandRuns(ShellCommand($0), call.output) }
  }

  /// Runs until it is interrupted, or the daemon refuses.
  func run() async throws -> ExitCode {
    var feed = feed
    try await feed.follow { news in
      switch news {
      case .away: call.output.remark(Messages.daemonAway)
      case .back: call.output.remark(Messages.daemonBack)
      case .change(let change): try tell(change)
      }
    }
  }

  private func tell(_ change: QuestionChange) throws {
    if let runs {
      runs.take(change)
    } else if change.change == "ready", call.output.json == nil {
      call.output.remark(Messages.watching)
    } else {
      try call.output.reply(WatchCommand.object(change)) { Messages.change(change, call.output) }
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
}
