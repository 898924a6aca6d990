// SPDX-License-Identifier: Apache-2.0
//
// The model itself against examples worked out by hand from the design: a model that is wrong proves nothing.

import Testing

@Suite struct YearModelTests {
  private static let mia = "uid:5001"
  private static let anna = "uid:5000"
  private static let ben = "uid:5002"
  private let chat = YearAsker(person: mia, app: "org.example.Chat")
  private let nameless = YearAsker(person: mia, app: nil)
  private let school = YearAsker(person: mia, app: "org.example.School")
  private var model = YearModel(
    now: 0, guardians: [mia: [anna, ben]], registered: ["org.example.School"])

  private mutating func say(_ choice: String, to question: Int?, by guardian: String = anna) throws -> YearReply {
    model.answer(try #require(question), YearAnswer(guardian: guardian, choice: choice))
  }

  private func cooling(until instant: Int64) -> YearReply { .error("CoolingDown", ["untilUSec": .instant(instant)]) }

  @Test mutating func `denials cost four hours, a day, a week and then always a week`() throws {
    let topic = YearTopic.resource("org.example.screenTime")
    for span in [4, 24, 168, 168] {
      let question = model.ask(chat, topic).question
      _ = try say("deny", to: question)
      let end = model.now + Int64(span) * YearModel.hour
      #expect(model.ask(chat, topic).reply == cooling(until: end))
      #expect(model.ask(nameless, topic).reply == cooling(until: end))
      #expect(model.ask(school, YearTopic.resource("org.example.other")).question != nil)
      model.pass(to: end)
    }
  }

  @Test mutating func `an approval starts afresh`() throws {
    let topic = YearTopic.resource("org.example.screenTime")
    for choice in ["deny", "approveOnce", "deny"] {
      _ = try say(choice, to: model.ask(chat, topic).question)
      if choice == "deny" {
        #expect(model.ask(chat, topic).reply == cooling(until: model.now + 4 * YearModel.hour))
        model.pass(to: model.now + 4 * YearModel.hour)
      }
    }
  }

  @Test mutating func `an expiry costs an hour, a withdrawal only where somebody had the question`() throws {
    let topic = YearTopic.talk(["Ann"], ["message"])
    let unseen = try #require(model.ask(chat, topic).question)
    _ = model.withdraw(unseen)
    let seen = try #require(model.ask(chat, topic).question)
    model.describe(seen)
    _ = model.withdraw(seen)
    #expect(model.ask(chat, topic).reply == cooling(until: YearModel.hour))
    model.pass(to: YearModel.hour)
    _ = model.ask(chat, topic, life: YearModel.hour)
    model.pass(to: 2 * YearModel.hour)
    #expect(model.ask(chat, topic).reply == cooling(until: 3 * YearModel.hour))
    #expect(
      model.log[chat]?.map(\.kind) == ["asked", "withdrawn", "asked", "delivered", "withdrawn", "asked", "expired"])
  }

  @Test mutating func `the eleventh question of a day waits until the first is a day old`() {
    for number in 0..<10 {
      #expect(model.ask(number % 2 == 0 ? chat : nameless, .resource("org.example.r\(number)")).question != nil)
      model.pass(to: model.now + YearModel.hour)
    }
    #expect(model.ask(chat, .resource("org.example.more")).reply == cooling(until: YearModel.day))
    #expect(model.ask(chat, .resource("org.example.r0")).question == 0)
    #expect(model.ask(school, .resource("org.example.more")).question != nil)
    model.pass(to: YearModel.day)
    #expect(model.ask(chat, .resource("org.example.more")).question != nil)
  }

