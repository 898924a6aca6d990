// SPDX-License-Identifier: Apache-2.0
//
// The guardian's side of the wire: the stream of changes, the list with its pages, one question in full, and how far a
// question has come.

import StrictJSON
import TestSupport
import Testing

@Suite struct WatchTests {
  @Test func `a companion gets what is open, then ready, then what comes`() throws {
    let family = try Family()
    let open = try [family.question(.own("2.0")), family.question(.own("3.0"))]
    let watch = try family.watch()
    let backlog = try watch.backlog()
    #expect(backlog.allSatisfy { $0["change"] == "added" })
    #expect(try backlog.map { try $0.member("question").text("question") } == open)
    let third = try family.question(.own("4.0"))
    #expect(try watch.next(change: "added").member("question")["question"] == .string(third))
    try family.answer(open[0], "deny")
    let removed = try watch.next(change: "removed")
    #expect(removed["reason"] == "denied")
    #expect(try removed.member("question")["question"] == .string(open[0]))
    #expect(try removed.member("question").member("decision")["choice"] == "deny")
  }

  @Test func `every companion is told who answered`() throws {
    let family = try Family(guardians: ["uid:5000", "uid:5002"])
    let watches = try (0..<3).map { _ in try family.watch() }
    for watch in watches { #expect(try watch.backlog() == []) }
    #expect(try family.statistics()["companions"] == 3)
    let question = try family.question(.own("2.0"))
    try family.answer(question, "approve", ["guardian": "uid:5002"])
    for watch in watches {
      #expect(try watch.next(change: "added").member("question")["question"] == .string(question))
      let removed = try watch.next(change: "removed").member("question")
      #expect(try removed.member("decision").member("evidence")["guardian"] == "uid:5002")
    }
  }

  @Test func `a companion may watch one person alone`() throws {
    let family = try Family()
    try family.desk.administration("AddPerson", ["person": "uid:5009"])
    try family.desk.administration("AddGuardian", ["person": "uid:5009", "guardian": "uid:5000"])
    let watch = try family.watch(["person": "uid:5009"])
    #expect(try watch.backlog() == [])
    try family.ask(.own("2.0"))
    let other = try family.question(.own("3.0"), ["person": "uid:5009"])
    #expect(try watch.next(change: "added").member("question")["question"] == .string(other))
  }

  @Test func `a companion that leaves answers nothing`() throws {
    let family = try Family()
    let watch = try family.watch()
    #expect(try watch.backlog() == [])
    let question = try family.question(.own("2.0"))
    watch.client.close()
    try family.settle("companions", 0)
    #expect(try family.look(question)["state"] == "pending")
    #expect(try family.watch().backlog().count == 1)
  }

  @Test func `a companion that comes back has the backlog at once`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    let first = try family.watch()
    #expect(try first.backlog().count == 1)
    try family.daemon.kill()
    #expect(try first.client.receive() == nil)
    try family.startAgain()
    let backlog = try family.watch().backlog()
    #expect(try backlog.map { try $0.member("question").text("question") } == [question])
  }
}

@Suite struct ListTests {
  @Test func `a list comes in pages, oldest first, each question once`() throws {
    let family = try Family()
    let questions = try (0..<25).map { try family.question(.own("change-\($0)")) }
    var found: [String] = []
    var after: JSONObject = [:]
    var pages = 0
    while pages < 10 {
      let page = try family.desk.guardian("ListQuestions", (["limit": 10] as JSONObject).with(after))
      found += try page.list("questions").map { try $0.text("question") }
      pages += 1
      guard let next = page["next"] else { break }
      after = ["after": next]
    }
    #expect(found == questions)
    #expect(pages == 3)
  }

  @Test func `a page that is just full has no successor with nothing on it`() throws {
    let family = try Family()
    for number in 0..<10 { try family.ask(.own("change-\(number)")) }
    let page = try family.desk.guardian("ListQuestions", ["limit": 10])
    #expect(try page.list("questions").count == 10)
    #expect(page["next"] == nil)
  }

  @Test func `a question that ends between two pages hides no other`() throws {
    let family = try Family()
    let questions = try (0..<6).map { try family.question(.own("change-\($0)")) }
    let first = try family.desk.guardian("ListQuestions", ["limit": 3])
    try family.answer(questions[1], "deny")
    try family.answer(questions[2], "deny")
    let second = try family.desk.guardian("ListQuestions", ["limit": 3, "after": .string(first.text("next"))])
    #expect(try second.list("questions").map { try $0.text("question") } == Array(questions[3...]))
  }

