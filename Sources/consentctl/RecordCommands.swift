// SPDX-License-Identifier: Apache-2.0
//
// What is kept about a person: put under another name, printed, taken out. What takes something out asks whoever sits
// there first, because nothing brings it back.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let personMove = Command(
    name: "person move", group: .administrator, operands: "FROM TO", arity: 2...2,
    summary: "a person has another uid or account now",
    details: [
      "Everything follows, except open questions: they end, and are asked anew. Give the same uid twice (uid:1001",
      "uid:1001) where the person stays and the account was given another login name.",
    ],
    run: RecordCommands.move)

  static let export = Command(
    name: "export", group: .administrator, operands: "WHO", arity: 1...1,
    summary: "print everything that is kept about a person, as one JSON document", run: RecordCommands.export)

  static let erase = Command(
    name: "erase", group: .administrator, operands: "WHO", arity: 1...1,
    summary: "erase everything about a person, what was asked and answered included",
    details: ["Copies made by backup are not changed."],
    options: [Option("--yes", "do not ask for confirmation")], run: RecordCommands.erase)

  static let forget = Command(
    name: "forget", group: .administrator, operands: "WHO APP", arity: 2...2,
    summary: "erase what one app has about a person, who stays enrolled",
    options: [Option("--yes", "do not ask for confirmation")], run: RecordCommands.forget)
}

/// The code of `person move`, `export`, `erase` and `forget`.
enum RecordCommands {
  private static let interface = "org.consentd.Administration"

  @Loop static func move(_ call: Invocation) async throws -> ExitCode {
    let (person, other) = (try Names.wire(try call.operand(0)), try Names.wire(try call.operand(1)))
    let reply = try await call.daemon.call(
      .guardians, "\(interface).MovePerson", ["from": .string(person), "to": .string(other)])
    try call.output.reply(reply) { [Messages.personMoved(person, other)] }
    return .yes
  }

  @Loop static func erase(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    return try await takeOut(
      call, "Erase", ["person": .string(person)], asking: Messages.erasure(person), done: Messages.erased(person))
  }

  @Loop static func forget(_ call: Invocation) async throws -> ExitCode {
    let (person, app) = (try Names.wire(try call.operand(0)), try call.operand(1))
    return try await takeOut(
      call, "Forget", ["person": .string(person), "app": .string(app)], asking: Messages.forgetting(person, app),
      done: Messages.forgotten(person, app))
  }

  @Loop private static func takeOut(
    _ call: Invocation, _ method: String, _ parameters: JSONObject, asking question: String, done: String
  ) async throws -> ExitCode {
    if call.isAttended, !call.arguments.has("--yes") {
      guard try await call.confirms(question) else {
        call.output.remark(Messages.nothingTakenOut)
        return .failure
      }
    }
    let reply = try await call.daemon.call(.guardians, "\(interface).\(method)", parameters)
    try call.output.reply(reply) { [done] }
    return .yes
  }

  /// Prints records as they come. What breaks off leaves no document, and the exit status says so.
  @Loop static func export(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    let records = call.daemon.stream(.guardians, "\(interface).Export", ["person": .string(person)]) { $0 }
    var document = ExportDocument()
    for try await record in records {
      try call.output.line(TerminalText.json(document.line(for: record)))
    }
    return .yes
  }
}

/// One JSON document, a line for each record: the person's own under its name, all others in a list of their kind.
struct ExportDocument {
  private static let alone = "person"
  private var open: String?

  /// The next line, for one reply of `Export`.
  mutating func line(for reply: JSONObject) -> String {
    let kind = reply["record"]?.string ?? ""
    let record = String(decoding: (reply["export"]?.object ?? [:]).encoded(), as: UTF8.self)
    defer { open = kind }
    if kind == "end" { return open == nil ? "{}" : close() + "}" }
    if kind == open { return ",\(record)" }
    return (open == nil ? "{" : close() + ",") + (kind == Self.alone ? "\"\(kind)\":" : "\"\(kind)s\":[") + record
  }

  private func close() -> String { open == Self.alone ? "" : "]" }
}
