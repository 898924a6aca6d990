// SPDX-License-Identifier: Apache-2.0
//
// Reading the parameters of a call.
//
// The interface's text has been applied before anything here runs: what is present has the declared type, what is
// required is present. So nothing here checks types; values of the right type in the wrong form are refused where the
// form is known, in ConsentModel.

import ConsentModel
package import StrictJSON

extension JSONObject {
  /// The string member `name`; the empty string where the interface's text lets it be absent and it is.
  func text(_ name: String) -> String { self[name]?.string ?? "" }

  /// The `question` of a call that takes nothing else: an id or a prefix of one.
  package var question: String { text("question") }

  /// The optional person in `name`.
  func person(_ name: String = "person") throws(Refusal) -> Person? {
    guard let text = self[name]?.string else { return nil }
    return try Refusal.value { () throws(ValueError) in try Person(parsing: text, field: name) }
  }

  /// The person in `name`, which the interface's text requires.
  func requiredPerson(_ name: String = "person") throws(Refusal) -> Person {
    let text = text(name)
    return try Refusal.value { () throws(ValueError) in try Person(parsing: text, field: name) }
  }

  /// The optional app id in `app`.
  func app() throws(Refusal) -> AppID? {
    guard let text = self["app"]?.string else { return nil }
    return try Refusal.value { () throws(ValueError) in try AppID(parsing: text) }
  }

  /// The optional guardian in `guardian`, as whom the caller speaks.
  func guardian() throws(Refusal) -> Guardian? {
    guard let text = self["guardian"]?.string else { return nil }
    return try Refusal.value { () throws(ValueError) in try Guardian(parsing: text) }
  }

  /// The optional word for the record in `note`.
  func note() throws(Refusal) -> String? {
    guard let text = self["note"]?.string else { return nil }
    try Refusal.value { () throws(ValueError) in try TextRules.text(text, field: "note") }
    return text
  }

  /// The topic's members.
  var topic: JSONObject { self["topic"]?.object ?? [:] }
}

extension Refusal {
  /// Runs `body`, whose errors name the field.
  static func value<Value>(_ body: () throws(ValueError) -> Value) throws(Refusal) -> Value {
    do {
      return try body()
    } catch {
      throw .invalidValue(field: error.field, rule: error.rule)
    }
  }

  /// Runs `body`, whose errors name a topic's fields.
  static func topic<Value>(_ body: () throws(ValueError) -> Value) throws(Refusal) -> Value {
    do {
      return try body()
    } catch {
      throw .invalidTopic(field: error.field, rule: error.rule)
    }
  }
}
