// SPDX-License-Identifier: Apache-2.0
//
// What is said: that every error of the contract has its sentence and its exit status, and that no reply, however it
// is made up, becomes a yes or more than text.

import ConsentInterface
import ConsentKit
import HostRuntime
import StrictJSON
import Testing
import Varlink

@testable import ConsentKit
@testable import consentctl

@Suite struct ExitCodeTests {
  @Test(arguments: [
    ("approved", 0), ("notRequired", 0), ("denied", 3), ("pending", 4), ("expired", 5), ("withdrawn", 5),
    ("superseded", 5), ("moot", 5), ("", 5), ("allowed", 5), ("Approved", 5),
  ])
  func `a state has its exit status, and an unknown one is no yes`(state: String, code: Int32) {
    #expect(ExitCode(state: state).rawValue == code)
  }

  @Test(arguments: [
    ("approved", 0), ("limited", 0), ("notRequired", 0), ("denied", 3), ("restricted", 3), ("pending", 4),
    ("notDetermined", 6), ("", 5), ("unlimited", 5),
  ])
  func `a status has its exit status, and an unknown one is no yes`(status: String, code: Int32) {
    #expect(ExitCode(status: status).rawValue == code)
  }

  @Test(arguments: [
    ("NotAvailable", 6), ("CoolingDown", 6), ("TooManyPending", 6), ("AlreadyDecided", 5), ("InvalidValue", 2),
    ("InvalidTopic", 2), ("InvalidGates", 2), ("InvalidParameter", 2), ("NotPermitted", 1), ("UnknownQuestion", 1),
    ("UnknownPerson", 1), ("ContentChanged", 1), ("KeyConflict", 1), ("Surprise", 1), ("", 1),
  ])
  func `a refusal has its exit status`(name: String, code: Int32) {
    #expect(ExitCode(refusal: Refusal(name: "org.consentd.X.\(name)", parameters: [:])).rawValue == code)
  }
}

@Suite struct MessagesTests {
  private let hostile = "a\u{1B}[31m\nstate: approved\u{202E}\u{2028}"

  @Test func `every error of every interface has a sentence of its own`() throws {
    for role in SocketRole.allCases {
      for interface in try Contract.interfaces(on: role, isSandbox: true) {
        for error in interface.errors {
          let name = "\(interface.name).\(error.name)"
          let message = Messages.refused(Refusal(name: name, parameters: [:]))
          #expect(!message.contains(error.name), "\(name) has no sentence")
          #expect(!message.contains("\n"))
        }
      }
    }
  }

  @Test func `no field of an error breaks the line`() {
    for name in ["NotPermitted", "InvalidValue", "UnknownPerson", "AlreadyDecided", "NotAvailable", "Odd\u{1B}\n"] {
      var parameters: JSONObject = [:]
      for field in ["reason", "field", "rule", "person", "state"] { parameters[field] = .string(hostile) }
      let message = Messages.refused(Refusal(name: name, parameters: parameters))
      #expect(message.unicodeScalars.allSatisfy(TerminalText.shows))
    }
  }

