// SPDX-License-Identifier: Apache-2.0
//
// A question as a guardian is shown it. Its texts are the asker's own words: a companion shows them as text, never as
// markup, and says what the app's name is worth.

package import StrictJSON

/// A question as a guardian is shown it.
public struct Card: Sendable {
  package let json: JSONObject

  /// One of the answers offered.
  public struct Choice: Sendable {
    /// What goes back to the daemon.
    public let choice: String
    /// The words for it.
    public let title: String
    /// `approval` or `denial`; open.
    public let answer: String
  }

  /// 32 lower-case hex digits.
  public var question: String { json["question"]?.string ?? "" }
  /// Whom it is about.
  public var person: String { json["person"]?.string ?? "" }
  /// The app that asks; `nil` where it gave no name.
  public var app: String? { json["app"]?.string }
  /// What the app's name is worth: `registered`, `claimed` or `unidentified`; open.
  public var provenance: String { json["provenance"]?.string ?? "" }
  /// The app's names by language tag, where the administrator registered it under one.
  public var names: [String: String] {
    Dictionary(
      (json["names"]?.object?.members ?? []).compactMap { name in name.value.string.map { (name.name, $0) } }
    ) { first, _ in first }
  }
  /// The person's guardians for whom the caller speaks.
  public var guardians: [String] { (json["guardians"]?.array ?? []).compactMap(\.string) }
  /// The topic's subject in one line.
  public var topicKey: String { json["topicKey"]?.string ?? "" }
  /// `significantUpdate`, `communication` or `resource`; open.
  public var kind: String { topic["kind"]?.string ?? "" }
  /// What a denial leads to: `staysOnOldVersion`, `featureOff`, `appBlocked` or a sentence.
  public var ifDenied: String? { json["ifDenied"]?.string }
  /// How often this asker has put this subject.
  public var timesAsked: Int64 { json["timesAsked"]?.integer ?? 0 }
  /// The hash of the content shown.
  public var contentHash: String { json["contentHash"]?.string ?? "" }
  /// `pending`, or how the question ended; open.
  public var state: String { json["state"]?.string ?? "" }
  /// When it was asked, in microseconds since the Unix epoch.
  public var askedAtUSec: Int64 { json["askedAtUSec"]?.integer ?? 0 }
  /// When it ends by itself, in microseconds since the Unix epoch.
  public var expiresAtUSec: Int64 { json["expiresAtUSec"]?.integer ?? 0 }
  /// How many callers wait for the answer.
  public var waiters: Int64 { json["waiters"]?.integer ?? 0 }
  /// Approvals given and needed.
  public var votes: (have: Int64, need: Int64) {
    let votes = json["votes"]?.object
    return (votes?["have"]?.integer ?? 0, votes?["need"]?.integer ?? 0)
  }
  /// Whether the caller may answer it.
  public var canAnswer: Bool { json["canAnswer"]?.bool ?? false }
  /// How it ended.
  public var decision: Decision? { json["decision"]?.object.map(Decision.init) }

  /// The answers offered.
  public var choices: [Choice] {
    (json["choices"]?.array ?? []).compactMap(\.object).map {
      Choice(
        choice: $0["choice"]?.string ?? "", title: $0["title"]?.string ?? "", answer: $0["answer"]?.string ?? "")
    }
  }

  /// The app's registered name for readers of a language (`de-AT`): under that tag, or a shorter one, or else for
  /// everybody. Show it beside `app` and never instead of it.
  public func displayName(for language: String?) -> String? {
    let names = names
    var subtags = language?.split(separator: "-") ?? []
    while !subtags.isEmpty {
      let tag = subtags.joined(separator: "-").lowercased()
      if let name = names.first(where: { $0.key.lowercased() == tag })?.value { return name }
      subtags.removeLast()
    }
    return names[""] ?? names["en"]
  }

  /// A text of the topic, such as `description` or `purpose`.
  public func text(_ field: String) -> String? { topic[field]?.string }

  /// A list of words of the topic, such as `reasons` or `actions`.
  public func words(_ field: String) -> [String] { (topic[field]?.array ?? []).compactMap(\.string) }

  /// The other people of a communication: handle, kind and name.
  public var people: [(handle: String, kind: String?, name: String?)] {
    (topic["people"]?.array ?? []).compactMap(\.object).map {
      ($0["handle"]?.string ?? "", $0["kind"]?.string, $0["name"]?.string)
    }
  }

  /// A change that was asked before and is asked along with this one.
  public struct Earlier: Sendable {
    let json: JSONObject

    /// Its name; `nil` where its description is its name.
    public var change: String? { json["change"]?.string }
    /// Whether a guardian said no to it before.
    public var wasDenied: Bool { json["denied"]?.bool ?? false }
    /// A text of it, such as `description`.
    public func text(_ field: String) -> String? { json[field]?.string }
    /// A list of words of it, such as `reasons`.
    public func words(_ field: String) -> [String] { (json[field]?.array ?? []).compactMap(\.string) }
  }

  /// The earlier changes for which an answer counts too, in the order in which they were asked.
  public var earlier: [Earlier] { (topic["earlier"]?.array ?? []).compactMap(\.object).map(Earlier.init) }

  private var topic: JSONObject { json["topic"]?.object ?? [:] }
}

/// One change in what a guardian has to see.
public struct QuestionChange: Sendable {
  package let json: JSONObject

  /// `added`, `changed`, `reminder`, `removed`, `revoked` (what it gave was taken back), or `ready` where the open ones are all told; open.
  public var change: String { json["change"]?.string ?? "" }
  /// The question as it is now; `nil` with `ready`.
  public var card: Card? { json["question"]?.object.map { Card(json: $0) } }
  /// With `removed`: how it ended, or why it is no longer shown.
  public var reason: String? { json["reason"]?.string }
}
