// SPDX-License-Identifier: Apache-2.0
//
// The words of a model of the rules that shares nothing with the daemon: what a family, a topic, a question and a
// grant are, in the plainest form in which the design's rules can be written down again. Items are strings, questions
// and grants are numbers in the order they were made, and nothing here is a type of the daemon's.

import StrictJSON
import TestSupport

/// What is asked.
struct YearTopic: Hashable, Sendable {
  enum Kind: String, Sendable { case significantUpdate, communication, resource }

  let kind: Kind
  /// A change, the handles with a comma between, or the name of a resource.
  let subject: String
  /// What an approval of it gives.
  let items: Set<String>
  /// The words for the guardian: other words are other content.
  let text: String

  /// What the key of the topic stands for.
  var key: String { "\(kind.rawValue)/\(subject)" }

  static func update(_ change: String, _ text: String = "Adds voice rooms.") -> YearTopic {
    YearTopic(kind: .significantUpdate, subject: change, items: [change], text: text)
  }

  static func talk(_ handles: [String], _ actions: [String]) -> YearTopic {
    let items = handles.flatMap { handle in actions.map { "\(handle)|\($0)" } }
    return YearTopic(kind: .communication, subject: handles.joined(separator: ","), items: Set(items), text: "")
  }

  static func resource(_ name: String, _ text: String = "Half an hour more.") -> YearTopic {
    YearTopic(kind: .resource, subject: name, items: ["\(name)|full"], text: text)
  }
}

/// Who asks: one app of the one uid, for one person.
struct YearAsker: Hashable, Sendable {
  let person: String
  /// `nil`: it gives no name.
  let app: String?
}

/// One guardian's approval of a question.
struct YearVote: Equatable, Sendable {
  var choice: String
  var items: Set<String>
  var until: Int64?
  /// Whether the items were named.
  var named = false

  /// Whether it comes to the same, said in another way.
  func isSame(as other: YearVote) -> Bool {
    choice == other.choice && items == other.items && until == other.until
  }
}

/// A question as the rules know it.
struct YearQuestion: Sendable {
  /// A change of an earlier question that this one asks as well.
  struct Earlier: Hashable, Sendable {
    let topic: YearTopic
    let denied: Bool
  }

  let number: Int
  let asker: YearAsker
  let topic: YearTopic
  let earlier: [Earlier]
  let askedAt: Int64
  var expiresAt: Int64
  var state = "pending"
  var delivered = false
  var votes: [String: YearVote] = [:]
  var choice: String?
  var reason: String?
  var grant: Int?
  var successor: Int?
  var endedAt: Int64?
  /// Who ended it, and with what: an exact retry is known by it.
  var answered: (guardian: String, vote: YearVote)?

  var isOpen: Bool { state == "pending" }

  /// What an approval of all of it gives.
  var items: Set<String> { earlier.reduce(topic.items) { $0.union($1.topic.items) } }

  /// The choices its card offers.
  var choices: [String] {
    switch topic.kind {
    case .significantUpdate: ["approve", "deny"]
    case .communication: ["approve", "approveUntil", "deny"]
    case .resource: ["approveOnce", "approve", "deny"]
    }
  }
}

/// What an approval gave.
struct YearGrant: Sendable {
  let number: Int
  let question: Int
  let asker: YearAsker
  let topic: YearTopic
  let items: Set<String>
  let until: Int64?
  var endedAt: Int64?
  var endedReason: String?

  var isLive: Bool { endedAt == nil }
}

/// How long is waited before a topic may be asked again.
struct YearCoolDown: Sendable {
  /// Since the last approval.
  var denials = 0
  var deniedAt: Int64?
  var lapsedAt: Int64?
  /// Whether a new change was let through since the last denial.
  var passedOne = false
}

/// What the model wants of one value of a reply.
enum YearWant: Sendable, Equatable {
  case text(String)
  case flag(Bool)
  case number(Int64)
  case absent
  case question(Int)
  case grant(Int)
  /// Within a few seconds: the daemon's clock runs while the model's stands.
  case instant(Int64)
  case oneOf([String])
}

/// What the model wants of a reply.
enum YearReply: Sendable, Equatable {
  case reply([String: YearWant])
  case error(String, [String: YearWant] = [:])
  /// Where the design leaves it open.
  indirect case either(YearReply, YearReply)
}

/// One event of an asker's log.
struct YearEvent: Sendable, Equatable {
  let kind: String
  let question: Int?
  let grant: Int?
}
