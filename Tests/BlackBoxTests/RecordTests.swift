// SPDX-License-Identifier: Apache-2.0
//
// People who move, are exported, forgotten and erased, over the sockets and by consentctl.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct RecordTests {
  private static let secret = "the secret of the blue house"
  private let who: JSONObject = ["person": .string(Family.person)]

  @Test func `a person who moves is the same person, and whoever waited is told to ask anew`() throws {
    let family = try Family(born: "2014-03-05")
    try family.answer(family.question(.update("1.0")), "approve")
    let question = try family.question(.update("2.0"))
    let (requester, waiter) = (try family.requester(.resource()), try family.waiter(for: question))
    #expect(
      try family.desk.administration("MovePerson", ["from": .string(Family.person), "to": "uid:5051"]) == [:])
    for client in [requester, waiter] {
      let decision = try client.receiveAnswer()
      #expect(decision["state"] == "moot" && decision["reason"] == "personMoved" && decision["nextAction"] == "ask")
    }
    let moved: JSONObject = ["person": "uid:5051"]
    #expect(try family.status(.update("1.0"), moved)["status"] == "approved")
    #expect(try family.app.ageRange("GetAgeRange", moved)["sharing"] == "shared")
    #expect(try family.ask(.update("2.0"), moved)["state"] == "pending")
    let refusal = #expect(throws: CallError.self) {
      try family.desk.administration("MovePerson", ["from": .string(Family.person), "to": "uid:5052"])
    }
    #expect(refusal == CallError("\(Interface.administration).UnknownPerson", who))
  }

  @Test(arguments: [Family.guardian, "account:org.example.Chat/7"])
  func `nobody moves onto somebody, or into another form`(to: String) throws {
    let family = try Family()
    let before = try family.desk.administration("ListPeople")
    let refusal = #expect(throws: CallError.self) {
      try family.desk.administration("MovePerson", ["from": .string(Family.person), "to": .string(to)])
    }
    #expect(refusal?.name == "\(Interface.administration).InvalidValue" && refusal?.parameters["field"] == "to")
    #expect(try family.desk.administration("ListPeople") == before)
  }

  @Test func `an app that is forgotten asks for the first time again`() throws {
    let family = try Family()
    let chat: JSONObject = ["app": "org.example.Chat"]
    let denied = try family.question(.update("1.0"), chat.with(["key": "k"]))
    try family.answer(denied, "deny")
    let waiter = try family.requester(.update("2.0"), chat)
    let game = try family.question(.update("1.0"), ["app": "org.example.Game"])
    try family.desk.administration("Forget", who.with(chat))
    let ending = try waiter.receiveAnswer()
    #expect(ending["state"] == "moot" && ending["reason"] == "forgotten" && ending["topic"] == nil)
    #expect(try family.status(.update("1.0"), chat)["status"] == "notDetermined")
    #expect(try family.look(denied)["state"] == "denied")
    #expect(try family.look(denied)["topic"] == nil)
    let anew = try family.question(.update("1.0"), chat.with(["key": "k"]))
    #expect(anew != denied)
    #expect(try family.card(anew)["timesAsked"] == 1)
    #expect(try family.look(game)["state"] == "pending")
  }

  @Test func `what is erased is in no file of the daemon's, and a restart changes nothing about that`() throws {
    let family = try Family(born: "2014-03-05")
    let question = try family.question(.update("1.0", Self.secret))
    try family.answer(question, "approve", ["note": .string(Self.secret)])
    let open = try family.question(.update("2.0", Self.secret))
    let events = try family.responses(["after": 0])
    let watch = try family.watch()
    _ = (try events.backlog(), try watch.backlog())
    #expect(try remembers(family))
    try family.desk.administration("Erase", who)
    #expect(try !remembers(family))
    let removed = try watch.next(change: "removed")
    #expect(try removed.member("question").text("question") == open)
    #expect(try events.next(3).map { $0["event"] } == ["delivered", "moot", "grantEnded"])
    for _ in 0..<2 {
      #expect(try family.look(question)["state"] == "approved")
      #expect(try family.look(question)["nextAction"] == "ask")
      #expect(try family.look(open)["state"] == "moot")
      #expect(try family.look(open)["topic"] == nil)
      let people = try family.desk.administration("ListPeople").list("people")
      #expect(people.map { $0["person"] } == [.string(Family.guardian)])
      try family.daemon.kill()
      try family.startAgain()
    }
    #expect(try !remembers(family))
  }

  @Test func `an export is one reply a record, however much there is`() throws {
    let family = try Family(born: "2014-03-05")
    for number in 0..<1_100 {
      try family.app.send(
        "\(Interface.permission).Ask",
        family.asking(.own("\(number)", Self.secret + String(repeating: "x", count: 900))))
      _ = try family.app.receiveAnswer()
    }
    let records = try export(family)
    let kinds = records.compactMap { $0["record"]?.string }
    #expect(kinds.count { $0 == "question" } == 1_100 && kinds.count { $0 == "event" } == 1_100)
    #expect(kinds.first == "person" && kinds.last == "end" && kinds.contains("declaration"))
    let outcome = try family.consentctl("export", Family.person)
    #expect(outcome.exit == .status(0) && outcome.errors == "")
    let document = try outcome.object
    #expect(document["person"]?.object?["person"] == .string(Family.person))
    #expect(try document.list("questions").count == 1_100)
    #expect(try document.list("guardians").map { $0["guardian"] } == [.string(Family.guardian)])
    #expect(document["end"] == nil)
  }

  @Test func `of somebody of whom nothing is kept nothing is exported, forgotten or erased`() throws {
    let family = try Family()
    for (method, more) in [("Erase", [:]), ("Forget", ["app": "org.example.Chat"])] as [(String, JSONObject)] {
      let refusal = #expect(throws: CallError.self) {
        try family.desk.administration(method, (["person": "uid:5777"] as JSONObject).with(more))
      }
      #expect(refusal == CallError("\(Interface.administration).UnknownPerson", ["person": "uid:5777"]))
    }
    #expect(throws: CallError.self) { try export(family, of: "uid:5777") }
    let outcome = try family.consentctl("export", "uid:5777")
    #expect(outcome.exit == .status(1) && outcome.output == "" && outcome.remarks.count == 1)
  }

  @Test func `consentctl moves, forgets and erases, and says what that came to`() throws {
    let family = try Family()
    _ = try family.ask(.update("1.0"), ["app": "org.example.Chat"])
    for (words, output) in [
      (["person", "move", Family.person, "uid:5051"], "uid:5051 is who uid:5001 was."),
      (["person", "move", "uid:5051", "uid:5051"], "uid:5051 stays who they were."),
      (["forget", "uid:5051", "org.example.Chat", "--yes"], "What org.example.Chat had about uid:5051 is erased."),
      (["erase", "uid:5051", "--yes"], "Everything about uid:5051 is erased."),
    ] {
      let outcome = try Program.run(Program.path(of: "consentctl"), words, environment: family.environment)
      #expect(outcome.exit == .status(0) && outcome.errors == "")
      #expect(outcome.output.hasPrefix(output), "\(outcome.output)")
    }
    let refused = try family.consentctl("person", "move", Family.guardian, "account:org.example.Chat/7")
    #expect(refused.exit == .status(2) && refused.remarks.first?.contains("TO cannot be that") == true)
  }

  private func export(_ family: Family, of person: String = Family.person) throws -> [JSONObject] {
    let client = try family.daemon.guardians()
    try client.send("\(Interface.administration).Export", ["person": .string(person)], more: true)
    var records: [JSONObject] = []
    repeat { records.append(try client.receiveAnswer()) } while records.last?["record"] != "end"
    return records
  }

  /// Whether the secret stands in any file of the sandbox but its log of calls.
  private func remembers(_ family: Family) throws -> Bool {
    let place = family.daemon.directory.file("sandbox")
    return try ["consentd.db", "consentd.db-wal", "consentd.log"].contains { name in
      guard FileManager.default.fileExists(atPath: "\(place)/\(name)") else { return false }
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(name)"))
      return data.range(of: Data(Self.secret.utf8)) != nil
    }
  }
}
