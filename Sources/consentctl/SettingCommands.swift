// SPDX-License-Identifier: Apache-2.0
//
// What a guardian has settled for a person. What the words mean follows from how many there are: a person, a person
// and an app, and with two more words behind them a change.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let settings = Command(
    name: "settings", group: .guardian, operands: "[WHO [APP] [SETTING VALUE]]", arity: 0...4,
    summary: "see what is settled beforehand, and change it",
    details: [
      "Without SETTING VALUE it lists what holds, of everybody you answer for or of WHO, of every app or of APP.",
      "neverAsk true|false         deny asks without a question; without APP: of every app that has no word of its own",
      "guardianRule any|all        the first guardian's answer ends a question, or an approval needs all (without APP)",
      "resource/NAME approved|denied|restricted|notDetermined",
      "                            give APP a resource without a question, or not at all, or let it ask again",
    ],
    options: [Option("--guardian", .required("WHO"), "whose choice it is (a bridge, or in a sandbox)")],
    run: SettingCommands.run)
}

/// The code of `settings`.
enum SettingCommands {
  @Loop static func run(_ call: Invocation) async throws -> ExitCode {
    var words = call.arguments.operands
    let change = words.count > 2 ? Array(words.suffix(2)) : []
    words.removeLast(change.count)
    let person = try words.first.map { typed throws(CommandFailure) in try Names.wire(typed) }
    let app = words.count > 1 ? words[1] : nil
    let guardian = GuardianClient(daemon: call.daemon)
    guard let person, change.count == 2 else {
      if call.arguments.has("--guardian") { throw CommandFailure.usage("--guardian goes with a change") }
      return try list(try await guardian.settings(person: person, app: app), call)
    }
    let setting = try await guardian.changeSetting(
      change[0], to: change[1], for: person, app: app, guardian: try call.person("--guardian"))
    try call.output.reply(["setting": .object(setting.json)]) { Messages.settingChanged(setting) }
    return .yes
  }

  @Loop private static func list(_ settings: [PersonSetting], _ call: Invocation) throws -> ExitCode {
    try call.output.reply(["settings": .array(settings.map { .object($0.json) })]) {
      Messages.settings(settings, call.output)
    }
    return .yes
  }
}
