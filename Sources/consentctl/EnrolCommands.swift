// SPDX-License-Identifier: Apache-2.0
//
// Who is a person here and who may answer for them. Everything may be repeated: what is so already is no error, and a
// command that broke off half way is simply given again.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let enroll = Command(
    name: "enroll", group: .administrator, operands: "WHO", arity: 1...1,
    summary: "enrol a child: person, guardians and birth date in one",
    details: ["WHO and the guardians are login names of this machine. May be repeated."],
    options: [
      Option("--born", .required("YYYY-MM-DD"), "the birth date"),
      Option("--guardian", .required("WHO"), repeats: true, "who may answer"),
      EnrolCommands.nameOption,
    ],
    run: EnrolCommands.enroll)

  static let personAdd = Command(
    name: "person add", group: .administrator, operands: "WHO", arity: 1...1, summary: "enrol a person",
    options: [EnrolCommands.nameOption], run: EnrolCommands.addPerson)

  static let personRemove = Command(
    name: "person remove", group: .administrator, operands: "WHO", arity: 1...1,
    summary: "forget a person, with guardians, age and grants",
    options: [Option("--yes", "do not ask for confirmation")], run: EnrolCommands.removePerson)

  static let personList = Command(
    name: "person list", group: .administrator, operands: "", arity: 0...0, summary: "who is enrolled",
    details: ["A guardian sees the own persons."], run: EnrolCommands.listPeople)

  static let guardianAdd = Command(
    name: "guardian add", group: .administrator, operands: "WHO GUARDIAN", arity: 2...2,
    summary: "let GUARDIAN answer for a person", options: [EnrolCommands.nameOption],
    run: EnrolCommands.addGuardian)

  static let guardianRemove = Command(
    name: "guardian remove", group: .administrator, operands: "WHO GUARDIAN", arity: 2...2,
    summary: "let GUARDIAN no longer answer for a person", run: EnrolCommands.removeGuardian)
}

/// The code of `enroll`, `person` and `guardian`.
enum EnrolCommands {
  static let nameOption = Option("--name", .required("TEXT"), "the name to show")

  @Loop static func enroll(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    guard let born = call.arguments.value("--born") else { throw CommandFailure.usage("--born YYYY-MM-DD is missing") }
    let guardians = try call.arguments.values("--guardian").map(Names.wire)
    guard !guardians.isEmpty else { throw CommandFailure.usage("--guardian is missing: somebody has to answer") }
    try AgeCommands.checkForm(of: "--born", call)
    _ = try await administer(call, "AddPerson", named(call, ["person": .string(person)]))
    let declaration = try await complete(person, guardians, born, call)
    let done: JSONObject = [
      "person": .string(person), "guardians": .array(guardians.map(JSON.string)), "declaration": declaration,
    ]
    try call.output.reply(done) { Messages.enrolled(person, born, guardians) }
    return .yes
  }

  /// Adds guardians and birth date to a person who is enrolled. Breaks off with what is done and what is not.
  private static func complete(
    _ person: String, _ guardians: [String], _ born: String, _ call: Invocation
  ) async throws(CommandFailure) -> JSON {
    var added = 0
    do throws(ConsentError) {
      for guardian in guardians {
        _ = try await administer(call, "AddGuardian", ["person": .string(person), "guardian": .string(guardian)])
        added += 1
      }
      let reply = try await call.daemon.call(
        .guardians, AgeCommands.declareMethod, ["person": .string(person), "birthDate": .string(born)])
      return reply["declaration"] ?? .null
    } catch {
      throw Failures.failure(error, Messages.enrolledInPart(person, guardians, added, Failures.message(error)))
    }
  }

  @Loop static func addPerson(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    let reply = try await administer(call, "AddPerson", named(call, ["person": .string(person)]))
    try call.output.reply(reply) { [Messages.personAdded(person)] }
    return .yes
  }

  @Loop static func removePerson(_ call: Invocation) async throws -> ExitCode {
    let person = try Names.wire(try call.operand(0))
    let everybody = try await call.daemon.pages(.guardians, "org.consentd.Administration.ListPeople", of: "people")
    let wasEnrolled = everybody.contains { $0["person"]?.string.map { $0.utf8.elementsEqual(person.utf8) } ?? false }
    if wasEnrolled, call.isAttended, !call.arguments.has("--yes") {
      guard try await call.confirms(Messages.removal(person)) else {
        call.output.remark(Messages.notRemoved(person))
        return .failure
      }
    }
    let reply = try await administer(call, "RemovePerson", ["person": .string(person)])
    try call.output.reply(reply) { [wasEnrolled ? Messages.personRemoved(person) : Messages.notEnrolled(person)] }
    return .yes
  }

  @Loop static func addGuardian(_ call: Invocation) async throws -> ExitCode {
    let (person, guardian) = try pair(call)
    let reply = try await administer(
      call, "AddGuardian", named(call, ["person": .string(person), "guardian": .string(guardian)]))
    try call.output.reply(reply) { [Messages.guardianAdded(person, guardian)] }
    return .yes
  }

  @Loop static func removeGuardian(_ call: Invocation) async throws -> ExitCode {
    let (person, guardian) = try pair(call)
    let reply = try await administer(
      call, "RemoveGuardian", ["person": .string(person), "guardian": .string(guardian)])
    try call.output.reply(reply) { [Messages.guardianRemoved(person, guardian)] }
    return .yes
  }

  @Loop static func listPeople(_ call: Invocation) async throws -> ExitCode {
    let (people, isEverybody) = try await people(call)
    try call.output.reply(["people": .array(people.map(JSON.object))]) {
      Messages.people(people, isEverybody: isEverybody, call.output)
    }
    return .yes
  }

  /// Everybody for an administrator, the own persons for a guardian.
  private static func people(_ call: Invocation) async throws(ConsentError) -> ([JSONObject], isEverybody: Bool) {
    do throws(ConsentError) {
      return (try await call.daemon.pages(.guardians, "org.consentd.Administration.ListPeople", of: "people"), true)
    } catch .refused(let refusal) where refusal.shortName == "NotPermitted" {
      return (try await call.daemon.pages(.guardians, "org.consentd.Guardian.ListPeople", of: "people"), false)
    }
  }

  private static func administer(
    _ call: Invocation, _ method: String, _ parameters: JSONObject
  ) async throws(ConsentError) -> JSONObject {
    try await call.daemon.call(.guardians, "org.consentd.Administration.\(method)", parameters)
  }

  private static func named(_ call: Invocation, _ parameters: JSONObject) -> JSONObject {
    var parameters = parameters
    parameters["displayName"] = call.arguments.value("--name").map(JSON.string)
    return parameters
  }

  private static func pair(_ call: Invocation) throws(CommandFailure) -> (person: String, guardian: String) {
    (try Names.wire(try call.operand(0)), try Names.wire(try call.operand(1)))
  }
}
