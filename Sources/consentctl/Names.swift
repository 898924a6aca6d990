// SPDX-License-Identifier: Apache-2.0
//
// People as they are typed and shown (login names) and as the wire has them (`uid:1001`, `account:…`, `contact:…`).
// A word without a colon is a login name and nothing else; whatever has one goes to the daemon as it is typed.

import Glibc
import HostRuntime

/// Translates between login names and the wire.
enum Names {
  /// The wire's form of a person or guardian somebody typed.
  static func wire(_ typed: String) throws(CommandFailure) -> String {
    if typed.utf8.contains(UInt8(ascii: ":")) { return typed }
    guard let uid = Accounts.uid(ofLogin: typed) else {
      throw .usage("there is no user “\(TerminalText.line(typed))” on this machine; give a login name or uid:NUMBER")
    }
    return "uid:\(uid)"
  }

  /// What is shown for a person or guardian: the login name where this machine has one, else the wire's form.
  static func shown(_ wire: String) -> String {
    let prefix = "uid:"
    guard wire.utf8.starts(with: prefix.utf8), let uid = UInt32(wire.dropFirst(prefix.count)),
      let login = Accounts.name(ofUID: uid)
    else { return TerminalText.line(wire) }
    return TerminalText.line(login)
  }

  /// The language tag of whoever reads this, such as `de-AT`; `nil` where the environment says none.
  static var language: String? {
    let variables: [String] = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = variables.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    return locale?.prefix { $0 != "." && $0 != "@" }.split(separator: "_").joined(separator: "-")
  }
}
