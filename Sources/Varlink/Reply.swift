// SPDX-License-Identifier: Apache-2.0
//
// A reply, as we send it and as we read it. We never emit a member that says nothing: empty parameters and false flags
// are left out, and an error never claims that more follows.

package import StrictJSON

/// One reply to a call, or one of several.
package struct Reply: Sendable, Equatable {
  /// What the method gives, or what the error tells.
  package var parameters: JSONObject
  /// The full name of an error, as in `org.varlink.service.InvalidParameter`.
  package var error: String?
  /// Whether further replies to the same call follow.
  package var continues: Bool

  package init(_ parameters: JSONObject = [:], continues: Bool = false) {
    self.parameters = parameters
    self.continues = continues
  }

  package init(error: String, _ parameters: JSONObject = [:]) {
    self.parameters = parameters
    self.error = error
    continues = false
  }

  /// The message on the wire: compact JSON and its NUL.
  package func encoded() -> [UInt8] {
    var bytes = message.encoded()
    bytes.append(0)
    return bytes
  }

  /// The reply as a message, without its NUL.
  var message: JSONObject {
    var message: JSONObject = [:]
    if let error { message["error"] = .string(error) }
    if !parameters.isEmpty { message["parameters"] = .object(parameters) }
    if continues && error == nil { message["continues"] = true }
    return message
  }
}

extension Reply {
  private static let members = ["parameters", "error", "continues"]

  /// Reads one message, without its NUL.
  init(parsing message: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    let header = try JSONObject(header: message, known: Self.members)
    self.init(try header.parameters(), continues: try header.flag("continues"))
    guard let error = header["error"] else { return }
    guard let name = error.string else { throw .errorNotString }
    guard !continues else { throw .errorContinues }
    self.error = name
  }
}
