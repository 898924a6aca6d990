// SPDX-License-Identifier: Apache-2.0
//
// The one JSON value of this project: what the wire, the content hash and the store speak.
//
// Parsing and writing are libjansson's, because it refuses what peers disagree about: duplicate keys, NUL, lone
// surrogates, bad UTF-8, comments, trailing commas, leading zeros, integers beyond 64 bits. Keys are compared as
// UTF-8 bytes and never as Swift strings, whose equality is canonical equivalence (`K` equals U+212A there).

internal import Glibc

/// A JSON value (RFC 8259). Integers are 64-bit and never confused with reals.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// The members of a JSON object, in the order they were written. Keys are unique.
package struct JSONObject: Sendable {
  /// One member of an object.
  package struct Member: Sendable {
    package let name: String
    package let value: JSON
  }

  package private(set) var members: [Member] = []

  package init() {}

  /// An empty object with room for `count` members.
  init(capacity count: Int) {
    members.reserveCapacity(count)
  }

  package var isEmpty: Bool { members.isEmpty }

  /// The value of a member; `nil` where it is absent. Setting `nil` removes it; `.null` is kept as a null.
  package subscript(name: String) -> JSON? {
    get { index(of: name).map { members[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): members[index] = Member(name: name, value: value)
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Appends a member whose name the caller knows to be new, as a parser does that refuses duplicates.
  mutating func append(name: String, value: JSON) {
    members.append(Member(name: name, value: value))
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name.hasSameBytes(as: name) }
  }
}

extension String {
  /// Whether both strings are the same UTF-8 bytes, which `==` does not promise.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (mine, theirs) = (self, other)
    return mine.withUTF8 { mine in
      theirs.withUTF8 { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
        return memcmp(mine, theirs, other.utf8.count) == 0
      }
    }
  }
}

extension JSONObject: Equatable {
  /// Objects are equal when they hold the same members in any order.
  package static func == (left: Self, right: Self) -> Bool {
    left.members.count == right.members.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Builds an object from a literal; a name that stands twice keeps its last value.
  package init(dictionaryLiteral elements: (String, JSON)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}

extension JSON {
  /// The string, where this is one.
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The integer, where this is one.
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The truth value, where this is one.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements, where this is an array.
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  /// The members, where this is an object.
  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}
