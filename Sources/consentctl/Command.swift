// SPDX-License-Identifier: Apache-2.0
//
// What a command is: a row of a table that the parser, the help and `main` read alike. A command knows its options and
// its code and nothing of how it was found; names are whole words, never abbreviations, so that a script that works
// today still means the same when there are more commands.

import HostRuntime

/// One command of consentctl.
struct Command: Sendable {
  /// For whom a command is, in the order help shows them.
  enum Group: String, CaseIterable, Sendable {
    case guardian = "For guardians"
    case app = "For apps"
    case administrator = "For the administrator"
  }

  /// One word, or two as in `person add`.
  let name: String
  let group: Group
  /// The operands as help shows them.
  let operands: String
  /// How many operands it takes.
  let arity: ClosedRange<Int>
  let summary: String
  /// What else there is to know, as whole lines.
  var details: [String] = []
  var options: [Option] = []
  let run: @Loop @Sendable (Invocation) async throws -> ExitCode
}

extension Command {
  /// What every command takes besides its own options.
  static let commonOptions = [
    Option("--json", .optional("short|pretty"), "print JSON for programs (short: one line each)"),
    Option("--runtime-directory", .required("DIR"), "where the daemon's sockets are"),
    Option("--help", "print this"),
  ]

  /// The command that `words` begin with, and the words behind its name.
  static func find(in words: [String]) throws(CommandFailure) -> (Command, [String]) {
    guard let first = words.first else { throw .usage("say what to do; consentctl help lists it") }
    if words.count > 1, let command = all.first(where: { $0.name == "\(first) \(words[1])" }) {
      return (command, Array(words.dropFirst(2)))
    }
    if let command = all.first(where: { $0.name == first }) { return (command, Array(words.dropFirst())) }
    let family = family(first).map(\.name)
    guard family.isEmpty else { throw .usage("say which: \(family.joined(separator: ", "))") }
    throw .usage("there is no command “\(TerminalText.line(first))”; consentctl help lists them")
  }

  /// The commands of two words whose first is `word`.
  static func family(_ word: String) -> [Command] { all.filter { $0.name.utf8.starts(with: "\(word) ".utf8) } }
}

extension Command {
  /// Every command, in the order help shows them.
  static let all = [
    watch, pending, show, approve, deny, answer, grants, revoke, settings, history,
    get, ask, request, wait, withdraw, responses, ageCheck, ageGet,
    enroll, personAdd, personRemove, personMove, personList, personImport, guardianAdd, guardianRemove, ageDeclare,
    appList, appShow, export, erase, forget, reload, status,
    backup, restore, storeCheck, auditHead, auditVerify,
  ]
}
