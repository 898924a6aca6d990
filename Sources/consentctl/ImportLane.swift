// SPDX-License-Identifier: Apache-2.0
//
// One line of an import: what stands in it, and the connections it goes over. The calls of a line are sent together and
// answered in their order; only a service's word about an age goes over the other socket, and so comes after the rest.

import ConsentKit
import HostRuntime
import StrictJSON

/// A person as a line has them.
@Loop
struct ImportedPerson {
  let person: String
  /// `AddPerson`'s and each `AddGuardian`'s parameters, in this order.
  let calls: [(method: String, parameters: JSONObject)]
  /// `DeclareAge`'s parameters; `nil` where the line says nothing of an age.
  let age: JSONObject?

  private static let ageMembers = ["birthDate", "lowerBound", "upperBound", "asOfDate", "assurance"]
  private static let members = ["person", "displayName", "guardians"] + ageMembers

  init(_ line: LineReader.Line) throws(ImportError) {
    let json = try ImportedPerson.object(line)
    for member in json.members where !ImportedPerson.members.contains(where: { $0.hasSameBytes(as: member.name) }) {
      throw .invalidLine(
        "“\(TerminalText.line(member.name))” is none of \(ImportedPerson.members.joined(separator: ", "))")
    }
    guard let person = json["person"]?.string else { throw .invalidLine("person is missing, or no text") }
    var added: JSONObject = ["person": .string(person)]
    added["displayName"] = json["displayName"]
    var calls = [("AddPerson", added)]
    for guardian in try ImportedPerson.list(json["guardians"]) {
      calls.append(("AddGuardian", try ImportedPerson.guardian(guardian, of: person)))
    }
    var age: JSONObject = ["person": .string(person)]
    for name in ImportedPerson.ageMembers { age[name] = json[name] }
    self.person = person
    self.calls = calls
    self.age = age.members.count > 1 ? age : nil
  }

  private static func object(_ line: LineReader.Line) throws(ImportError) -> JSONObject {
    guard case .text(let bytes) = line else { throw .invalidLine("the line is longer than \(LineReader.limit) bytes") }
    do throws(JSONError) {
      return try JSONObject(parsing: bytes)
    } catch {
      throw .invalidLine("not a JSON object: \(error.reason)")
    }
  }

  private static func list(_ json: JSON?) throws(ImportError) -> [JSON] {
    guard let json, json != .null else { return [] }
    guard let list = json.array else { throw .invalidLine("guardians is no list") }
    return list
  }

  private static func guardian(_ json: JSON, of person: String) throws(ImportError) -> JSONObject {
    var parameters: JSONObject = ["person": .string(person)]
    parameters["guardian"] = json.string.map(JSON.string) ?? json.object?["guardian"]
    parameters["displayName"] = json.object?["displayName"]
    let isWhole = json.object?.members.allSatisfy { parameters[$0.name] != nil && $0.name != "person" } ?? true
    guard parameters["guardian"]?.string != nil, isWhole else {
      throw .invalidLine("a guardian is a text, or has guardian and displayName")
    }
    return parameters
  }
}

/// The connections of one line at a time.
@Loop
final class ImportLane {
  private let daemon: Daemon
  private let isAdministrator: Bool
  private var guardians: Connection?
  private var apps: Connection?

  init(_ daemon: Daemon, isAdministrator: Bool) {
    self.daemon = daemon
    self.isAdministrator = isAdministrator
  }

  /// Makes the calls of one line. Throws the first error; the calls behind it may have had an effect.
  func enrol(_ person: ImportedPerson) async throws(ConsentError) {
    var calls = person.calls.map { ("org.consentd.Administration.\($0.method)", $0.parameters) }
    if isAdministrator, let age = person.age { calls.append((AgeCommands.declareMethod, age)) }
    try await make(calls, on: try connection(&guardians, .guardians))
    if !isAdministrator, let age = person.age {
      try await make([(AgeCommands.serviceDeclareMethod, age)], on: try connection(&apps, .apps))
    }
  }

  private func make(_ calls: [(String, JSONObject)], on connection: Connection) async throws(ConsentError) {
    for (method, parameters) in calls { connection.send(method, parameters) }
    var first: ConsentError?
    for _ in calls {
      if case .failure(let error) = await connection.outcome() { first = first ?? error }
    }
    if let first { throw first }
  }

  private func connection(
    _ place: inout Connection?, _ socket: Daemon.Socket
  ) throws(ConsentError) -> Connection {
    if let open = place, open.isOpen { return open }
    let opened = try Connection(to: daemon.path(socket))
    place = opened
    return opened
  }
}
