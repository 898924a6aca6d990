// SPDX-License-Identifier: Apache-2.0
//
// The daemon in a few lines: what runs, where, and how much there is to do. The numbers are the administrator's; they
// name nobody and no question. Whoever is none learns that the daemon runs.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let status = Command(
    name: "status", group: .administrator, operands: "", arity: 0...0, summary: "the daemon in numbers",
    run: StatusCommand.run)
}

/// The code of `status`.
enum StatusCommand {
  @Loop static func run(_ call: Invocation) async throws -> ExitCode {
    let service = try await call.daemon.call(.guardians, "org.varlink.service.GetInfo")
    let numbers = try await numbers(call)
    var status: JSONObject = [
      "version": service["version"] ?? .null, "runtimeDirectory": .string(call.daemon.runtimeDirectory),
    ]
    for member in numbers?.members ?? [] { status[member.name] = member.value }
    try call.output.reply(status) { Messages.daemonStatus(status, hasNumbers: numbers != nil) }
    return .yes
  }

  /// What the daemon counts; `nil` for whoever is no administrator.
  private static func numbers(_ call: Invocation) async throws(ConsentError) -> JSONObject? {
    do throws(ConsentError) {
      return try await call.daemon.call(.guardians, "org.consentd.Administration.GetStatistics")
    } catch .refused(let refusal) where refusal.shortName == "NotPermitted" {
      return nil
    }
  }
}
