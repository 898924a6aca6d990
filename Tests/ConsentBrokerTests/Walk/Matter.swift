// SPDX-License-Identifier: Apache-2.0
//
// What a random walk asks about: few enough that asks meet, different enough that they supersede, join and cover one
// another in every way.

import ConsentBroker
import StrictJSON

@testable import ConsentModel

/// Something to ask. Two matters may have one key; they never have one content.
struct Matter: Hashable {
  let number: Int
  let topic: Topic
  let kind: TopicKind
  let key: String
  /// What an approval grants, each as a word of the test's own.
  let items: Set<String>
  let choices: [String]

  static func == (left: Matter, right: Matter) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The topic as a question asks it that took earlier changes along.
  func topic(taking earlier: [Ledger.Earlier]) -> Topic {
    guard !earlier.isEmpty else { return topic }
    var json = topic.json
    json["earlier"] = .array(
      earlier.map { change in
        var json = change.matter.topic.json
        json["kind"] = nil
        if change.wasDenied { json["denied"] = true }
        return .object(json)
      })
    do { return try Topic(stored: json) } catch { fatalError("\(error)") }
  }

  static let all: [Matter] = [
    update(0, "1.0", "Adds rooms"), update(1, "1.0", "Adds rooms and calls"), update(2, "2.0", "Adds rooms"),
    update(8, "3.0", "Adds calls"),
    resource(3, "Half an hour"), resource(4, "A whole hour"),
    communication(5, ["kim"], ["message"]), communication(6, ["kim"], ["call", "message"]),
    communication(7, ["kim", "lou"], ["message"]),
  ]

  private static func update(_ number: Int, _ change: String, _ words: String) -> Matter {
    Matter(
      number: number, topic: .update(change, words), kind: .significantUpdate, key: "significantUpdate/\(change)",
      items: [change], choices: ["approve", "deny"])
  }

  private static func resource(_ number: Int, _ words: String) -> Matter {
    Matter(
      number: number, topic: .resource("org.example.time", words), kind: .resource, key: "resource/org.example.time",
      items: ["org.example.time full"], choices: ["approveOnce", "approve", "deny"])
  }

  private static func communication(_ number: Int, _ handles: [String], _ actions: [String]) -> Matter {
    let topic = Topic.communication(handles, actions)
    return Matter(
      number: number, topic: topic, kind: .communication, key: topic.key,
      items: Set(handles.flatMap { handle in actions.map { "\(handle) \($0)" } }),
      choices: ["approve", "approveUntil", "deny"])
  }
}

/// Who asks in a walk, and who answers.
enum WalkCast {
  static let people: [Person] = [.mia, .leo, .kim]
  static let guardians: [Guardian] = [.ann, .bob, .nan]
  /// The last two are a guardian's own program and a service's.
  static let askers: [Asker] = [.chat, .game, .nameless, .anns, Asker(uid: 990, app: .chat)]
  static let viewers: [Viewer] = [.ann, .bob, .nan, .stranger]
  static let uids: [UserID] = [1001, 1000, 990]
}
