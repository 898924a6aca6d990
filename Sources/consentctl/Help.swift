// SPDX-License-Identifier: Apache-2.0
//
// What help prints, made from the table of commands: nothing is said here that the parser does not do, and nothing it
// does is left out. It needs no daemon.

/// Makes the pages of help.
enum Help {
  /// What `consentctl --version` prints; the daemon's own is in `consentctl status`.
  static let version = "consentctl 0.1.0"

  /// The page of `consentctl help`.
  static func overview() -> [String] {
    var lines = ["consentctl: ask for parental consent, answer it, administer it", ""]
    for group in Command.Group.allCases {
      lines.append("\(group.rawValue):")
      let commands = Command.all.filter { $0.group == group }
      lines += columns(commands.map { (usage($0), $0.summary) })
      lines.append("")
    }
    lines.append("For every command:")
    lines += columns(Command.commonOptions.map { (form($0), $0.help) })
    return lines + remarks
  }

  /// The page of one command, or of the family `person`, `guardian` or `age`.
  static func page(for words: [String]) throws(CommandFailure) -> [String] {
    let family = Command.family(words.joined(separator: " "))
    guard family.isEmpty else { return Array(family.map(page).joined(separator: [""])) }
    return page(for: try Command.find(in: words).0)
  }

  /// The page of one command, without what every command takes.
  static func page(for command: Command) -> [String] {
    let head = ["consentctl \(usage(command))", "  \(command.summary)"] + command.details.map { "  \($0)" }
    return command.options.isEmpty ? head : head + [""] + columns(command.options.map { (form($0), $0.help) })
  }

  private static let remarks = [
    "",
    "More: consentctl help COMMAND",
    "WHO is a login name, uid:NUMBER, account:APP/NAME or contact:APP/NAME.",
    "Exit status: 0 yes or done, 1 failure, 2 usage, 3 no, 4 pending, 5 ended otherwise, 6 not available.",
  ]

  /// A command's name and operands.
  static func usage(_ command: Command) -> String {
    command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)"
  }

  private static func form(_ option: Option) -> String {
    switch option.value {
    case .none: option.name
    case .required(let label): "\(option.name) \(label)"
    case .optional(let label): "\(option.name)[=\(label)]"
    }
  }

  private static func columns(_ rows: [(String, String)]) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count + 2))\($0.1)" }
  }
}
