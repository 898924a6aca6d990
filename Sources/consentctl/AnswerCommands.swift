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
      Option(
        "--until", .required("WHEN"), "until then, where the question offers that: 2h, 7d, or the end of YYYY-MM-DD"),
      Option("--items", .required("LIST"), "communication: only these, ACTION or HANDLE:ACTION, with commas between"),
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
    let words = [("--once", "approveOnce"), ("--until", "approveUntil")].filter { call.arguments.has($0.0) }
    var given = words.map(\.0)
    if let choice = call.arguments.value("--choice"), choice != "approveUntil" || words.first?.0 != "--until" {
      given.append("--choice")
    }
    guard given.count < 2 else { throw CommandFailure.usage("\(given.joined(separator: " and ")) exclude each other") }
    let until = try call.arguments.value("--until").map { typed throws(CommandFailure) in try ApprovalEnd(typed: typed)
    }
    return try await answer(call, call.arguments.value("--choice") ?? words.first?.1 ?? "approve", until)
  }

  @Loop static func deny(_ call: Invocation) async throws -> ExitCode { try await answer(call, "deny", nil) }

  @Loop private static func answer(
    _ call: Invocation, _ choice: String, _ until: ApprovalEnd?
  ) async throws -> ExitCode {
    let guardian = GuardianClient(daemon: call.daemon)
    let card: Card
    if let question = call.arguments.operands.first {
      card = try await guardian.card(of: question)
      try requireOffered(choice, card)
    } else {
      card = try await onlyQuestion(call, guardian)
      try requireOffered(choice, card)
      guard try await confirmed(call, card, choice) else {
        call.output.remark(Messages.leftOpen(card))
        return .pending
      }
    }
    let answered = try await guardian.answer(
      card, choice: choice, untilUSec: until?.usec, items: try items(call, card),
      note: call.arguments.value("--note"), guardian: try call.person("--guardian"))
    try call.output.reply(answered.json) { Messages.answered(card, choice, answered, call.output) }
    return choice == "deny" ? .yes : ExitCode(state: answered.state)
  }

  /// An ended question is left to the daemon, which says how it ended.
  private static func requireOffered(_ choice: String, _ card: Card) throws(CommandFailure) {
    guard card.state == "pending", !card.choices.contains(where: { $0.choice.utf8.elementsEqual(choice.utf8) }) else {
      return
    }
    throw .usage(Messages.notOffered(choice, card))
  }

  /// The part of the card's topic that was typed; an action alone is meant for everybody on the card.
  private static func items(_ call: Invocation, _ card: Card) throws(CommandFailure) -> [GrantItem]? {
    guard let list = call.arguments.value("--items") else { return nil }
    let asked = card.people.flatMap { person in
      card.words("actions").map { GrantItem(handle: person.handle, action: $0) }
    }
    var items: [GrantItem] = []
    for typed in list.split(separator: ",", omittingEmptySubsequences: false) {
      let named = asked.filter { $0.action == String(typed) || "\($0.handle ?? ""):\($0.action ?? "")" == typed }
      guard !named.isEmpty else { throw .usage(Messages.notAsked(String(typed), card)) }
      items += named.filter { !items.contains($0) }
    }
    return items
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
