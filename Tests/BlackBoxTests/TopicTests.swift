// SPDX-License-Identifier: Apache-2.0
//
// The kinds of topic: what an approval of each gives, and what it does not. A yes to `message` is no yes to
// `videoCall`, and a yes for one handle is none for another.

import StrictJSON
import TestSupport
import Testing

@Suite struct TopicTests {
  @Test func `a yes to messages is no yes to video calls`() throws {
    let family = try Family()
    try family.answer(family.question(.talk(with: ["Ann"])), "approve")
    #expect(try family.status(.talk(with: ["Ann"]))["status"] == "approved")
    #expect(try family.status(.talk(with: ["Ann"], by: ["videoCall"]))["status"] != "approved")
    let more = try family.ask(.talk(with: ["Ann"], by: ["message", "videoCall"]))
    #expect(more["state"] == "pending")
    #expect(more["grant"] == nil)
    try family.answer(more.text("question"), "approve")
    for actions in [["videoCall"], ["message"], ["videoCall", "message"]] {
      #expect(try family.ask(.talk(with: ["Ann"], by: actions))["state"] == "approved")
    }
  }

  @Test func `a yes for two handles covers each of them and nobody else`() throws {
    let family = try Family()
    try family.answer(family.question(.talk(with: ["Ann", "Bob"], by: ["message", "audioCall"])), "approve")
    #expect(try family.ask(.talk(with: ["Bob"], by: ["audioCall"]))["state"] == "approved")
    #expect(try family.ask(.talk(with: ["Bob", "Ann"]))["state"] == "approved")
    #expect(try family.ask(.talk(with: ["Ann", "Eve"]))["state"] == "pending")
    #expect(try family.ask(.talk(with: ["ann"]))["state"] == "pending")
  }

  @Test func `two approvals together cover what neither covers alone`() throws {
    let family = try Family()
    try family.answer(family.question(.talk(with: ["Ann"])), "approve")
    try family.answer(family.question(.talk(with: ["Bob"])), "approve")
    #expect(try family.ask(.talk(with: ["Ann", "Bob"]))["state"] == "approved")
  }

  @Test func `the key of a conversation hides the handles and knows no order`() throws {
    let family = try Family()
    let one = try family.ask(.talk(with: ["Ann", "Bob"]))
    let key = try one.text("topicKey")
    #expect(key.hasPrefix("communication/"))
    #expect(!key.contains("Ann") && !key.contains("Bob"))
    #expect(try family.status(.talk(with: ["Bob", "Ann"]))["topicKey"] == .string(key))
    #expect(try family.status(.talk(with: ["Ann"]))["topicKey"] != .string(key))
    let elsewhere = try Family()
    #expect(try elsewhere.ask(.talk(with: ["Ann", "Bob"]))["topicKey"] != .string(key))
  }

  @Test func `more actions for the same handles take the open question's place`() throws {
    let family = try Family()
    let first = try family.question(.talk(with: ["Ann"]))
    let second = try family.question(.talk(with: ["Ann"], by: ["message", "videoCall"]))
    #expect(try family.look(first)["state"] == "superseded")
    #expect(try family.look(first)["successor"] == .string(second))
  }

  @Test func `a resource offers this once, always and no`() throws {
    let family = try Family()
    let choices = try family.card(family.question(.resource())).list("choices")
    let answers = Dictionary(uniqueKeysWithValues: try choices.map { (try $0.text("choice"), try $0.text("answer")) })
    #expect(answers == ["approveOnce": "approval", "approve": "approval", "deny": "denial"])
    #expect(try choices.allSatisfy { try !$0.text("title").isEmpty })
  }

  @Test func `an update offers yes and no, a conversation also a yes for a time`() throws {
    let family = try Family()
    func choices(_ topic: JSONObject) throws -> [String] {
      try family.card(family.question(topic)).list("choices").map { try $0.text("choice") }
    }
    #expect(try choices(.update("2.0")) == ["approve", "deny"])
    #expect(try choices(.talk(with: ["Ann"])) == ["approve", "approveUntil", "deny"])
  }

