// SPDX-License-Identifier: Apache-2.0
//
// The interface description is the law for what a daemon says, too: every reply and every error a test receives is
// checked against the descriptions that the daemon itself gives of its interfaces.

internal import StrictJSON
internal import Synchronization
internal import Varlink

/// Judges replies by the descriptions a server gives of itself.
package struct DescriptionJudge: ReplyJudge {
  private let interfaces: [InterfaceDescription]

  /// Asks the server at `path` for the descriptions of all its interfaces.
  package init(of path: String) throws {
    let client = try TestClient(path: path)
    let info = try client.call("\(Interface.service).GetInfo")
    interfaces = try (info["interfaces"]?.array ?? []).compactMap(\.string).map { name in
      let reply = try client.call("\(Interface.service).GetInterfaceDescription", ["interface": .string(name)])
      return try DescriptionJudge.parse(reply.text("description"))
    }
  }

  package func complaint(about reply: ServerReply, to method: String) -> String? {
    if let error = reply.error { return complaint(about: error, reply, to: method) }
    let (interface, name) = split(method)
    guard let description = interfaces.first(where: { $0.name == interface }), description.method(name) != nil else {
      return "an answer of a method that is not described"
    }
    return description.firstInvalidField(ofReply: reply.parameters, method: name).map { "undescribed: \($0)" }
  }

  private func complaint(about error: String, _ reply: ServerReply, to method: String) -> String? {
    let (interface, name) = split(error)
    guard interface == Interface.service || interface == split(method).interface else {
      return "\(error) is another interface's"
    }
    guard
      let description = interfaces.first(where: { $0.name == interface }),
      description.errors.contains(where: { $0.name == name })
    else { return "\(error) is not described" }
    return description.firstInvalidField(ofError: reply.parameters, error: name).map { "undescribed: \($0)" }
  }

  private func split(_ name: String) -> (interface: String, member: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return (parts.dropLast().joined(separator: "."), String(parts.last ?? ""))
  }

  /// Every daemon of a run gives the same texts: each is parsed once.
  private static let parsed = Mutex<[String: InterfaceDescription]>([:])

  private static func parse(_ text: String) throws -> InterfaceDescription {
    if let known = parsed.withLock({ $0[text] }) { return known }
    let description = try InterfaceDescription(parsing: text)
    parsed.withLock { $0[text] = description }
    return description
  }
}