  @Test func `a list is empty and not absent where there is nothing`() throws {
    let family = try Family()
    #expect(try family.desk.guardian("ListQuestions") == ["questions": []])
    let people = try family.desk.administration("ListPeople").list("people")
    let person = try #require(people.first { $0["person"] == .string(Family.guardian) })
    #expect(person["guardians"] == [])
  }

  @Test func `a list is narrowed by person, app and state`() throws {
    let family = try Family()
    try family.desk.administration("AddPerson", ["person": "uid:5009"])
    try family.desk.administration("AddGuardian", ["person": "uid:5009", "guardian": "uid:5000"])
    let plain = try family.question(.own("2.0"))
    let chat = try family.question(.own("2.0"), ["app": "org.example.Chat"])
    let other = try family.question(.own("2.0"), ["person": "uid:5009"])
    let denied = try family.question(.own("3.0"))
    try family.answer(denied, "deny")
    #expect(try family.listed([:]) == [plain, chat, other])
    #expect(try family.listed(["person": .string(Family.person)]) == [plain, chat])
    #expect(try family.listed(["person": "uid:5009"]) == [other])
    #expect(try family.listed(["app": "org.example.Chat"]) == [chat])
    #expect(try family.listed(["state": "denied"]) == [denied])
    #expect(try family.listed(["state": "approved"]) == [])
  }

  @Test func `list, card and decision agree about a question that has ended`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    let decision = try family.answer(question, "approve").member("decision")
    let card = try family.card(question)
    let listed = try family.desk.guardian("ListQuestions", ["state": "approved"]).list("questions")
    #expect(listed == [card])
    #expect(card["state"] == "approved")
    #expect(try card.member("decision") == decision)
    #expect(card["canAnswer"] == false)
  }

  @Test func `a person nobody enrolled is unknown to the guardians' side`() throws {
    let family = try Family()
    for method in ["ListQuestions", "WatchQuestions", "DeclareAge"] {
      let parameters: JSONObject = ["person": "uid:5777"]
      try family.desk.send(
        "\(Interface.guardian).\(method)",
        method == "DeclareAge" ? parameters.with(["birthDate": "2014-03-05"]) : parameters,
        more: method == "WatchQuestions")
      let refusal = #expect(throws: CallError.self) { try family.desk.receiveAnswer() }
      #expect(refusal == CallError("\(Interface.guardian).UnknownPerson", ["person": "uid:5777"]))
    }
  }
}

@Suite struct ReachTests {
  @Test func `a list carries a question to the guardian, and opening it means it was seen`() throws {
    let family = try Family()
    let topic = JSONObject.own("2.0")
    let question = try family.question(topic)
    #expect(try family.ask(topic)["reach"] == "none")
    _ = try family.desk.guardian("ListQuestions")
    #expect(try family.ask(topic)["reach"] == "delivered")
    _ = try family.card(question)
    #expect(try family.ask(topic)["reach"] == "seen")
    _ = try family.desk.guardian("ListQuestions")
    #expect(try family.ask(topic)["reach"] == "seen")
  }

  @Test func `a companion that watches has the question before the app asks again`() throws {
    let family = try Family()
    let watch = try family.watch()
    let responses = try family.responses()
    #expect(try watch.backlog() + responses.backlog() == [])
    try family.ask(.own("2.0"))
    _ = try watch.next(change: "added")
    #expect(try responses.next(2).map { try $0.text("event") } == ["asked", "delivered"])
    #expect(try family.ask(.own("2.0"))["reach"] == "delivered")
  }

  @Test func `how far it came outlives a kill`() throws {
    let family = try Family()
    let question = try family.question(.own("2.0"))
    _ = try family.card(question)
    try family.daemon.kill()
    try family.startAgain()
    #expect(try family.ask(.own("2.0"))["reach"] == "seen")
  }
}

extension Family {
  /// The ids of the questions a list gives.
  fileprivate func listed(_ parameters: JSONObject) throws -> [String] {
    try desk.guardian("ListQuestions", parameters).list("questions").map { try $0.text("question") }
  }
}
