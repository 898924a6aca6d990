// SPDX-License-Identifier: Apache-2.0
//
// What a later update takes along, and what becomes of who waits.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct AccumulationRuleTests {
  private func update(_ change: String, _ words: String = "words") throws -> Topic {
    try Topic(json: ["kind": "significantUpdate", "change": .string(change), "description": .string(words)])
  }

  private func fold(_ topic: Topic, denied: Topic? = nil, _ pending: [Topic] = []) -> Topic {
    AccumulationRule.fold(Accumulation(denied: denied, pending: pending), into: topic)
  }

  /// The changes a topic lists; `!` after those denied before.
  private func changes(_ topic: Topic) -> [String] {
    topic.earlier.map { ($0.json["change"]?.string ?? "") + ($0.wasDenied ? "!" : "") }
  }

  @Test func `an update that meets nothing stays as it is`() throws {
    let topic = try update("2.0")
    #expect(fold(topic).json == topic.json)
    #expect(topic.json["earlier"] == nil)
    #expect(topic.items == topic.subject.items)
  }

  @Test func `a pending update is taken along, with what it took along`() throws {
    let second = fold(try update("2.1"), [try update("2.0")])
    let third = fold(try update("2.2"), [second])
    #expect(changes(second) == ["2.0"])
    #expect(changes(third) == ["2.0", "2.1"])
    #expect(third.items.map(\.subject) == ["2.0", "2.1", "2.2"])
    #expect(third.json["change"] == "2.2")
  }

  @Test func `what was denied is listed again and says so`() throws {
    let denied = fold(try update("2.1"), [try update("2.0")])
    let again = fold(try update("2.2"), denied: denied)
    #expect(changes(again) == ["2.0!", "2.1!"])
    #expect(again.json["earlier"]?.array?.first?.object?["denied"] == true)
    #expect(changes(fold(try update("2.3"), denied: denied, [again])) == ["2.0!", "2.1!", "2.2"])
  }

  @Test func `a change stands there once, with its latest words, and stays denied`() throws {
    let denied = try update("2.0", "old words")
    let again = try update("2.0", "new words")
    let topic = fold(try update("2.1"), denied: denied, [again])
    #expect(changes(topic) == ["2.0!"])
    #expect(topic.earlier.first?.json["description"] == "new words")
    #expect(changes(fold(try update("2.0", "newest words"), denied: denied, [again])) == [])
    #expect(changes(fold(again, [topic])) == ["2.1"])
  }

  @Test func `an update without a name is told apart by its text`() throws {
    let first = try Topic(json: ["kind": "significantUpdate", "description": "one"])
    let second = try Topic(json: ["kind": "significantUpdate", "description": "two"])
    #expect(fold(second, [first]).earlier.map(\.topic.hash) == [first.hash])
    #expect(fold(second, [second]).earlier.isEmpty)
  }

  @Test func `sixteen are listed and the oldest beyond are let go`() throws {
    var topic = try update("1")
    for number in 2...18 { topic = fold(try update("\(number)"), [topic]) }
    #expect(changes(topic) == (2...17).map(String.init))
    let before = try update("a")
    #expect(AccumulationRule.dropped(fold(before, [topic]), by: topic).map { $0.items[0].subject } == ["a"])
  }

  @Test func `another kind takes nothing along`() throws {
    let resource = try Topic(json: ["kind": "resource", "resource": "org.example.x", "purpose": "why"])
    #expect(fold(resource, denied: try update("2.0"), [try update("2.1")]).json == resource.json)
  }

  @Test func `a stored topic reads as it was put, and each change hashes as it was asked`() throws {
    let first = try update("2.0")
    let denied = try update("1.9")
    let topic = fold(try update("2.1"), denied: denied, [first])
    let read = try Topic(stored: topic.json)
    #expect(read.json == topic.json)
    #expect(read.parts.map(\.hash) == [denied.hash, first.hash, try update("2.1").hash])
    #expect(changes(read) == ["1.9!", "2.0"])
    #expect(read.alone.json == (try update("2.1")).json)
  }

  @Test func `an asker cannot say what its update takes along`() throws {
    let json = fold(try update("2.1"), [try update("2.0")]).json
    #expect { try Topic(json: json) } throws: { ($0 as? ValueError)?.field == "earlier" }
    #expect { try Subject(json: json) } throws: { ($0 as? ValueError)?.field == "earlier" }
  }

  @Test func `the content of a folded question knows who asks one of its changes`() throws {
    let first = try update("2.0")
    let topic = fold(try update("2.1"), [first])
    func content(_ topic: Topic) -> Content {
      Content(person: .user(1), asker: Asker(uid: 1, app: nil), provenance: .unidentified, topic: topic)
    }
    #expect(content(topic).hash != content(topic.alone).hash)
    #expect(content(topic).hashesOfParts == [content(first).hash, content(try update("2.1")).hash])
    #expect(!content(topic).hashesOfParts.contains(content(try update("2.0", "other words")).hash))
    #expect(content(first).hashesOfParts == [content(first).hash])
  }

  @Test func `who waits moves where everything it came for is asked`() throws {
    func people(_ actions: [JSON]) throws -> Topic {
      try Topic(
        json: [
          "kind": "communication", "people": [["handle": "kim", "kind": "custom"]], "actions": .array(actions),
        ])
    }
    let message = try people(["message"])
    let both = try people(["message", "videoCall"])
    #expect(AccumulationRule.dropped(message, by: both).isEmpty)
    #expect(AccumulationRule.dropped(message, by: message).isEmpty)
    #expect(AccumulationRule.dropped(both, by: message).count == 1)
  }
}
