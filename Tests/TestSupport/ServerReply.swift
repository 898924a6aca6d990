// SPDX-License-Identifier: Apache-2.0
//
// What a Varlink server said, read without our Varlink module: a fault there must not hide itself in the tests.

package import StrictJSON

/// One reply as it came over the wire.
package struct ServerReply: Sendable, Equatable {
  package let parameters: JSONObject
  package let error: String?
  package let continues: Bool

  /// Reads a reply from one message without its NUL. Refuses what Varlink's own clients refuse: a null error, a
  /// header nobody knows, parameters that are no object, an error that claims to continue.
  package init(parsing message: [UInt8]) throws {
    let object = try JSONObject(parsing: message)
    let text = String(decoding: message, as: UTF8.self)
    for member in object.members where !["parameters", "error", "continues"].contains(member.name) {
      throw TestFailure("a reply with the header \(member.name): \(text)")
    }
    parameters = try object["parameters"].map { try ServerReply.read($0.object, text) } ?? [:]
    error = try object["error"].map { try ServerReply.read($0.string, text) }
    continues = try object["continues"].map { try ServerReply.read($0.bool, text) } ?? false
    if object["parameters"] == .object([:]) { throw TestFailure("empty parameters are left out: \(text)") }
    if error != nil && continues { throw TestFailure("an error that continues: \(text)") }
  }

  private static func read<Value>(_ value: Value?, _ text: String) throws -> Value {
    guard let value else { throw TestFailure("a reply of the wrong form: \(text)") }
    return value
  }
}

/// An error reply, thrown where a test called for an answer.
package struct CallError: Error, Equatable, CustomStringConvertible {
  /// The full name, such as `org.varlink.service.MethodNotFound`.
  package let name: String
  package let parameters: JSONObject

  package init(_ name: String, _ parameters: JSONObject = [:]) {
    self.name = name
    self.parameters = parameters
  }

  package var description: String { "\(name) \(String(decoding: parameters.encoded(), as: UTF8.self))" }
}

/// Judges replies as they arrive, as a check against the interface description does.
package protocol ReplyJudge: Sendable {
  /// What is wrong with a reply to `method` (the full name), or `nil`.
  func complaint(about reply: ServerReply, to method: String) -> String?
}
