// SPDX-License-Identifier: Apache-2.0
//
// Asking: one question for one topic however often it is put, a key that finds it again, and what an approval covers
// the next time. Rows 1, 10 and 11 of the scenarios.

import StrictJSON
import TestSupport
import Testing

@Suite struct AskTests {
  @Test func `an ask makes one pending question and says what to do next`() throws {
    let family = try Family()
    let reply = try family.ask(.update("2.0"))
    #expect(try reply.text("question").utf8.count == 32)
    #expect(try reply.text("question").utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    #expect(reply["topicKey"] == "significantUpdate/2.0")
    #expect(reply["state"] == "pending")
    #expect(reply["nextAction"] == "wait")
    #expect(reply["joined"] == false)
    #expect(reply["reach"] == "none")
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test func `a question lives thirty days unless the ask says otherwise`() throws {
    let family = try Family()
    let now = try family.advance(0)
    let standard = try family.ask(.update("2.0")).number("expiresAtUSec")
    #expect((29 * Family.day...31 * Family.day).contains(standard - now))
    let short = try family.ask(.update("3.0"), ["expiresInUSec": .integer(Family.hour)]).number("expiresAtUSec")
    #expect((Family.hour...2 * Family.hour).contains(short - now))
  }

  @Test func `two requests for one topic at once share one question and both go on`() throws {
    let family = try Family()
    let one = try family.daemon.apps()
    let two = try family.daemon.apps()
    for caller in [one, two] { try caller.send("\(Interface.permission).Request", family.asking(.update("2.0"))) }
    try family.settle(waiters: 2)
    let open = try family.desk.guardian("ListQuestions").list("questions")
    #expect(open.count == 1)
    #expect(open.first?["waiters"] == 2)
    let question = try #require(open.first).text("question")
    #expect(try family.answer(question, "approve")["waitersResumed"] == 2)
    let replies = try [one, two].map { try $0.receiveAnswer() }
    #expect(replies.allSatisfy { $0["state"] == "approved" && $0["question"] == .string(question) })
    #expect(Set(replies.map { $0["joined"]?.bool }) == [true, false])
  }

  @Test func `a hundred identical asks are one question and one notification`() throws {
    let family = try Family()
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let callers = try (0..<100).map { _ in try family.daemon.apps() }
    for caller in callers { try caller.send("\(Interface.permission).Request", family.asking(.update("2.0"))) }
    try family.settle(waiters: 100)
    #expect(try family.statistics()["openQuestions"] == 1)
    let added = try watch.next(change: "added").member("question")
    #expect(try family.answer(added.text("question"), "approve")["waitersResumed"] == 100)
    let replies = try callers.map { try $0.receiveAnswer() }
    #expect(replies.allSatisfy { $0["state"] == "approved" && $0["question"] == added["question"] })
    #expect(replies.filter { $0["joined"] == false }.count == 1)
    #expect(try watch.next(change: "removed").member("question")["question"] == added["question"])
    #expect(try family.statistics()["waiters"] == 0)
  }

  @Test func `a later change takes the pending one along, with whoever waits for it`() throws {
    let family = try Family()
    let requester = try family.requester(.update("2.0"))
    let first = try family.question(.update("2.0"))
    let waiter = try family.waiter(for: first)
    let second = try family.question(.update("3.0"))
    #expect(first != second)
    #expect(try family.statistics()["openQuestions"] == 1)
    #expect(try family.look(first)["successor"] == .string(second))
    try family.answer(second, "approve")
    for client in [requester, waiter] {
      let decision = try client.receiveAnswer()
      #expect(decision["question"] == .string(second) && decision["state"] == "approved")
    }
    #expect(try family.status(.update("2.0"))["status"] == "approved")
  }

  @Test func `neither a fresh key nor fresh words get around a wait or the day's budget`() throws {
    let configuration = "{coolDowns: {newQuestionsPerDay: 2}}"
    let family = try Family(daemon: try Daemon.sandbox(configuration: configuration))
    try family.answer(family.question(.resource()), "deny")
    let words = JSONObject.resource().with(["purpose": "Other words."])
    for topic in [JSONObject.resource(), words] {
      for more in [[:], ["key": "fresh"]] as [JSONObject] {
        let error = #expect(throws: CallError.self) {
          try family.app.permission("Ask", family.asking(topic).with(more))
        }
        #expect(error?.name == "\(Interface.permission).CoolingDown")
      }
    }
    #expect(try family.status(.resource())["nextAction"] == "askLater")
    _ = try family.question(.update("2.0"))
    let spent = #expect(throws: CallError.self) { try family.ask(.update("3.0")) }
    #expect(spent?.name == "\(Interface.permission).CoolingDown")
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test func `two apps that ask the same thing have a question each`() throws {
    let family = try Family()
    let chat = try family.question(.update("2.0"), ["app": "org.example.Chat"])
    let game = try family.question(.update("2.0"), ["app": "org.example.Game"])
    let nobody = try family.question(.update("2.0"))
    #expect(Set([chat, game, nobody]).count == 3)
    try family.answer(chat, "approve")
    #expect(try family.status(.update("2.0"), ["app": "org.example.Chat"])["status"] == "approved")
    #expect(try family.status(.update("2.0"), ["app": "org.example.Game"])["status"] == "pending")
  }

  @Test func `names that look alike are different topics`() throws {
    let family = try Family()
    let names = ["\u{212A}", "K", "e\u{301}", "\u{e9}"].map { "name \($0)" }
    let questions = try names.map { try family.question(.talk(with: [$0])) }
    #expect(Set(questions).count == 4)
  }

  @Test func `a join keeps the later deadline and never shortens it`() throws {
    let family = try Family()
    let first = try family.ask(.update("2.0"), ["expiresInUSec": .integer(2 * Family.day)])
    let longer = try family.ask(.update("2.0"), ["expiresInUSec": .integer(5 * Family.day)])
    #expect(longer["joined"] == true)
    #expect(longer["question"] == first["question"])
    #expect(try longer.number("expiresAtUSec") > first.number("expiresAtUSec"))
    let shorter = try family.ask(.update("2.0"), ["expiresInUSec": .integer(Family.hour)])
    #expect(shorter["joined"] == true)
    #expect(shorter["expiresAtUSec"] == longer["expiresAtUSec"])
    try family.advance(3 * Family.day)
    #expect(try family.look(first.text("question"))["state"] == "pending")
  }

  @Test(arguments: ["approve", "deny"])
  func `after the end the next ask is not hidden by the old question`(choice: String) throws {
    let family = try Family()
    let topic = JSONObject.resource("org.example.install")
    let first = try family.question(topic)
    try family.answer(first, choice == "approve" ? "approveOnce" : "deny")
    let second = try family.ask(topic)
    #expect(second["state"] == "pending")
    #expect(second["joined"] == false)
    #expect(second["question"] != .string(first))
    #expect(try family.card(second.text("question"))["timesAsked"] == 2)
  }

  @Test func `an approval covers the next ask for the same thing`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let grant = try family.answer(question, "approve").member("decision").text("grant")
    let again = try family.ask(.update("2.0"))
    #expect(again["state"] == "approved")
    #expect(again["nextAction"] == "proceed")
    #expect(again["grant"] == .string(grant))
    #expect(again["question"] == nil)
    let request = try family.app.permission("Request", family.asking(.update("2.0")))
    #expect(request["state"] == "approved")
    #expect(request["grant"] == .string(grant))
    #expect(try family.statistics()["openQuestions"] == 0)
  }

