// SPDX-License-Identifier: Apache-2.0
//
// Changes of one app gather in one question: an answer covers exactly what its card showed, callers of the questions it
// took the place of go on with it, and a change that was denied is listed again and stays denied until somebody says
// yes. Row 22 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct GatheringTests {
  private let family: Family

  init() throws {
    family = try Family()
  }

  private func changes(of question: String) throws -> [String?] {
    try family.card(question).member("topic")["earlier"]?.array?.map { $0.object?["change"]?.string } ?? []
  }

  @Test func `a later change takes the open ones along, and one yes approves them all`() throws {
    let one = try family.question(.update("1.0", "Adds chat."))
    let two = try family.question(.update("2.0", "Adds voice rooms."))
    let three = try family.question(.update("3.0", "Adds shops."))
    #expect(try family.statistics()["openQuestions"] == 1)
    #expect(try changes(of: three) == ["1.0", "2.0"])
    let earlier = try family.card(three).member("topic").list("earlier")
    #expect(earlier.map { $0["description"] } == ["Adds chat.", "Adds voice rooms."])
    for (old, next) in [(one, two), (two, three)] {
      #expect(try family.look(old)["state"] == "superseded")
      #expect(try family.look(old)["successor"] == .string(next))
    }
    for change in ["1.0", "2.0", "3.0"] {
      let status = try family.status(.update(change))
      #expect(status["status"] == "pending" && status["question"] == .string(three))
    }
    try family.answer(three, "approve")
    for change in ["1.0", "2.0", "3.0"] {
      #expect(try family.status(.update(change))["status"] == "approved")
      #expect(try family.ask(.update(change))["state"] == "approved")
    }
    #expect(try family.status(.update("4.0"))["status"] == "notDetermined")
  }

  @Test func `who waited for one change goes on with the question that took its place`() throws {
    let first = try family.requester(.update("1.0"))
    let second = try family.requester(.update("2.0"))
    let third = try family.requester(.update("3.0"))
    #expect(try family.statistics()["waiters"] == 3)
    let open = try family.desk.guardian("ListQuestions").list("questions")
    #expect(open.count == 1 && open.first?["waiters"] == 3)
    let question = try open[0].text("question")
    #expect(try family.answer(question, "deny")["waitersResumed"] == 3)
    for caller in [first, second, third] {
      let told = try caller.receiveAnswer()
      #expect(told["state"] == "denied" && told["question"] == .string(question))
    }
  }

  @Test func `who waited for what the successor does not ask is told so`() throws {
    let more = try family.requester(.talk(with: ["Ann"], by: ["message", "videoCall"]))
    let less = try family.question(.talk(with: ["Ann"], by: ["message"]))
    let told = try more.receiveAnswer()
    #expect(told["state"] == "superseded" && told["successor"] == .string(less))
    try family.settle(waiters: 0)
  }

  @Test func `a wait that comes after its question was taken along is told at once where it went`() throws {
    let one = try family.question(.update("1.0"))
    let two = try family.question(.update("2.0"))
    let told = try family.app.permission("Await", ["question": .string(one)])
    #expect(told["state"] == "superseded" && told["successor"] == .string(two))
  }

  @Test func `the hash of the card before covers nothing of the next`() throws {
    let one = try family.question(.update("1.0"))
    let hash = try family.card(one)["contentHash"] ?? ""
    let two = try family.question(.update("2.0"))
    let late = #expect(throws: CallError.self) { try family.answer(one, "approve", ["contentHash": hash]) }
    #expect(late?.name == "\(Interface.guardian).AlreadyDecided")
    let other = #expect(throws: CallError.self) { try family.answer(two, "approve", ["contentHash": hash]) }
    #expect(other?.name == "\(Interface.guardian).ContentChanged")
    for change in ["1.0", "2.0"] { #expect(try family.status(.update(change))["status"] == "pending") }
    try family.answer(two, "approve", ["contentHash": family.card(two)["contentHash"] ?? ""])
    #expect(try family.status(.update("1.0"))["status"] == "approved")
  }

  @Test func `a denied change is listed again, and stays denied until somebody says yes`() throws {
    let one = try family.question(.update("1.0"))
    try family.answer(one, "deny")
    let two = try family.question(.update("2.0"))
    let earlier = try family.card(two).member("topic").list("earlier")
    #expect(earlier.map { $0["change"] } == ["1.0"])
    #expect(earlier.first?["denied"] == true)
    #expect(try family.look(one)["state"] == "denied")
    try family.answer(two, "deny")
    let three = try family.question(.update("3.0"))
    #expect(try changes(of: three) == ["1.0", "2.0"])
    try family.answer(three, "approve")
    for change in ["1.0", "2.0", "3.0"] { #expect(try family.status(.update(change))["status"] == "approved") }
    #expect(try family.look(one)["state"] == "denied")
    #expect(try changes(of: family.question(.update("4.0"))) == [])
  }

  @Test func `a denied change that is listed again is pending`() throws {
    try family.answer(family.question(.update("1.0")), "deny")
    let two = try family.question(.update("2.0"))
    let status = try family.status(.update("1.0"))
    #expect(status["status"] == "pending" && status["nextAction"] == "wait" && status["question"] == .string(two))
    try family.answer(two, "deny")
    #expect(try family.status(.update("1.0"))["status"] == "denied")
  }

  @Test func `the same change again joins the question that took it along`() throws {
    try family.ask(.update("1.0", "Adds chat."))
    let two = try family.question(.update("2.0"))
    let again = try family.ask(.update("1.0", "Adds chat."))
    #expect(again["joined"] == true && again["question"] == .string(two))
    let other = try family.ask(.update("1.0", "Adds chat and shops."))
    #expect(other["joined"] == false)
    let card = try family.card(other.text("question"))
    #expect(try card.member("topic")["change"] == "1.0")
    #expect(try changes(of: card.text("question")) == ["2.0"])
  }

  @Test func `what an app says of earlier changes is refused`() throws {
    let topic = JSONObject.update("2.0").with([
      "earlier": [["change": "1.0", "reasons": ["functionality"], "description": "Adds chat."]]
    ])
    let refusal = #expect(throws: CallError.self) { try family.ask(topic) }
    #expect(refusal?.name == "\(Interface.permission).InvalidTopic")
    #expect(refusal?.parameters["field"] == "earlier")
  }

  @Test func `what two apps change does not gather`() throws {
    let one = try family.question(.update("1.0"), ["app": "org.example.Chat"])
    let two = try family.question(.update("2.0"), ["app": "org.example.Game"])
    for question in [one, two] { #expect(try family.look(question)["state"] == "pending") }
    #expect(try changes(of: two) == [])
  }

  @Test func `sixty changes in a row stay one question that any companion can read`() throws {
    let caller = try family.requester(.update("change-0"))
    for number in 1..<60 { try family.ask(.update("change-\(number)", String(repeating: "ä", count: 1_000))) }
    #expect(try family.statistics()["openQuestions"] == 1)
    #expect(try caller.receiveAnswer()["state"] == "superseded")
    let open = try family.desk.guardian("ListQuestions").list("questions")
    let earlier = try open[0].member("topic").list("earlier").map { $0["change"] }
    #expect(earlier == (43..<59).map { .string("change-\($0)") })
    try family.answer(open[0].text("question"), "approve")
    #expect(try family.status(.update("change-43"))["status"] == "approved")
    #expect(try family.status(.update("change-42"))["status"] != "approved")
  }
}
