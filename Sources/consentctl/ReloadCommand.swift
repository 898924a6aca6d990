// SPDX-License-Identifier: Apache-2.0
//
// The configuration is read anew. What the daemon objects to is told like any other refusal, in one line.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let reload = Command(
    name: "reload", group: .administrator, operands: "", arity: 0...0, summary: "read the configuration anew",
    details: ["Returns when it is in force. A bad file changes nothing, and is named with the place in it."],
    run: ReloadCommand.run)
}

/// The code of `reload`.
enum ReloadCommand {
  @Loop static func run(_ call: Invocation) async throws -> ExitCode {
    let reply = try await call.daemon.call(.guardians, "org.consentd.Administration.Reload")
    try call.output.reply(reply) { [Messages.reloaded] }
    return .yes
  }
}