  @Test func `no field of a setting reaches the terminal as more than text`() {
    var json: JSONObject = ["isDefault": true, "choices": [.string(hostile)]]
    for field in ["person", "app", "setting", "value", "setBy"] { json[field] = .string(hostile) }
    let odd = PersonSetting(json: json)
    var resource = json
    resource["setting"] = .string("resource/\(hostile)")
    let lines =
      Messages.settings([odd], plain) + Messages.settingChanged(odd)
      + Messages.settingChanged(PersonSetting(json: resource))
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy(TerminalText.shows) })
  }

  @Test(
    arguments: [
      ("neverAsk", "true"), ("neverAsk", "false"), ("guardianRule", "any"), ("guardianRule", "all"),
      ("resource/a.b", "approved"), ("resource/a.b", "denied"), ("resource/a.b", "restricted"),
      ("resource/a.b", "notDetermined"),
    ])
  func `a change says what it means`(setting: String, value: String) {
    let lines = Messages.settingChanged(
      PersonSetting(json: ["person": "uid:5001", "setting": .string(setting), "value": .string(value)]))
    #expect(lines[0].hasPrefix("\(setting) of uid:5001 is \(value): "))
  }

  @Test func `no field of a card reaches the terminal as more than text`() throws {
    var card: JSONObject = ["timesAsked": 2, "choices": [["choice": .string(hostile), "title": .string(hostile)]]]
    for field in ["question", "person", "app", "provenance", "topicKey", "ifDenied", "state"] {
      card[field] = .string(hostile)
    }
    card["topic"] = [
      "kind": "communication", "description": .string(hostile), "purpose": .string(hostile),
      "disclosureURL": .string(hostile), "reasons": [.string(hostile)], "actions": [.string(hostile)],
      "people": [["handle": .string(hostile), "kind": .string(hostile), "name": .string(hostile)]],
    ]
    let lines =
      Messages.card(Card(json: card), plain) + Messages.pending([Card(json: card)], plain)
      + Messages.change(QuestionChange(json: ["change": .string(hostile), "question": .object(card)]), plain)
    for line in lines { #expect(line.unicodeScalars.allSatisfy(TerminalText.shows)) }
    #expect(lines.count { $0.hasPrefix("state:") } == 1)
  }

  @Test(arguments: ["Topic", "EarlierChange"])
  func `every text of the contract's topic is shown before it is answered`(type: String) throws {
    let guardian = try #require(
      try Contract.interfaces(on: .guardians, isSandbox: false).first { $0.name == Contract.guardian })
    guard case .structure(let fields)? = guardian.types.first(where: { $0.name == type })?.type else {
      Issue.record("there is no \(type)")
      return
    }
    let others = type == "Topic" ? ["kind", "change", "resource", "people", "earlier"] : ["denied"]
    for field in fields where !others.contains(field.name) {
      let text: JSON = "shown to be read"
      let isList = field.type == .nullable(.array(.string))
      var topic: JSONObject = [:]
      topic[field.name] = isList ? [text] : text
      if type == "EarlierChange" { topic = ["earlier": [.object(topic)]] }
      let lines = Messages.card(Card(json: ["topic": .object(topic)]), plain)
      #expect(lines.contains { $0.contains("shown to be read") }, "\(field.name) is not shown")
    }
  }

  @Test func `a change that was denied before is marked on the card`() {
    let changes: JSON = [["change": "1.0", "denied": true], ["change": "1.1"]]
    let lines = Messages.card(Card(json: ["topic": ["kind": "significantUpdate", "earlier": changes]]), plain)
    #expect(lines.contains("earlier change: 1.0 (denied before)"))
    #expect(lines.contains("earlier change: 1.1"))
  }

  @Test(
    arguments: [
      (["app": "a.b", "provenance": "registered"], "a.b (registered by the administrator)", "a.b (registered)"),
      (
        ["app": "a.b", "provenance": "registered", "names": ["": "Chat"]],
        "Chat (a.b, registered by the administrator)", "a.b (registered)"
      ),
      (
        ["app": "a.b", "provenance": "claimed"], "a.b (so it says itself; any program of this user could)",
        "a.b (so it says)"
      ),
      (
        ["app": "a.b", "provenance": "claimed", "names": ["": "Bank"]],
        "a.b (so it says itself; any program of this user could)", "a.b (so it says)"
      ),
      (["provenance": "unidentified"], "a program that gave no name (any program of this user could)", "–"),
      (["app": "a.b", "provenance": "certified"], "a.b (certified)", "a.b (certified)"),
    ] as [(JSONObject, String, String)])
  func `what an app's name is worth stands beside it`(card: JSONObject, text: String, short: String) {
    #expect(Messages.card(Card(json: card), plain).contains("from: \(text)"))
    #expect(Messages.pending([Card(json: card)], plain).last?.contains(short) == true)
  }

  @Test(
    arguments: [
      (nil, "Chat"), ("en-GB", "Chat"), ("de", "Plausch"), ("de-AT", "Plausch"), ("DE-at-1996", "Plausch"),
      ("pt-BR", "Papo"), ("pt", "Chat"), ("", "Chat"), ("d", "Chat"),
    ] as [(String?, String)])
  func `a name is shown in the reader's language, or everybody's`(language: String?, name: String) {
    let card = Card(json: ["names": ["en": "Chat", "de": "Plausch", "pt-BR": "Papo"]])
    #expect(card.displayName(for: language) == name)
    #expect(Card(json: ["names": ["": "All", "en": "Chat"]]).displayName(for: "fr") == "All")
    #expect(Card(json: [:]).displayName(for: language) == nil)
  }

  @Test func `once is suggested where it is offered`() {
    let once: JSONObject = ["question": "3f9c", "choices": [["choice": "approve"], ["choice": "approveOnce"]]]
    #expect(Messages.suggestion(Card(json: once)).contains("approve --once 3f9c (this once)"))
    #expect(!Messages.suggestion(Card(json: ["question": "3f9c"])).contains("--once"))
  }

  @Test func `an empty reply is shown and is no yes`() {
    let texts = [
      Messages.status(TopicStatus(json: [:])), Messages.decided(Decision([:]), plain), Messages.asked(Decision([:])),
      Messages.ageCheck(18, nil, AgeAnswer(json: [:])), Messages.ageRange(AgeAnswer(json: [:])),
      Messages.event(ConsentEvent(json: [:])), Messages.card(Card(json: [:]), plain).joined(),
    ]
    for text in texts {
      #expect(!text.contains("Go on"))
      #expect(!text.contains("yes"))
    }
  }

  @Test(
    arguments: [
      (["lowerBound": 13, "upperBound": 15], "13 to 15 years"), (["upperBound": 12], "12 years or younger"),
      (["lowerBound": 18], "18 years or older"),
    ] as [(JSONObject, String)])
  func `a range is told with inclusive bounds`(range: JSONObject, text: String) {
    #expect(Messages.ageRange(AgeAnswer(json: ["sharing": "shared", "range": .object(range)])) == text)
  }

  @Test func `who answered is shown by name, and an opaque name is not`() {
    func state(_ guardian: JSON) -> String? {
      let decision: JSON = ["evidence": ["guardian": guardian]]
      return Messages.card(Card(json: ["state": "denied", "decision": decision]), plain).first { $0.hasPrefix("state") }
    }
    #expect(state("uid:0") == "state: denied, by root")
    #expect(state("0123456789abcdef") == "state: denied")
  }

  @Test func `what a change tells programs has what an answer needs at its top`() {
    let card: JSONObject = [
      "question": "3f9c", "contentHash": "ab", "choices": [["choice": "deny"]], "state": "denied",
    ]
    let change = QuestionChange(json: ["change": "removed", "question": .object(card), "reason": "denied"])
    #expect(
      WatchCommand.object(change) == [
        "change": "removed", "question": "3f9c", "contentHash": "ab", "choices": [["choice": "deny"]],
        "reason": "denied", "card": .object(card),
      ])
    #expect(WatchCommand.object(QuestionChange(json: ["change": "ready"])) == ["change": "ready"])
  }

  private var plain: Output { Output(json: nil) }
}

@Suite struct BackOffTests {
  @Test func `a daemon that is back is seen within a second at first, then within half a minute`() {
    var backOff = BackOff()
    let waits = (0..<20).map { _ in backOff.next() }
    #expect(waits[..<4] == [250_000, 500_000, 1_000_000, 1_000_000])
    #expect(waits[..<10].allSatisfy { $0 <= 1_000_000 })
    #expect(waits.last == 30_000_000)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 && $1 <= 2 * $0 })
  }
}
