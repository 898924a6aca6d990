// SPDX-License-Identifier: Apache-2.0
//
// The interfaces as a daemon offers them, and samples of what goes over them.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing
import Varlink

/// Every interface there is.
enum Interfaces {
  static let all: [InterfaceDescription] = SocketRole.allCases.flatMap { role in
    (try? Contract.interfaces(on: role, isSandbox: true)) ?? []
  }

  /// The interface of this name. Throws where there is none.
  static func named(_ name: String) throws -> InterfaceDescription {
    try #require(all.first { $0.name == name })
  }
}

extension Person {
  static let mia = Person.user(1001)
}

extension AppID {
  static let chat = AppID(known: "org.example.Chat")

  private init(known text: String) {
    do { self = try AppID(parsing: text) } catch { fatalError("\(error)") }
  }
}

extension QuestionID {
  static let first = QuestionID(known: "0123456789abcdef0123456789abcdef")
  static let second = QuestionID(known: "fedcba9876543210fedcba9876543210")

  fileprivate init(known text: String) {
    guard let id = QuestionID(text) else { fatalError(text) }
    self = id
  }
}

extension GrantID {
  static let some = GrantID.random()
}

extension Topic {
  /// One topic of each kind, with everything it can have.
  static let all: [JSONObject] = [
    [
      "kind": "significantUpdate", "change": "2.0", "reasons": ["ageRating", "dataCategories"],
      "description": "Adds voice rooms", "personDescription": "You can talk", "ifDenied": "staysOnOldVersion",
      "sinceVersion": "2.0", "disclosureURL": "https://example.org/2.0", "language": "en",
    ],
    [
      "kind": "communication", "people": [["handle": "kim", "kind": "custom", "name": "Kim"]], "actions": ["message"],
    ],
    [
      "kind": "resource", "resource": "org.example.screenTime", "level": "full", "purpose": "Half an hour",
      "ifDenied": "featureOff",
    ],
  ]
}
