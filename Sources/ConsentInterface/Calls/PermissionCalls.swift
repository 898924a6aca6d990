// SPDX-License-Identifier: Apache-2.0
//
// The calls of org.consentd.Permission, read from their parameters.

package import ConsentModel
package import StrictJSON

/// Whom and for which app a call on the apps' socket speaks; both may be left to the daemon.
package struct Speaking: Sendable {
  package let person: Person?
  package let app: AppID?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.person()
    app = try parameters.app()
  }
}

/// `GetStatus`: only what makes key and items need be there.
package struct GetStatusCall: Sendable {
  package let speaking: Speaking
  package let subject: Subject
  /// A significant update's first version, where it is named.
  package let sinceVersion: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    speaking = try Speaking(parameters)
    sinceVersion = parameters.topic["sinceVersion"]?.string
    subject = try Refusal.topic { () throws(ValueError) in try Subject(json: parameters.topic) }
  }
}

/// `Ask`, and the asking half of `Request`.
package struct AskCall: Sendable {
  package let speaking: Speaking
  package let topic: Topic
  package let key: AskKey?
  /// How long the question may stay open, microseconds; judged by the rules.
  package let expiresInUSec: Int64?
  package let appVersion: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    speaking = try Speaking(parameters)
    topic = try Refusal.topic { () throws(ValueError) in try Topic(json: parameters.topic) }
    key = try parameters["key"]?.string.map { (text) throws(Refusal) in
      try Refusal.value { () throws(ValueError) in try AskKey(parsing: text) }
    }
    expiresInUSec = parameters["expiresInUSec"]?.integer
    appVersion = try parameters["appVersion"]?.string.map { (text) throws(Refusal) in
      try Refusal.value { () throws(ValueError) in try TextRules.line(text, field: "appVersion") }
      return text
    }
  }
}

/// `Await`, and the waiting half of `Request`.
package struct AwaitCall: Sendable {
  package let question: String
  /// How long the caller waits, microseconds; 0 looks without waiting.
  package let timeoutUSec: Int64

  package init(_ parameters: JSONObject) throws(Refusal) {
    question = parameters.text("question")
    timeoutUSec = try Self.timeout(parameters)
  }

  /// The `timeoutUSec` of `parameters`, or the default.
  package static func timeout(_ parameters: JSONObject) throws(Refusal) -> Int64 {
    try Refusal.value { () throws(ValueError) in
      try DeadlineRules.waiter(timeoutUSec: parameters["timeoutUSec"]?.integer)
    }
  }
}

/// `Responses`.
package struct ResponsesCall: Sendable {
  package let speaking: Speaking
  /// The sequence after which to begin; absent: the acknowledged cursor.
  package let after: Int64?
  /// Only events of these kinds; absent: all. `ready` always comes.
  package let kinds: Set<String>?

  package init(_ parameters: JSONObject) throws(Refusal) {
    speaking = try Speaking(parameters)
    after = parameters["after"]?.integer
    kinds = parameters["kinds"]?.array.map { Set($0.compactMap(\.string)) }
  }

  /// Whether events of this kind are to be sent.
  package func wants(_ kind: AskerEvent.Kind) -> Bool { kinds?.contains(kind.rawValue) ?? true }
}

/// `Acknowledge`.
package struct AcknowledgeCall: Sendable {
  package let speaking: Speaking
  package let sequence: Int64

  package init(_ parameters: JSONObject) throws(Refusal) {
    speaking = try Speaking(parameters)
    sequence = parameters["sequence"]?.integer ?? 0
  }
}