  @Test func `other words about an approved change need no new yes`() throws {
    let family = try Family()
    try family.answer(family.question(.update("2.0")), "approve")
    #expect(try family.ask(.update("2.0", "Other words."))["state"] == "approved")
    #expect(try family.ask(.update("2.1"))["state"] == "pending")
  }

  @Test func `a change without a name is named by its description`() throws {
    let family = try Family()
    let topic = JSONObject.update("x").without("change")
    let reply = try family.ask(topic)
    let key = try reply.text("topicKey")
    #expect(key.hasPrefix("significantUpdate/text:"))
    #expect(key.utf8.count == "significantUpdate/text:".utf8.count + 32)
    #expect(try family.ask(topic)["question"] == reply["question"])
    #expect(try family.status(topic)["question"] == reply["question"])
    #expect(try family.ask(topic.with(["description": "Adds video."]))["question"] != reply["question"])
  }
}

@Suite struct SupersessionTests {
  @Test func `other content under the same key takes the place of the open question`() throws {
    let family = try Family()
    let first = try family.question(.talk(with: ["Ann"], by: ["message", "call"]))
    let waiter = try family.waiter(for: first)
    let second = try family.ask(.talk(with: ["Ann"]))
    #expect(second["joined"] == false)
    #expect(second["question"] != .string(first))
    let decision = try waiter.receiveAnswer()
    #expect(decision["state"] == "superseded")
    #expect(decision["successor"] == second["question"])
    #expect(decision["choice"] == nil)
    #expect(try family.look(first) == decision)
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test func `a superseded question takes no answer and its successor does`() throws {
    let family = try Family()
    let first = try family.question(.update("2.0", "Adds voice rooms."))
    let second = try family.question(.update("2.0", "Adds voice rooms and shops."))
    let refusal = #expect(throws: CallError.self) { try family.answer(first, "approve") }
    #expect(refusal?.name == "\(Interface.guardian).AlreadyDecided")
    #expect(refusal?.parameters["state"] == "superseded")
    #expect(try family.status(.update("2.0"))["status"] == "pending")
    #expect(try family.status(.update("2.0"))["question"] == .string(second))
    #expect(try family.answer(second, "deny")["state"] == "denied")
    #expect(try family.status(.update("2.0"))["status"] == "denied")
  }

  @Test func `a companion sees the old card go and the new one come`() throws {
    let family = try Family()
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let first = try family.question(.update("2.0", "Adds voice rooms."))
    #expect(try watch.next(change: "added").member("question")["question"] == .string(first))
    let second = try family.question(.update("2.0", "Adds voice rooms and shops."))
    let changes = try [watch.next(), watch.next()]
    let removed = changes.first { $0["change"] == "removed" }
    let added = changes.first { $0["change"] == "added" }
    #expect(try removed?.member("question")["question"] == .string(first))
    #expect(removed?["reason"] == "superseded")
    #expect(try added?.member("question")["question"] == .string(second))
  }

  @Test func `a refused successor leaves the open question as it is`() throws {
    let family = try Family()
    let first = try family.question(.update("2.0"))
    let bad = JSONObject.update("2.0", "")
    #expect(throws: CallError.self) { try family.ask(bad) }
    #expect(throws: CallError.self) { try family.ask(.update("2.0", "Other."), ["expiresInUSec": 1]) }
    #expect(try family.look(first)["state"] == "pending")
  }
}

@Suite struct KeyTests {
  @Test func `the same key gives the same question again`() throws {
    let family = try Family()
    let first = try family.ask(.update("2.0"), ["key": "install-17"])
    let again = try family.ask(.update("2.0"), ["key": "install-17"])
    #expect(again["question"] == first["question"])
    #expect(again["joined"] == true)
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test func `the same key gives an ended question as it ended`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"), ["key": "k"])
    try family.answer(question, "deny")
    let again = try family.ask(.update("2.0"), ["key": "k"])
    #expect(again["question"] == .string(question))
    #expect(again["state"] == "denied")
    #expect(again["nextAction"] == "ask")
    #expect(try family.statistics()["openQuestions"] == 0)
    let request = try family.app.permission("Request", family.asking(.update("2.0"), ["key": "k"]))
    #expect(request["question"] == .string(question))
    #expect(request["state"] == "denied")
    #expect(request["choice"] == "deny")
  }

