// SPDX-License-Identifier: Apache-2.0
//
// Texts that must not turn up where they do not belong. Everything a caller can write is one of them, so that a test
// that looks for them finds a leak wherever it began.

package import StrictJSON

/// Marked texts, and the calls that carry them.
package enum Secrets {
  /// Stands in every text below.
  package static let mark = "Quetzal"
  package static let birthDate = "2014-03-05"

  /// A text with the mark.
  package static func text(_ name: String) -> String { "\(mark) \(name)" }

  /// Topics with the mark in every text that is not part of a key.
  package static let topics: [JSONObject] = [
    [
      "kind": "significantUpdate", "change": "2.0", "reasons": ["functionality"],
      "description": .string(text("description")), "personDescription": .string(text("for the person")),
      "ifDenied": .string(text("if denied")), "disclosureURL": .string("https://example.org/\(mark)"),
    ],
    [
      "kind": "communication", "actions": ["message"],
      "people": [["handle": .string("\(mark)@example.org"), "kind": "email", "name": .string(text("name"))]],
    ],
    [
      "kind": "resource", "resource": "org.example.screenTime", "purpose": .string(text("purpose")),
      "ifDenied": .string(text("if denied")),
    ],
  ]

  /// Messages that break the protocol, each in another way.
  package static let violations = [
    "\(mark)", "{\"method\": \"\(mark)\", \"\(mark)\": 1}", "{\"method\": \"a.b.C\", \"parameters\": \"\(mark)\"}",
    "{\"method\": \"a.b.C\", \"\(mark).member\": 1}", "{\"\(mark)\": {\"\(mark)\": \(mark)}}",
    "{\"method\": \"a.b.C\", \"oneway\": \"\(mark)\"}", "{\"error\": \"\(mark)\"}",
  ]

  /// Calls of these interfaces' methods whose values are not acceptable.
  package static let spoilt: [(method: String, parameters: JSONObject)] = [
    ("\(Interface.permission).Ask", ["topic": .object(topics[0]), "person": .string(text("person"))]),
    ("\(Interface.permission).Ask", ["topic": .object(topics[0]), "app": .string(text("app"))]),
    ("\(Interface.permission).Ask", ["topic": .object(topics[0]), "key": .string("\(mark)\u{e9}")]),
    ("\(Interface.permission).Ask", ["topic": ["kind": .string(mark)]]),
    ("\(Interface.permission).Await", ["question": .string(mark)]),
    ("\(Interface.permission).\(mark)", [:]), ("\(mark).\(mark)", [:]),
    ("\(Interface.permission).GetStatus", [mark: 1]),
    ("\(Interface.ageRange).GetAgeRange", ["gates": [1], "person": .string(text("person"))]),
  ]
}
