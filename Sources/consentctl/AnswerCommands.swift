// SPDX-License-Identifier: Apache-2.0
//
// A guardian's yes and no. The hash of the card that was shown always goes along, so that an answer can only count for
// that content. Without an id there must be exactly one question, and a guardian who confirms it.

import ConsentKit
import HostRuntime

extension Command {
  static let approve = Command(
    name: "approve", group: .guardian, operands: "[QUESTION]", arity: 0...1, summary: "say yes to a question",
    details: AnswerCommands.details,
    options: [
      Option("--once", "for this one time only, where the question offers that"),
      Option("--choice", .required("CHOICE"), "another of the answers offered (show lists them)"),
    ] + AnswerCommands.options,
    run: AnswerCommands.approve)

  static let deny = Command(
    name: "deny", group: .guardian, operands: "[QUESTION]", arity: 0...1, summary: "say no to a question",
    details: AnswerCommands.details, options: AnswerCommands.options, run: AnswerCommands.deny)
}

/// The code of `approve` and `deny`.
enum AnswerCommands {
  static let details = [
    "QUESTION is an id or a unique beginning of one, of at least 4 digits. Without it, the one question that is open",
    "is shown and, on a terminal, confirmed.",
  ]

  static let options = [
    Option("--yes", "do not ask for confirmation"),
    Option("--note", .required("TEXT"), "a word for the record; the app does not see it"),
    Option("--guardian", .required("WHO"), "whose answer it is (a bridge, or in a sandbox)"),
  ]

  @Loop static func approve(_ call: Invocation) async throws -> ExitCode {
    if call.arguments.has("--once"), call.arguments.has("--choice") {
      throw CommandFailure.usage("--once and --choice exclude each other")
    }
    let choice = call.arguments.value("--choice") ?? (call.arguments.has("--once") ? "approveOnce" : "approve")
    return try await answer(call, choice)
  }

  @Loop static func deny(_ call: Invocation) async throws -> ExitCode { try await answer(call, "deny") }

  @Loop private static func answer(_ call: Invocation, _ choice: String) async throws -> ExitCode {
    let guardian = GuardianClient(daemon: call.daemon)
    let card: Card
    if let question = call.arguments.operands.first {
      card = try await guardian.card(of: question)
    } else {
      card = try await onlyQuestion(call, guardian)
      guard try await confirmed(call, card, choice) else {
        call.output.remark(Messages.leftOpen(card))
        return .pending
      }
    }
    let answered = try await guardian.answer(
      card, choice: choice, note: call.arguments.value("--note"), guardian: try call.person("--guardian"))
    try call.output.reply(answered.json) { Messages.answered(card, choice, answered, call.output) }
    return .yes
  }

  private static func onlyQuestion(_ call: Invocation, _ guardian: GuardianClient) async throws -> Card {
    if !call.arguments.has("--yes"), !call.isAttended {
      throw CommandFailure.usage("say which question, or --yes for the one that is open")
    }
    let cards = try await guardian.openQuestions().filter(\.canAnswer)
    guard cards.count < 2 else { throw CommandFailure.usage(Messages.severalOpen(cards)) }
    guard let card = cards.first else { throw CommandFailure.failure(Messages.noneOpen) }
    return card
  }

  @Loop private static func confirmed(_ call: Invocation, _ card: Card, _ choice: String) async throws -> Bool {
    if call.output.json == nil { try call.output.lines(Messages.card(card, call.output)) }
    if call.arguments.has("--yes") { return true }
    return try await call.confirms(Messages.confirmation(card, choice))
  }
}