  @Test func `approveOnce answers this question and keeps nothing`() throws {
    let family = try Family()
    let waiter = try family.requester(.resource())
    let question = try family.ask(.resource()).text("question")
    let decision = try family.answer(question, "approveOnce").member("decision")
    #expect(decision["state"] == "approved")
    #expect(decision["choice"] == "approveOnce")
    #expect(decision["grant"] == nil)
    #expect(try waiter.receiveAnswer()["nextAction"] == "proceed")
    let status = try family.status(.resource())
    #expect(status["status"] == "notDetermined")
    #expect(status["nextAction"] == "ask")
    #expect(try family.ask(.resource())["state"] == "pending")
  }

  @Test func `a resource approved for good stays approved`() throws {
    let family = try Family()
    try family.answer(family.question(.resource()), "approve")
    #expect(try family.status(.resource())["status"] == "approved")
    #expect(try family.ask(.resource())["state"] == "approved")
    #expect(try family.ask(.resource("org.example.install"))["state"] == "pending")
  }

  @Test func `every text of a topic is shown to the guardian as it was given`() throws {
    let family = try Family()
    let topic = JSONObject.update("2.0", "Räume 🎙️\nmit\tStimme.").with([
      "reasons": ["ageRating", "dataCategories", "functionality", "monetization"],
      "personDescription": "Du kannst reden.", "ifDenied": "staysOnOldVersion", "sinceVersion": "2.0.1",
      "disclosureURL": "https://example.org/2.0", "language": "de",
    ])
    let card = try family.card(family.question(topic, ["app": "org.example.Chat", "appVersion": "2.0.1"]))
    #expect(try card.member("topic") == topic)
    #expect(card["ifDenied"] == "staysOnOldVersion")
    #expect(card["app"] == "org.example.Chat")
    #expect(card["provenance"] == "claimed")
    #expect(card["decider"] == "guardians")
    let conversation = JSONObject.talk(with: ["+49 30 1234"]).with([
      "people": [["handle": "+49 30 1234", "kind": "phoneNumber", "name": "Oma"]]
    ])
    #expect(try family.card(family.question(conversation)).member("topic") == conversation)
  }

  @Test(arguments: [1, 999, 1_000])
  func `a text of up to a thousand characters is accepted`(count: Int) throws {
    let family = try Family()
    let text = String(repeating: "é", count: count)
    #expect(try family.ask(.update("2.0", text))["state"] == "pending")
  }
}

@Suite struct StatusTests {
  @Test func `the status of a topic follows its story`() throws {
    let family = try Family()
    let topic = JSONObject.update("2.0")
    #expect(try family.status(topic).story == ["notDetermined", "ask", nil])
    let first = try family.question(topic, ["expiresInUSec": .integer(Family.hour)])
    #expect(try family.status(topic).story == ["pending", "wait", .string(first)])
    try family.advance(2 * Family.hour)
    #expect(try family.status(topic).story == ["notDetermined", "ask", .string(first)])
    let second = try family.question(topic)
    try family.app.permission("Withdraw", ["question": .string(second)])
    #expect(try family.status(topic).story == ["notDetermined", "ask", .string(second)])
    let third = try family.question(topic)
    try family.answer(third, "deny")
    #expect(try family.status(topic).story == ["denied", "ask", .string(third)])
    let fourth = try family.question(topic)
    let grant = try family.answer(fourth, "approve").member("decision").text("grant")
    #expect(try family.status(topic).story == ["approved", "proceed", .string(fourth)])
    #expect(try family.status(topic)["grant"] == .string(grant))
  }

  @Test func `a status needs the subject alone`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    #expect(try family.status(["kind": "significantUpdate", "change": "2.0"])["question"] == .string(question))
    let talk = try family.question(.talk(with: ["Ann"]))
    let subject: JSONObject = ["kind": "communication", "people": [["handle": "Ann"]], "actions": ["message"]]
    #expect(try family.status(subject)["question"] == .string(talk))
    let resource = try family.question(.resource())
    let name: JSONObject = ["kind": "resource", "resource": "org.example.screenTime"]
    #expect(try family.status(name)["question"] == .string(resource))
  }

  @Test func `a status asks nobody and writes nothing`() throws {
    let family = try Family()
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let before = try family.statistics()
    for number in 0..<100 { #expect(try family.status(.update("change-\(number)"))["status"] == "notDetermined") }
    #expect(try family.statistics() == before)
    #expect(watch.client.isQuiet)
    #expect(try family.responses(["after": 0]).backlog() == [])
  }
}

extension JSONObject {
  /// Status, next action and question of a `GetStatus` reply.
  fileprivate var story: [JSON?] { [self["status"], self["nextAction"], self["question"]] }
}
