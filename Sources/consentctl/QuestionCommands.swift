// SPDX-License-Identifier: Apache-2.0
//
// What a guardian has to see: the open questions, and one of them in full. Looking answers nothing, but the app may be
// told that a guardian has looked.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let pending = Command(
    name: "pending", group: .guardian, operands: "", arity: 0...0, summary: "the questions that wait for an answer",
    options: [
      Option("--person", .required("WHO"), "only about this person"),
      Option("--app", .required("APP"), "only from this app"),
    ],
    run: QuestionCommands.pending)

  static let show = Command(
    name: "show", group: .guardian, operands: "QUESTION", arity: 1...1, summary: "one question in full",
    run: QuestionCommands.show)
}

/// The code of the commands that show questions.
enum QuestionCommands {
  @Loop static func pending(_ call: Invocation) async throws -> ExitCode {
    let cards = try await GuardianClient(daemon: call.daemon)
      .openQuestions(person: try call.person("--person"), app: call.arguments.value("--app"))
    try call.output.reply(["questions": .array(cards.map { .object($0.json) })]) {
      Messages.pending(cards, call.output)
    }
    return .yes
  }

  @Loop static func show(_ call: Invocation) async throws -> ExitCode {
    let card = try await GuardianClient(daemon: call.daemon).card(of: try call.operand(0))
    try call.output.reply(card.json) {
      Messages.card(card, call.output) + (card.canAnswer ? [Messages.suggestion(card)] : [])
    }
    return .yes
  }
}
