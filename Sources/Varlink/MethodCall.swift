// SPDX-License-Identifier: Apache-2.0
//
// A call as the header of its message says it, checked before anything of it is believed. The order of the members is
// free; `parameters` may be absent, null or empty and means the same each time; a flag may be spelled out as false.

package import StrictJSON

/// One call of a method.
package struct MethodCall: Sendable, Equatable {
  /// What the caller expects to hear. At most one of the protocol's flags can be set.
  package enum Kind: Sendable {
    /// Exactly one reply.
    case single
    /// Any number of replies with `continues`, then one without.
    case more
    /// No reply at all, not even an error.
    case oneway
    /// One reply, after which the connection would no longer be Varlink.
    case upgrade
  }

  /// The full name, as in `org.varlink.service.GetInfo`. It is the peer's text and not yet known to exist.
  package let method: String
  package let parameters: JSONObject
  package let kind: Kind

  package init(method: String, parameters: JSONObject = [:], kind: Kind = .single) {
    self.method = method
    self.parameters = parameters
    self.kind = kind
  }

  package var more: Bool { kind == .more }
  package var oneway: Bool { kind == .oneway }
  package var upgrade: Bool { kind == .upgrade }
}

extension MethodCall {
  private static let members = ["method", "parameters", "more", "oneway", "upgrade"]

  /// Reads one message, without its NUL.
  init(parsing message: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    let header = try JSONObject(header: message, known: Self.members)
    guard let method = header["method"]?.string else { throw .noMethod }
    self.init(method: method, parameters: try header.parameters(), kind: try Kind(header))
  }

  /// The call as a message, without its NUL. Flags that are false and parameters that are empty are left out: sd-varlink
  /// 257 closes on a false `upgrade`.
  var message: JSONObject {
    var message: JSONObject = ["method": .string(method)]
    if !parameters.isEmpty { message["parameters"] = .object(parameters) }
    switch kind {
    case .single: break
    case .more: message["more"] = true
    case .oneway: message["oneway"] = true
    case .upgrade: message["upgrade"] = true
    }
    return message
  }
}

extension MethodCall.Kind {
  fileprivate init(_ header: JSONObject) throws(ProtocolViolation) {
    switch (try header.flag("more"), try header.flag("oneway"), try header.flag("upgrade")) {
    case (false, false, false): self = .single
    case (true, false, false): self = .more
    case (false, true, false): self = .oneway
    case (false, false, true): self = .upgrade
    default: throw .severalFlags
    }
  }
}
