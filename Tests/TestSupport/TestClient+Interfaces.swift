// SPDX-License-Identifier: Apache-2.0
//
// The contract's interfaces by name, and replies read with the failure in words where something is not there.

package import StrictJSON

/// The names of the interfaces under test.
package enum Interface {
  package static let service = "org.varlink.service"
  package static let permission = "org.consentd.Permission"
  package static let ageRange = "org.consentd.AgeRange"
  package static let guardian = "org.consentd.Guardian"
  package static let administration = "org.consentd.Administration"
  package static let sandbox = "org.consentd.Sandbox"
}

extension TestClient {
  /// Calls a method of `org.consentd.Permission`.
  @discardableResult
  package func permission(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try call("\(Interface.permission).\(method)", parameters)
  }

  /// Calls a method of `org.consentd.AgeRange`.
  @discardableResult
  package func ageRange(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try call("\(Interface.ageRange).\(method)", parameters)
  }

  /// Calls a method of `org.consentd.Guardian`.
  @discardableResult
  package func guardian(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try call("\(Interface.guardian).\(method)", parameters)
  }

  /// Calls a method of `org.consentd.Administration`.
  @discardableResult
  package func administration(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try call("\(Interface.administration).\(method)", parameters)
  }
}

extension JSONObject {
  /// The JSON text, for a message.
  package var json: String { String(decoding: encoded(), as: UTF8.self) }

  /// The string `name`; fails with the whole object in words where there is none.
  package func text(_ name: String) throws -> String { try found(self[name]?.string, name) }

  /// The integer `name`.
  package func number(_ name: String) throws -> Int64 { try found(self[name]?.integer, name) }

  /// The object `name`.
  package func member(_ name: String) throws -> JSONObject { try found(self[name]?.object, name) }

  /// The objects in the array `name`.
  package func list(_ name: String) throws -> [JSONObject] {
    try found(self[name]?.array, name).map { try found($0.object, name) }
  }

  /// These members and those of `others`, which win.
  package func with(_ others: JSONObject) -> JSONObject {
    others.members.reduce(into: self) { $0[$1.name] = $1.value }
  }

  /// These members without `name`.
  package func without(_ name: String) -> JSONObject {
    var rest = self
    rest[name] = nil
    return rest
  }

  private func found<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw TestFailure("no \(name) in \(json)") }
    return value
  }
}