  @Test mutating func `changes gather and one yes approves them all`() throws {
    let one = try #require(model.ask(chat, .update("1")).question)
    _ = try say("deny", to: one)
    let two = try #require(model.ask(chat, .update("2")).question)
    #expect(model.questions[two].earlier == [.init(topic: .update("1"), denied: true)])
    #expect(model.ask(chat, .update("3")).question == nil)
    #expect(model.ask(chat, .update("1")).question == two)
    model.pass(to: 4 * YearModel.hour)
    let three = try #require(model.ask(chat, .update("3")).question)
    #expect(model.questions[two].state == "superseded" && model.questions[two].successor == three)
    #expect(model.questions[three].items == ["1", "2", "3"])
    _ = try say("approve", to: three)
    for change in ["1", "2", "3"] {
      #expect(
        model.status(chat, .update(change))
          == .reply([
            "status": .text("approved"), "nextAction": .text("proceed"), "grant": .grant(0), "untilUSec": .absent,
          ]))
    }
    #expect(model.questions[one].state == "denied")
  }

  @Test mutating func `under all the last approval ends it with the narrowest of them`() throws {
    model.set(YearModelTests.mia, "", "guardianRule", "all")
    let question = try #require(model.ask(chat, .talk(["Ann"], ["message", "videoCall"])).question)
    _ = model.answer(
      question, YearAnswer(guardian: YearModelTests.anna, choice: "approveUntil", until: YearModel.day))
    #expect(model.questions[question].isOpen)
    _ = model.answer(
      question, YearAnswer(guardian: YearModelTests.ben, choice: "approve", items: ["Ann|message"]))
    #expect(model.questions[question].reason == "narrowed")
    #expect(model.grants[0].items == ["Ann|message"] && model.grants[0].until == YearModel.day)
    model.pass(to: YearModel.day)
    #expect(model.log[chat]?.map(\.kind) == ["asked", "decided", "granted", "grantEnded"])
  }

  @Test mutating func `guardians who approve different things have not agreed`() throws {
    model.set(YearModelTests.mia, "", "guardianRule", "all")
    let question = try #require(model.ask(chat, .talk(["Ann"], ["message", "videoCall"])).question)
    for (guardian, item) in [(YearModelTests.anna, "Ann|message"), (YearModelTests.ben, "Ann|videoCall")] {
      _ = model.answer(question, YearAnswer(guardian: guardian, choice: "approve", items: [item]))
    }
    #expect(model.questions[question].state == "denied" && model.questions[question].reason == "disagreed")
  }

  @Test mutating func `the vote that is left decides when a guardian goes`() throws {
    model.set(YearModelTests.mia, "", "guardianRule", "all")
    let question = try #require(model.ask(chat, .update("1")).question)
    _ = try say("approve", to: question)
    model.setGuardians(YearModelTests.mia, [YearModelTests.anna])
    #expect(model.questions[question].state == "approved")
    let other = try #require(model.ask(chat, .update("2")).question)
    model.setGuardians(YearModelTests.mia, [YearModelTests.anna, YearModelTests.ben])
    _ = try say("approve", to: other, by: YearModelTests.ben)
    model.setGuardians(YearModelTests.mia, [YearModelTests.anna])
    #expect(model.questions[other].isOpen && model.questions[other].votes.isEmpty)
  }

  @Test mutating func `what was taken back may be asked at once`() throws {
    let topic = YearTopic.talk(["Ann"], ["message"])
    for round in 0..<3 {
      _ = try say("approve", to: model.ask(chat, topic).question)
      #expect(model.revoke { _ in true } == [round])
      #expect(
        model.status(chat, topic)
          == .reply([
            "status": .text("denied"), "reason": .text("revoked"), "nextAction": .text("ask"), "untilUSec": .absent,
          ]))
    }
    let round = ["asked", "decided", "granted", "revoked"]
    #expect(model.log[chat]?.map(\.kind) == round + round + round)
  }

  @Test mutating func `a key finds its question for two days, and one of another topic is a conflict`() throws {
    let question = model.ask(chat, .update("1"), key: "k").question
    _ = try say("approve", to: question)
    #expect(model.ask(chat, .update("1"), key: "k").question == question)
    #expect(model.ask(chat, .update("2"), key: "k").reply == .error("KeyConflict"))
    model.pass(to: 2 * YearModel.day)
    #expect(model.ask(chat, .update("2"), key: "k").question == 1)
  }
}
