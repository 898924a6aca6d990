// SPDX-License-Identifier: Apache-2.0
//
// What the keys of a terminal do to the cards on it, without a terminal.

import StrictJSON
import Testing

@testable import ConsentKit
@testable import consentctl

@Suite struct WatchScreenTests {
  private static let offers = ["approveOnce", "approve", "approveUntil", "deny"]

  /// A screen that expectations can ask, and what it wanted done.
  private final class Desk {
    private(set) var screen = WatchScreen()
    private(set) var effects: [WatchScreen.Effect] = []

    @discardableResult
    func take(_ event: WatchScreen.Event) -> Desk {
      effects += screen.take(event, now: 0)
      return self
    }

    @discardableResult
    func strike(_ keys: String) -> Desk {
      for key in WatchKey.keys(in: Array(keys.utf8)) { take(.key(key)) }
      return self
    }

    var answers: [String] {
      effects.compactMap { effect in
        guard case .answer(let pending) = effect else { return nil }
        return "\(pending.answer.choice) \(pending.question) \(pending.contentHash) \(pending.untilUSec ?? 0)"
      }
    }
  }

  private func change(
    _ change: String, _ question: String = "aaaaaaaa", hash: String = "h", state: String = "pending",
    choices: [String] = offers, canAnswer: Bool = true, app: JSON = "org.example.Chat"
  ) -> WatchScreen.Event {
    let offered = choices.map { JSON.object(["choice": .string($0), "title": .string($0), "answer": "approval"]) }
    let card: JSONObject = [
      "question": .string(question), "person": "uid:1001", "app": app, "provenance": "claimed",
      "topic": ["kind": "resource", "resource": "org.example.a"], "topicKey": "resource/org.example.a",
      "choices": .array(offered), "contentHash": .string(hash), "state": .string(state), "canAnswer": .bool(canAnswer),
    ]
    return .change(QuestionChange(json: ["change": .string(change), "question": .object(card)]))
  }

  private func desk(_ events: WatchScreen.Event...) -> Desk {
    let desk = Desk()
    for event in events { desk.take(event) }
    return desk
  }

  @Test(arguments: [("a", "approve"), ("d", "deny"), ("o", "approveOnce"), ("x", "deny")])
  func `an answer is sent when it was confirmed, for what was shown`(key: String, choice: String) {
    let desk = desk(change("added")).strike(key)
    #expect(desk.answers == [])
    #expect(desk.strike("y").answers == ["\(choice) aaaaaaaa h 0"])
  }

  @Test(arguments: ["an", "dq", "o\u{1B}", "as", "u7d\u{1B}", "u\u{1B}", "ya", "a\u{1B}[B", "u12\n", "uyesterday\n"])
  func `nothing else sends anything`(keys: String) {
    #expect(desk(change("added")).strike(keys).effects == [])
  }

  @Test func `until asks for an end and for a yes to it`() {
    let desk = desk(change("added")).strike("u2h\n")
    #expect(desk.answers == [])
    #expect(desk.strike("y").answers == ["approveUntil aaaaaaaa h 7200000000"])
  }

  @Test func `only what the card offers to its reader has a key`() {
    #expect(desk(change("added")).screen.answers == WatchAnswer.allCases)
    #expect(desk(change("added", choices: ["approve", "deny"], app: .null)).screen.answers == [.approve, .deny])
    #expect(desk(change("added", canAnswer: false)).screen.answers == [])
    let desk = desk(change("added", choices: ["approve", "deny"])).strike("oy")
    #expect(desk.effects == [])
    #expect(desk.screen.notices.contains { $0.contains("is no answer to aaaaaaaa") })
  }

  @Test func `an answer about to be confirmed goes nowhere when the question ends, and that is said`() {
    for keys in ["a", "u7"] {
      let desk = desk(change("added")).strike(keys).take(change("removed", state: "denied"))
      #expect(desk.screen.mode == .browsing)
      #expect(desk.screen.notices.contains { $0.contains("was not sent and has no effect") && $0.contains("denied") })
      #expect(desk.strike("y\n").effects == [])
    }
  }

  @Test func `a key for a card that has ended hits no other card`() {
    let desk = desk(change("added"), change("added", "bbbbbbbb"), change("removed", state: "approved"))
    #expect(desk.screen.front == "aaaaaaaa")
    #expect(desk.strike("ay").effects == [])
    #expect(desk.screen.notices.contains { $0.contains("that key has no effect: aaaaaaaa") })
    #expect(desk.strike("say").answers == ["approve bbbbbbbb h 0"])
    #expect(desk.screen.entries.map(\.card.question) == ["bbbbbbbb"])
  }

  @Test func `a card whose content changed takes no answer to what was shown before`() {
    let desk = desk(change("added")).strike("a").take(change("changed", hash: "other"))
    #expect(desk.strike("y").effects == [])
    #expect(desk.strike("ay").answers == ["approve aaaaaaaa other 0"])
  }

  @Test func `while the daemon is away nothing is answered, and what ended meanwhile is said to have`() {
    let desk = desk(change("added"), change("added", "bbbbbbbb")).strike("a").take(.away)
    #expect(desk.screen.mode == .browsing)
    #expect(desk.strike("ay").effects == [])
    desk.take(.back).take(change("added", "bbbbbbbb"))
    desk.take(.change(QuestionChange(json: ["change": "ready"])))
    #expect(desk.screen.frontEntry?.ending == Messages.endedMeanwhile)
    #expect(desk.strike("say").answers == ["approve bbbbbbbb h 0"])
  }

  @Test(arguments: [true, false])
  func `an answer that ends its question brings the next, a vote does not`(hasEnded: Bool) {
    let desk = desk(change("added"), change("added", "bbbbbbbb")).strike("ay")
    desk.take(.replied(question: "aaaaaaaa", hasEnded: hasEnded, ["told"]))
    #expect(desk.screen.front == (hasEnded ? "bbbbbbbb" : "aaaaaaaa"))
    #expect(desk.screen.mode == .browsing && desk.screen.notices.last == "told")
    desk.take(change("removed", state: "approved"))
    #expect(desk.screen.entries.count == (hasEnded ? 1 : 2))
  }

  @Test func `leaving changes nothing`() {
    #expect(desk(change("added")).strike("q").effects == [.leave])
    #expect(desk(change("added")).strike("a\u{3}").effects == [.leave])
  }

  @Test func `a line is a key or its word where keys cannot be read alone`() {
    #expect(WatchKey.keys(inLine: "Approve", typing: false) == [.character("a")])
    #expect(WatchKey.keys(inLine: " d ", typing: false) == [.character("d")])
    #expect(WatchKey.keys(inLine: "", typing: false) == [.enter])
    #expect(WatchKey.keys(inLine: "approve it", typing: false) == nil)
    #expect(WatchKey.keys(inLine: "7d", typing: true) == [.character("7"), .character("d"), .enter])
  }

  @Test func `a long line is shown in pieces and none of it is lost`() {
    let line = String(repeating: "word ", count: 50)
    let pieces = FullPicture.wrapped(line, 40)
    #expect(pieces.joined() == line && pieces.allSatisfy { $0.count <= 40 })
  }
}
