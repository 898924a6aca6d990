// SPDX-License-Identifier: Apache-2.0
//
// `watch --exec`: runs a command for each change while the stream goes on being read. What the command does, or fails
// to do, answers no question; it may take as long as somebody needs to answer.

import ConsentKit
import HostRuntime

/// Carries out what a queue of runs decides.
@Loop
final class CommandRuns {
  private let command: ShellCommand
  private let output: Output
  private var queue = RunQueue()

  /// Runs `command`; what went wrong is remarked on `output`.
  init(_ command: ShellCommand, _ output: Output) {
    self.command = command
    self.output = output
  }

  /// Takes a change in and comes back at once. `ready` and what concerns no question is nothing to run for.
  func take(_ change: QuestionChange) {
    guard change.change != "ready", change.card != nil else { return }
    queue.add(change)
    begin()
  }

  private func begin() {
    while let run = queue.next() {
      Loop.perform { await self.carryOut(run) }
    }
  }

  private func carryOut(_ run: RunQueue.Run) async {
    let failure = await command.run(
      input: WatchCommand.object(run.change), environment: CommandRuns.environment(run.change))
    let verdict = queue.ended(run, succeeded: failure == nil)
    begin()
    guard let failure else { return }
    switch verdict {
    case .done: output.remark(failure)
    case .givenUp: output.remark(Messages.givenUp(run.change, failure))
    case .again(let usec):
      output.remark(Messages.triedAgain(failure, afterUSec: usec))
      try? await Pause.wait(usec: usec)
      queue.rested(run)
      begin()
    }
  }

  /// How long a text of the environment may be, in bytes: the kernel takes 128 KiB.
  private static let longestText = 64 << 10

  /// What the command is told beside the object, so that a shell script needs to parse no JSON. Every text is fit for
  /// a terminal, as everywhere.
  static func environment(_ change: QuestionChange) -> [(name: String, value: String)] {
    guard let card = change.card else { return [] }
    let text = Messages.card(card, Output.plain).joined(separator: "\n")
    let isShown = text.utf8.count <= longestText
    let choices = card.canAnswer && isShown ? card.choices.map { Messages.plain($0.choice) } : []
    return [
      ("CONSENTD_CHANGE", Messages.plain(change.change)), ("CONSENTD_QUESTION", Messages.plain(card.question)),
      ("CONSENTD_CONTENT_HASH", Messages.plain(card.contentHash)),
      ("CONSENTD_CHOICES", choices.joined(separator: " ")),
      ("CONSENTD_PERSON", Names.shown(card.person)), ("CONSENTD_APP", Messages.plain(card.app ?? "")),
      ("CONSENTD_PROVENANCE", Messages.plain(card.provenance)),
      ("CONSENTD_STATE", Messages.plain(card.state)),
      ("CONSENTD_REASON", Messages.plain(change.reason ?? "")),
      ("CONSENTD_TEXT", isShown ? text : Messages.tooLongToShow(card)),
    ]
  }
}
