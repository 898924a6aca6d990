// SPDX-License-Identifier: Apache-2.0
//
// Values against the interface. The first offender is named: the declared fields in their order, then whatever is not
// declared. A field within a field is named with a dot; elements of arrays and maps stand under the name of the array
// or map itself, because the caller wrote that name. Nothing is converted: `1.0` is no int and `"1"` neither.

package import StrictJSON

extension InterfaceDescription {
  /// The first parameter of a call of `method` (its short name) that is missing, null though it may not be, of the
  /// wrong type, or not declared; `nil` when all are right.
  package func firstInvalidParameter(of call: JSONObject, method: String) -> String? {
    firstInvalid(in: call, fields: self.method(method)?.input ?? [])
  }

  /// The same for a reply of `method`.
  package func firstInvalidField(ofReply reply: JSONObject, method: String) -> String? {
    firstInvalid(in: reply, fields: self.method(method)?.output ?? [])
  }

  /// The same for the parameters of `error` (its short name).
  package func firstInvalidField(ofError parameters: JSONObject, error: String) -> String? {
    firstInvalid(in: parameters, fields: errors.first { $0.name.hasSameBytes(as: error) }?.fields ?? [])
  }

  /// The dotted name of the first member that does not match `fields`.
  func firstInvalid(in object: JSONObject, fields: [Field]) -> String? {
    TypeCheck(types: types).firstInvalid(in: object, fields: fields)?.name
  }

  /// The method of that short name.
  package func method(_ name: String) -> MethodDeclaration? {
    methods.first { $0.name.hasSameBytes(as: name) }
  }
}

/// Checks values against types.
private struct TypeCheck {
  typealias Description = InterfaceDescription

  /// Where a value does not match its type.
  struct Fault {
    /// The dotted name, empty for the checked value itself.
    let name: String

    static let here = Fault(name: "")

    func below(_ outer: String) -> Fault {
      Fault(name: name.isEmpty ? outer : "\(outer).\(name)")
    }
  }

  let types: [Description.TypeDeclaration]

  func firstInvalid(in object: JSONObject, fields: [Description.Field]) -> Fault? {
    var present = 0
    for field in fields {
      let value = present < object.members.count ? object[field.name] : nil
      if value != nil { present += 1 }
      if let fault = fault(in: value ?? .null, type: field.type) { return fault.below(field.name) }
    }
    guard present < object.members.count else { return nil }
    let unknown = object.members.first { member in
      !fields.contains { $0.name.hasSameBytes(as: member.name) }
    }
    return unknown.map { Fault(name: $0.name) }
  }

  private func fault(in value: JSON, type: Description.TypeExpression) -> Fault? {
    switch (type, value) {
    case (.nullable, .null): nil
    case (.nullable(let type), _): fault(in: value, type: type)
    case (.named(let name), _): types.first { $0.name == name }.flatMap { fault(in: value, type: $0.type) }
    case (.bool, .bool), (.int, .integer), (.string, .string), (.object, .object): nil
    case (.float, .real), (.float, .integer): nil
    case (.any, _): value == .null ? .here : nil
    case (.enumeration(let values), .string(let text)):
      values.contains { $0.name.hasSameBytes(as: text) } ? nil : .here
    case (.structure(let fields), .object(let object)): firstInvalid(in: object, fields: fields)
    case (.array(let type), .array(let elements)): elements.firstNonNil { fault(in: $0, type: type) }
    case (.map(let type), .object(let object)): object.members.firstNonNil { fault(in: $0.value, type: type) }
    default: .here
    }
  }
}

extension Sequence {
  fileprivate func firstNonNil<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }
}
