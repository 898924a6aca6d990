// SPDX-License-Identifier: Apache-2.0
//
// The canonical forms of fields that are lists: reasons, actions, people. Their order says nothing, so each is sorted
// by bytes; a member that stands twice is refused, because one of the two would be a mistake.

internal import StrictJSON

/// Why an update is significant.
package enum UpdateReason: String, CaseIterable, Sendable {
  case dataCategories, ageRating, monetization, functionality
}

extension TopicField {
  static let actionLimit = 16
  static let personLimit = 64
  static let kindRule = "a word such as phoneNumber, emailAddress or custom"

  /// A subset of the four reasons; an empty one says nothing.
  static let reasons: Canonical = { value, field throws(ValueError) in
    let words = try TopicField.strings(value, field)
    guard words.allSatisfy({ UpdateReason(exactly: $0) != nil }), !words.hasDuplicateBytes else {
      throw ValueError(field: field, rule: "any of \(UpdateReason.words), each once")
    }
    return words.isEmpty ? nil : .array(words.sortedByBytes().map(JSON.string))
  }

  /// What is to be done with people: an open enumeration (`message`, `audioCall`, …).
  static let actions: Canonical = { value, field throws(ValueError) in
    let words = try TopicField.strings(value, field)
    guard (1...actionLimit).contains(words.count), words.allSatisfy({ Form.isWord($0.utf8) }), !words.hasDuplicateBytes
    else { throw ValueError(field: field, rule: "1 to \(actionLimit) different words such as message or audioCall") }
    return .array(words.sortedByBytes().map(JSON.string))
  }

  /// The people in question, sorted by their handles.
  static let people: Canonical = { value, field throws(ValueError) in
    guard let elements = value.array, (1...personLimit).contains(elements.count) else {
      throw ValueError(field: field, rule: "1 to \(personLimit) people")
    }
    var people: [(handle: String, json: JSONObject)] = []
    for element in elements { people.append(try TopicField.person(element, field)) }
    guard !people.map(\.handle).hasDuplicateBytes else {
      throw ValueError(field: "\(field).handle", rule: "given once: each handle names another person")
    }
    return .array(people.sorted { $0.handle.precedesInBytes($1.handle) }.map { .object($0.json) })
  }

  private static func person(_ value: JSON, _ field: String) throws(ValueError) -> (handle: String, json: JSONObject) {
    guard let given = value.object else { throw ValueError(field: field, rule: "a list of objects") }
    for member in given.members where member.value != .null {
      guard ["handle", "kind", "name"].contains(where: { $0.isExactly(member.name) }) else {
        throw ValueError(field: "\(field).\(member.name)", rule: "absent: a person has only handle, kind and name")
      }
    }
    let handle = try string(given["handle"] ?? .null, "\(field).handle")
    try TextRules.line(handle, field: "\(field).handle")
    var json: JSONObject = ["handle": .string(handle)]
    if let kind = given["kind"], kind != .null {
      guard let word = kind.string, Form.isWord(word.utf8) else {
        throw ValueError(field: "\(field).kind", rule: kindRule)
      }
      json["kind"] = kind
    }
    if let name = given["name"], name != .null { json["name"] = try line(name, "\(field).name") }
    return (handle, json)
  }

  private static func strings(_ value: JSON, _ field: String) throws(ValueError) -> [String] {
    guard let elements = value.array else { throw ValueError(field: field, rule: "a list of texts") }
    var texts: [String] = []
    for element in elements { texts.append(try string(element, field)) }
    return texts
  }
}
