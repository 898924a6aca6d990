// SPDX-License-Identifier: Apache-2.0
//
// What was decided, to read; and whether it was left as it was written, to check. A head is typed and shown as
// `SIZE:HASH`, one word: it proves nothing where it lies beside the store.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let history = Command(
    name: "history", group: .guardian, operands: "[WHO]", arity: 0...1,
    summary: "what was decided and changed about your persons, the newest last",
    options: [Option("--app", .required("APP"), "only what concerns this app")], run: EvidenceCommands.history)

  static let auditHead = Command(
    name: "audit head", group: .administrator, operands: "", arity: 0...0,
    summary: "where the audit stands, to be kept somewhere else",
    details: ["Guardians may do this too. Keep what it prints where no administrator of this machine can change it."],
    run: EvidenceCommands.head)

  static let auditVerify = Command(
    name: "audit verify", group: .administrator, operands: "[HEAD]", arity: 0...1,
    summary: "whether the audit is as it was written, also since HEAD was kept",
    details: [
      "Guardians may do this too. HEAD is what audit head printed. Without one it is not found out that the end was cut",
      "off or that everything was written anew. Exit status 0: all is well, 1: something is wrong.",
    ],
    run: EvidenceCommands.verify)
}

/// The code of `history` and `audit`.
enum EvidenceCommands {
  @Loop static func history(_ call: Invocation) async throws -> ExitCode {
    var parameters: JSONObject = [:]
    if !call.arguments.operands.isEmpty { parameters["person"] = .string(try Names.wire(try call.operand(0))) }
    parameters["app"] = call.arguments.value("--app").map(JSON.string)
    let entries = try await call.daemon.pages(
      .guardians, "org.consentd.Guardian.History", parameters, of: "entries")
    try call.output.reply(["entries": .array(entries.map(JSON.object))]) { Messages.history(entries) }
    return .yes
  }

  @Loop static func head(_ call: Invocation) async throws -> ExitCode {
    let head = try await call.daemon.call(.guardians, "org.consentd.Administration.GetAuditHead")
    try call.output.reply(head) { [TypedHead(head).text] }
    return .yes
  }

  @Loop static func verify(_ call: Invocation) async throws -> ExitCode {
    let kept = call.arguments.operands.isEmpty ? nil : try TypedHead(typed: try call.operand(0))
    var parameters: JSONObject = [:]
    parameters["head"] = kept.map { .object($0.json) }
    let verdict = try await call.daemon.call(
      .guardians, "org.consentd.Administration.VerifyAudit", parameters)
    try call.output.reply(verdict) { Messages.verified(verdict, against: kept) }
    return verdict["valid"]?.bool == true ? .yes : .failure
  }
}

/// A head as people pass it on: `SIZE:HASH`.
struct TypedHead: Equatable {
  let size: Int64
  let hash: String

  /// The head a reply carries.
  init(_ reply: JSONObject) {
    size = reply["size"]?.integer ?? 0
    hash = reply["hash"]?.string ?? ""
  }

  /// Reads what somebody typed; whether it is a hash is for the daemon to say.
  init(typed: String) throws(CommandFailure) {
    let parts = typed.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let size = Int64(parts[0]), size >= 0 else {
      throw .usage("HEAD is what consentctl audit head printed: SIZE:HASH")
    }
    self.size = size
    hash = parts[1]
  }

  var text: String { "\(size):\(TerminalText.line(hash))" }
  var json: JSONObject { ["size": .integer(size), "hash": .string(hash)] }
}
