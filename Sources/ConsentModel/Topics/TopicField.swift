// SPDX-License-Identifier: Apache-2.0
//
// One field of a topic kind: whether it must be there, and the function that checks a value and gives its canonical
// form. Canonical means that two values which say the same are the same bytes: arrays whose order says nothing are
// sorted by bytes, and what says nothing at all is dropped.

internal import StrictJSON

/// A field of a topic kind.
struct TopicField: Sendable {
  /// When the field must be there.
  enum Need: Sendable {
    case optional
    /// In a topic that is asked; not where only its key and items matter.
    case whenAsked
    /// Wherever the kind is named: it makes the key or the items.
    case always
  }

  /// Checks a value and gives its canonical form, `nil` for a value that says nothing.
  typealias Canonical = @Sendable (_ value: JSON, _ field: String) throws(ValueError) -> JSON?

  let name: String
  let need: Need
  /// What an absent field stands for.
  let absent: JSON?
  let canonical: Canonical

  init(_ name: String, _ canonical: @escaping Canonical, _ need: Need = .optional, absent: JSON? = nil) {
    self.name = name
    self.need = need
    self.absent = absent
    self.canonical = canonical
  }
}

/// The fields of one topic, checked and canonical, `kind` included. Null and absent are the same.
struct TopicFields {
  let kind: TopicKind
  private(set) var members: JSONObject

  /// Checks every field of `json`; where `asked` is false only those that make key and items have to be there.
  init(json: JSONObject, asked: Bool) throws(ValueError) {
    guard let word = json["kind"]?.string, let kind = TopicKind(exactly: word) else {
      throw ValueError(field: "kind", rule: "one of \(TopicKind.words)")
    }
    self.kind = kind
    members = ["kind": .string(kind.rawValue)]
    try TopicFields.refuseOthers(in: json, kind: kind)
    for field in kind.fields {
      if let value = json[field.name], value != .null {
        members[field.name] = try field.canonical(value, field.name)
      } else if field.need == .always || (field.need == .whenAsked && asked) {
        throw missing(field.name)
      } else {
        members[field.name] = field.absent
      }
    }
  }

  /// The error for a field that is not there.
  func missing(_ name: String) -> ValueError {
    ValueError(field: name, rule: "given: \(kind.rawValue) needs it")
  }

  /// The canonical text of a field, where it has one.
  func text(_ name: String) -> String? { members[name]?.string }

  private static func refuseOthers(in json: JSONObject, kind: TopicKind) throws(ValueError) {
    let names = kind.fields.map(\.name)
    for member in json.members where member.value != .null && !member.name.isExactly("kind") {
      guard names.contains(where: { $0.isExactly(member.name) }) else {
        let rule = "absent: \(kind.rawValue) has only \(names.joined(separator: ", "))"
        throw ValueError(field: member.name, rule: rule)
      }
    }
  }
}
