// SPDX-License-Identifier: Apache-2.0
//
// What an app is told, read from the replies as they came: fields this version does not know stay in them. A field
// that is missing or of another type reads as nothing, and nothing is never an approval.

package import StrictJSON

/// Where a question stands; once it has ended, how it ended. Also the reply to asking, where no question was needed.
public struct Decision: Sendable {
  package let json: JSONObject

  package init(_ json: JSONObject) { self.json = json }

  /// The question's id; `nil` where none was needed or made.
  public var question: String? { json["question"]?.string }
  /// The topic's subject in one line, such as `significantUpdate/2.0`.
  public var topicKey: String { json["topicKey"]?.string ?? "" }
  /// `pending`, `approved`, `denied`, `expired`, `withdrawn`, `superseded`, `moot` or `notRequired`; open.
  public var state: String { json["state"]?.string ?? "" }
  /// What the app does now.
  public var nextAction: NextAction { NextAction(rawValue: json["nextAction"]?.string ?? "") }
  /// Why, where there is more to say.
  public var reason: String? { json["reason"]?.string }
  /// The choice that was taken.
  public var choice: String? { json["choice"]?.string }
  /// The question that took this one's place.
  public var successor: String? { json["successor"]?.string }
  /// The grant that covers the topic.
  public var grant: String? { json["grant"]?.string }
  /// Whether the question stood already when it was asked.
  public var joined: Bool { json["joined"]?.bool ?? false }
  /// When the question ends by itself, in microseconds since the Unix epoch.
  public var expiresAtUSec: Int64? { json["expiresAtUSec"]?.integer }
  /// When it ended, in microseconds since the Unix epoch.
  public var decidedAtUSec: Int64? { json["decidedAtUSec"]?.integer }
  /// The guardian who answered, as far as the reader may know.
  public var guardian: String? { json["evidence"]?.object?["guardian"]?.string }
  /// Whether a sandbox decided, which is worth nothing outside a test.
  public var isSynthetic: Bool { json["synthetic"]?.bool ?? false }
}

/// Where a topic stands.
public struct TopicStatus: Sendable {
  package let json: JSONObject

  /// The topic's subject in one line.
  public var topicKey: String { json["topicKey"]?.string ?? "" }
  /// `notDetermined`, `pending`, `approved`, `limited`, `denied`, `restricted` or `notRequired`; open.
  public var status: String { json["status"]?.string ?? "" }
  /// What the app does now.
  public var nextAction: NextAction { NextAction(rawValue: json["nextAction"]?.string ?? "") }
  /// Why, where there is more to say.
  public var reason: String? { json["reason"]?.string }
  /// The latest question about it.
  public var question: String? { json["question"]?.string }
  /// Until when it holds by itself, in microseconds since the Unix epoch.
  public var untilUSec: Int64? { json["untilUSec"]?.integer }
}

/// One thing that happened to the questions and grants of an asker.
public struct ConsentEvent: Sendable {
  package let json: JSONObject

  /// Counts the asker's events.
  public var sequence: Int64 { json["sequence"]?.integer ?? 0 }
  /// `asked`, `decided`, `expired`, … or `ready`, where the past ends and the present begins; open.
  public var event: String { json["event"]?.string ?? "" }
  /// Whom it is about.
  public var person: String? { json["person"]?.string }
  /// The topic's subject in one line.
  public var topicKey: String? { json["topicKey"]?.string }
  /// The question concerned.
  public var question: String? { json["question"]?.string }
  /// How the question ended, with an event that ends one.
  public var decision: Decision? { json["decision"]?.object.map(Decision.init) }
  /// When it happened, in microseconds since the Unix epoch.
  public var atUSec: Int64 { json["atUSec"]?.integer ?? 0 }
}
