// SPDX-License-Identifier: Apache-2.0
//
// Ages: the one-line gate and the range for apps, and the declaration for guardians and administrators. An age nobody
// knows has a status of its own and opens no gate.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let ageCheck = Command(
    name: "age check", group: .app, operands: "AGE", arity: 1...1, summary: "is the person at least AGE years old?",
    details: ["Exit status: 0 yes, 3 no, 6 not known or not shared."], options: AskCommands.nameOptions,
    run: AgeCommands.check)

  static let ageGet = Command(
    name: "age get", group: .app, operands: "", arity: 0...0, summary: "between which ages the person is",
    options: [Option("--gates", .required("AGE,…"), "one to three ages (default: the policy's, 13,16,18)")]
      + AskCommands.nameOptions,
    run: AgeCommands.get)

  static let ageDeclare = Command(
    name: "age declare", group: .administrator, operands: "WHO", arity: 1...1, summary: "say how old a person is",
    details: [
      "Guardians may do it for their own persons, a service for its own accounts.",
      "It replaces what the same declarer said before.",
    ],
    options: [
      Option("--born", .required("YYYY-MM-DD"), "the birth date"),
      Option("--at-least", .required("AGE"), "instead: at least this old"),
      Option("--at-most", .required("AGE"), "instead: at most this old"),
      Option("--on", .required("YYYY-MM-DD"), "the day --at-least and --at-most are true on (default: today)"),
      Option("--assurance", .required("WORD"), "how strongly it was checked (default: none)"),
    ],
    run: AgeCommands.declare)
}

/// The code of the `age` commands.
enum AgeCommands {
  @Loop static func check(_ call: Invocation) async throws -> ExitCode {
    let gate = try Invocation.number(try call.operand(0), for: "AGE")
    let answer = try await call.app().ageRange(gates: [gate])
    let verdict = answer.isAtLeast(gate)
    try call.output.reply(answer.json) { [Messages.ageCheck(gate, verdict, answer)] }
    return verdict.map { $0 ? .yes : .no } ?? exit(answer)
  }

  @Loop static func get(_ call: Invocation) async throws -> ExitCode {
    let answer = try await call.app().ageRange(gates: gates(call))
    try call.output.reply(answer.json) { [Messages.ageRange(answer)] }
    return answer.sharing == "shared" ? .yes : exit(answer)
  }

  @Loop static func declare(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    for option in ["--born", "--on"] { try checkForm(of: option, call) }
    var parameters: JSONObject = ["person": .string(person)]
    parameters["birthDate"] = call.arguments.value("--born").map(JSON.string)
    parameters["lowerBound"] = try call.number("--at-least").map(JSON.integer)
    parameters["upperBound"] = try call.number("--at-most").map(JSON.integer)
    parameters["asOfDate"] = call.arguments.value("--on").map(JSON.string)
    parameters["assurance"] = call.arguments.value("--assurance").map(JSON.string)
    guard parameters.members.count > 1 else { throw CommandFailure.usage("say how old: --born YYYY-MM-DD") }
    let reply = try await declare(parameters, call.daemon)
    guard call.output.json == nil else {
      try call.output.object(reply)
      return .yes
    }
    let answer = try? await AppClient(daemon: call.daemon, person: person).ageRange()
    try call.output.lines(Messages.declared(person, answer))
    return .yes
  }

  /// Declares as a guardian or administrator; an account's age, where that is not permitted, as its service.
  private static func declare(
    _ parameters: JSONObject, _ daemon: Daemon
  ) async throws(ConsentError) -> JSONObject {
    do throws(ConsentError) {
      return try await daemon.call(.guardians, declareMethod, parameters)
    } catch .refused(let refusal) where refusal.shortName == "NotPermitted" {
      guard parameters["person"]?.string?.utf8.starts(with: "account:".utf8) == true else { throw .refused(refusal) }
      return try await daemon.call(.apps, serviceDeclareMethod, parameters)
    }
  }

  /// Throws unless what stands behind an option, if anything, has the form of a day. Whether there is such a day is
  /// for the daemon to say.
  static func checkForm(of option: String, _ call: Invocation) throws(CommandFailure) {
    guard let typed = call.arguments.value(option) else { return }
    let form = typed.utf8.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) ? UInt8(ascii: "0") : $0 }
    guard form.elementsEqual("0000-00-00".utf8) else {
      throw .usage("\(option) takes a day as YYYY-MM-DD, such as 2014-03-05")
    }
  }

  static let declareMethod = "org.consentd.Guardian.DeclareAge"
  static let serviceDeclareMethod = "org.consentd.AgeRange.DeclareAge"

  private static func exit(_ answer: AgeAnswer) -> ExitCode { answer.sharing == "declined" ? .no : .notAvailable }

  private static func gates(_ call: Invocation) throws(CommandFailure) -> [Int64] {
    var gates: [Int64] = []
    guard let list = call.arguments.value("--gates") else { return gates }
    for typed in list.split(separator: ",", omittingEmptySubsequences: false) {
      gates.append(try Invocation.number(String(typed), for: "--gates"))
    }
    return gates
  }
}
