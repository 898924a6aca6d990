// SPDX-License-Identifier: Apache-2.0
//
// The way out of a companion: every change in what a guardian has to see, as cards with keys on a terminal, as text, as
// JSON, or handed to a command. What becomes of it there answers no question, unless somebody says yes to a card.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let watch = Command(
    name: "watch", group: .guardian, operands: "", arity: 0...0, summary: "see the questions as they come",
    details: [
      "On a terminal each question is a card with a key for each answer it offers; q leaves and changes nothing.",
      "--json prints one object per change: change (added, changed, reminder, removed, revoked, ready), question,",
      "contentHash, choices, reason and card, as far as they apply. --exec gives the same object to COMMAND's standard",
      "input, without ready, and CONSENTD_CHANGE, _QUESTION, _CONTENT_HASH, _CHOICES, _PERSON, _APP, _PROVENANCE,",
      "_TEXT, _STATE and _REASON in its environment: the changes of a question one after the other, questions side by",
      "side, at most 16 at once, each up to 3 times until it ends with 0. All tell the open questions first, and again",
      "whenever the daemon came back.",
    ],
    options: [
      Option("--person", .required("WHO"), "only about this person"),
      Option("--exec", .required("COMMAND"), "run COMMAND with /bin/sh for each change"),
      Option("--guardian", .required("WHO"), "whose answers the keys give (a bridge, or in a sandbox)"),
    ],
    run: { call in
      let watch = try WatchCommand(call)
      if let terminal = try watch.terminal() { return try await terminal.run() }
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

  /// The cards, where somebody sits there and nobody else was named to be told.
  fileprivate func terminal() throws -> WatchTerminal? {
    guard runs == nil, call.isAttended else {
      guard !call.arguments.has("--guardian") else {
        throw CommandFailure.usage("--guardian is for the keys on a terminal; approve, deny and answer take it, too")
      }
      return nil
    }
    return WatchTerminal(
      call.output, GuardianClient(daemon: call.daemon), feed, speaker: try call.person("--guardian"))
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