  @Test(arguments: [JSONObject.update("2.0", "Other words."), .update("3.0"), .resource()])
  func `a key that was used for something else is a conflict`(other: JSONObject) throws {
    let family = try Family()
    let question = try family.question(.update("2.0"), ["key": "k"])
    let refusal = #expect(throws: CallError.self) { try family.ask(other, ["key": "k"]) }
    #expect(refusal == CallError("\(Interface.permission).KeyConflict"))
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.statistics()["openQuestions"] == 1)
  }

  @Test func `a key belongs to its asker and its person`() throws {
    let family = try Family()
    try family.desk.administration("AddPerson", ["person": "uid:5009"])
    try family.desk.administration("AddGuardian", ["person": "uid:5009", "guardian": "uid:5000"])
    let first = try family.question(.update("2.0"), ["key": "k"])
    let app = try family.question(.update("3.0"), ["key": "k", "app": "org.example.Chat"])
    let person = try family.question(.update("4.0"), ["key": "k", "person": "uid:5009"])
    #expect(Set([first, app, person]).count == 3)
  }

  @Test func `a key is forgotten after forty-eight hours`() throws {
    let family = try Family()
    let first = try family.question(.update("2.0"), ["key": "k"])
    try family.answer(first, "deny")
    try family.advance(47 * Family.hour)
    #expect(try family.ask(.update("2.0"), ["key": "k"])["question"] == .string(first))
    try family.advance(2 * Family.hour)
    let later = try family.ask(.update("2.0"), ["key": "k"])
    #expect(later["question"] != .string(first))
    #expect(later["state"] == "pending")
  }

  @Test func `a key outlives a kill`() throws {
    let family = try Family()
    let question = try family.question(.talk(with: ["Ann", "Bob"]), ["key": "k"])
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.ask(.talk(with: ["Ann", "Bob"]), ["key": "k"])["question"] == .string(question))
  }
}
