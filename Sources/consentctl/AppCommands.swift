// SPDX-License-Identifier: Apache-2.0
//
// Who asks here: the apps the administrator registered, and every name under which something else has asked.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let appList = Command(
    name: "app list", group: .administrator, operands: "", arity: 0...0,
    summary: "who is registered, and who has asked",
    run: AppCommands.list)

  static let appShow = Command(
    name: "app show", group: .administrator, operands: "ID", arity: 1...1,
    summary: "one app: its entry, and what it has asked", run: AppCommands.show)
}

/// The code of `app`.
enum AppCommands {
  @Loop static func list(_ call: Invocation) async throws -> ExitCode {
    let apps = try await call.daemon.pages(.guardians, "org.consentd.Administration.ListApps", of: "apps")
    try call.output.reply(["apps": .array(apps.map(JSON.object))]) { Messages.apps(apps, call.output) }
    return .yes
  }

  @Loop static func show(_ call: Invocation) async throws -> ExitCode {
    let app = try await call.daemon.call(
      .guardians, "org.consentd.Administration.DescribeApp", ["app": .string(try call.operand(0))])
    try call.output.reply(app) { Messages.app(app["app"]?.object ?? [:]) }
    return .yes
  }
}
