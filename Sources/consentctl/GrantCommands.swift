// SPDX-License-Identifier: Apache-2.0
//
// What stands approved, and taking it back. Taking back is safe to repeat and to do by mistake, the app may ask again at
// once: so nothing is confirmed, and nothing to take back is no failure.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let grants = Command(
    name: "grants", group: .guardian, operands: "", arity: 0...0, summary: "what stands approved",
    options: [
      Option("--person", .required("WHO"), "only of this person"),
      Option("--app", .required("APP"), "only of this app"),
    ],
    run: GrantCommands.list)

  static let revoke = Command(
    name: "revoke", group: .guardian, operands: "[GRANT]", arity: 0...1, summary: "take back what was approved",
    details: [
      "GRANT is an id that grants lists, or a unique beginning of one, of at least 4 digits. Without it everything of",
      "--person is taken back, or what --app has of theirs. The app is told, and may ask again.",
    ],
    options: [
      Option("--person", .required("WHO"), "whose approvals"),
      Option("--app", .required("APP"), "only those of this app"),
      Option("--note", .required("TEXT"), "a word for the record; the app does not see it"),
    ],
    run: GrantCommands.revoke)
}

/// The code of `grants` and `revoke`.
enum GrantCommands {
  @Loop static func list(_ call: Invocation) async throws -> ExitCode {
    let grants = try await GuardianClient(daemon: call.daemon)
      .grants(person: try call.person("--person"), app: call.arguments.value("--app"))
    try reply(grants, call) { Messages.grants(grants, call.output) }
    return .yes
  }

  @Loop static func revoke(_ call: Invocation) async throws -> ExitCode {
    let guardian = GuardianClient(daemon: call.daemon)
    let (person, app) = (try call.person("--person"), call.arguments.value("--app"))
    let note = call.arguments.value("--note")
    let ended: [Grant]
    switch (call.arguments.operands.first, person) {
    case (let grant?, nil) where app == nil: ended = try await guardian.revoke(grant, note: note)
    case (nil, let person?): ended = try await guardian.revoke(everythingOf: person, app: app, note: note)
    case (nil, nil):
      throw CommandFailure.usage("say what to take back: a GRANT that consentctl grants lists, or --person WHO")
    default: throw CommandFailure.usage("a GRANT is one alone: without --person and --app")
    }
    try reply(ended, call) { Messages.revoked(ended) }
    return .yes
  }

  private static func reply(_ grants: [Grant], _ call: Invocation, _ lines: () -> [String]) throws {
    try call.output.reply(["grants": .array(grants.map { .object($0.json) })], lines)
  }
}
