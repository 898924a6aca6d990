// SPDX-License-Identifier: Apache-2.0
//
// What a registered service may do, and its bridge: everything for its own accounts, nothing for anybody else's.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct ServiceAuthorityTests {
  private let household: Household
  /// The service on each socket.
  private let service: (apps: TestClient, desk: TestClient)
  private let bridge: TestClient

  private static let account: JSON = "account:org.example.Chat/kim"
  private static let contact: JSON = "contact:org.example.Chat/nan"

  init() throws {
    household = try Household()
    service = (
      try household.daemon.apps(as: Household.Uid.service), try household.daemon.guardians(as: Household.Uid.service)
    )
    bridge = try household.daemon.guardians(as: Household.Uid.bridge)
  }

  private func enrol(_ account: JSON = account, guardians: [JSON] = [contact]) throws {
    try service.desk.administration("AddPerson", ["person": account, "displayName": "Kim"])
    for guardian in guardians {
      try service.desk.administration("AddGuardian", ["person": account, "guardian": guardian])
    }
  }

  private func ask(_ change: String = "2.0", about account: JSON = account) throws -> JSONObject {
    try service.apps.permission("Ask", ["person": account, "topic": .object(.update(change))])
  }

  private func refused(
    _ client: TestClient, _ method: String, _ parameters: JSONObject, as name: String = "NotPermitted",
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CallError.self, "\(parameters.json)", sourceLocation: location) {
      try client.call(method, parameters)
    }
    #expect(error?.name.hasSuffix(".\(name)") == true, "\(method): \(error?.name ?? "")", sourceLocation: location)
  }

  @Test func `a service enrols its accounts, declares their ages and is told them`() throws {
    try enrol()
    try enrol()
    try service.apps.ageRange(
      "DeclareAge", ["person": Self.account, "lowerBound": 13, "upperBound": 15, "assurance": "paymentChecked"])
    let range = try service.apps.ageRange("GetAgeRange", ["person": Self.account])
    #expect(range["sharing"] == "shared")
    #expect(try range.member("range")["source"] == "serviceDeclared")
    #expect(try range.member("range")["assurance"] == "paymentChecked")
    #expect(try range.member("range")["lowerBound"] == 13)
    let listed = try service.desk.administration("ListPeople").list("people")
    #expect(listed == [["person": Self.account, "displayName": "Kim", "guardians": [Self.contact]]])
    try service.desk.administration("RemoveGuardian", ["person": Self.account, "guardian": Self.contact])
    try service.desk.administration("RemovePerson", ["person": Self.account])
    #expect(try service.desk.administration("ListPeople").list("people") == [])
  }

  @Test func `a new declaration replaces the service's own, and an administrator's word outranks it`() throws {
    try enrol()
    for year in ["1990", "2014"] {
      try service.apps.ageRange("DeclareAge", ["person": Self.account, "birthDate": .string("\(year)-03-05")])
    }
    #expect(try ask()["state"] == "pending")
    try household.root.guardian("DeclareAge", ["person": Self.account, "birthDate": "1990-01-01"])
    #expect(try ask("3.0")["state"] == "notRequired")
    try service.apps.ageRange("DeclareAge", ["person": Self.account, "birthDate": "2014-03-05"])
    #expect(try ask("3.0")["state"] == "notRequired")
  }

  @Test func `an age is declared of an account that is enrolled`() throws {
    refused(
      service.apps, "\(Interface.ageRange).DeclareAge",
      ["person": Self.account, "birthDate": "2014-03-05"], as: "InvalidValue")
  }

  @Test func `a service reaches nobody but its own accounts, and names no guardian but its own contacts`() throws {
    try enrol()
    try household.root.administration("AddPerson", ["person": "account:org.example.Other/kim"])
    let before = try household.everything()
    for person in [household.name(Household.Uid.child), "account:org.example.Other/kim", "account:org.example.Chat2/k"]
    {
      for method in ["AddPerson", "RemovePerson"] {
        refused(service.desk, "\(Interface.administration).\(method)", ["person": person])
      }
      for method in ["AddGuardian", "RemoveGuardian"] {
        refused(service.desk, "\(Interface.administration).\(method)", ["person": person, "guardian": Self.contact])
      }
      refused(service.apps, "\(Interface.ageRange).DeclareAge", ["person": person, "birthDate": "1990-01-01"])
      refused(service.desk, "\(Interface.guardian).DeclareAge", ["person": person, "birthDate": "1990-01-01"])
      refused(service.apps, "\(Interface.permission).Ask", ["person": person, "topic": .object(.update("2.0"))])
    }
    for guardian in [household.name(Household.Uid.guardian), "contact:org.example.Other/nan"] as [JSON] {
      for method in ["AddGuardian", "RemoveGuardian"] {
        refused(service.desk, "\(Interface.administration).\(method)", ["person": Self.account, "guardian": guardian])
      }
    }
    for method in ["GetStatistics", "ListApps"] { refused(service.desk, "\(Interface.administration).\(method)", [:]) }
    refused(service.desk, "\(Interface.administration).DescribeApp", ["app": "org.example.Chat"])
    #expect(try household.everything() == before)
  }

  @Test(arguments: [
    Household.Uid.bridge, Household.Uid.stranger, Household.Uid.guardian, Household.Uid.child,
    Household.Uid.administrator, 0,
  ])
  func `nobody else declares an account's age as its service`(uid: UInt32) throws {
    try enrol()
    let parameters: JSONObject = ["person": Self.account, "birthDate": "1990-01-01"]
    refused(try household.daemon.apps(as: uid), "\(Interface.ageRange).DeclareAge", parameters)
    refused(
      try household.daemon.apps(as: uid), "\(Interface.ageRange).DeclareAge",
      ["person": household.name(uid), "birthDate": "1990-01-01"])
  }

  @Test(arguments: [Household.Uid.bridge, Household.Uid.stranger, Household.Uid.guardian, Household.Uid.child])
  func `nobody else touches a service's accounts`(uid: UInt32) throws {
    try enrol()
    let desk = try household.daemon.guardians(as: uid)
    for (method, parameters) in [
      ("AddPerson", ["person": Self.account]), ("RemovePerson", ["person": Self.account]),
      ("AddGuardian", ["person": Self.account, "guardian": Self.contact]), ("ListPeople", [:]),
    ] as [(String, JSONObject)] {
      refused(desk, "\(Interface.administration).\(method)", parameters)
    }
  }

  @Test func `the bridge sees its contacts' questions and answers for them`() throws {
    try enrol()
    try enrol("account:org.example.Chat/leo", guardians: ["contact:org.example.Chat/bob"])
    _ = try household.question()
    let question = try ask().text("question")
    let watch = try EventStream(bridge, "\(Interface.guardian).WatchQuestions", [:])
    let cards = try watch.backlog().map { try $0.member("question") }
    #expect(try cards.map { try $0.text("question") } == [question])
    let card = try #require(cards.first)
    #expect(card["canAnswer"] == true)
    #expect(card["guardians"] == [Self.contact])
    #expect(card["provenance"] == "registered")
    #expect(card["names"] == ["en": "Chat"])
    let desk = try household.daemon.guardians(as: Household.Uid.bridge)
    #expect(try desk.guardian("ListQuestions").list("questions").count == 1)
    #expect(try desk.guardian("ListPeople").list("people").count == 2)
    let answer = try desk.guardian(
      "Answer", ["question": .string(question), "choice": "approve", "guardian": Self.contact])
    #expect(try answer.member("decision").member("evidence")["channel"] == "bridge")
    let removed = try watch.next(change: "removed")
    #expect(removed["reason"] == "approved")
    #expect(try ask()["state"] == "approved")
  }

  @Test func `where it could be several contacts, the bridge says whose answer it is`() throws {
    try enrol(guardians: [Self.contact, "contact:org.example.Chat/bob"])
    let question = JSON.string(try ask().text("question"))
    refused(bridge, "\(Interface.guardian).Answer", ["question": question, "choice": "deny"], as: "InvalidValue")
    #expect(
      try bridge.guardian("Answer", ["question": question, "choice": "deny", "guardian": Self.contact])["state"]
        == "denied")
    try enrol("account:org.example.Chat/leo")
    let other = JSON.string(try ask(about: "account:org.example.Chat/leo").text("question"))
    #expect(try bridge.guardian("Answer", ["question": other, "choice": "deny"])["state"] == "denied")
  }

  @Test(arguments: [
    Household.Uid.service, Household.Uid.stranger, Household.Uid.guardian, Household.Uid.administrator, 0,
  ])
  func `nobody else answers for a contact or sees its questions`(uid: UInt32) throws {
    try enrol()
    let question = JSON.string(try ask().text("question"))
    let desk = try household.daemon.guardians(as: uid)
    #expect(try desk.guardian("ListQuestions").list("questions") == [])
    refused(
      desk, "\(Interface.guardian).Answer", ["question": question, "choice": "approve", "guardian": Self.contact])
    refused(desk, "\(Interface.guardian).Answer", ["question": question, "choice": "approve"], as: "UnknownQuestion")
    refused(desk, "\(Interface.guardian).ListQuestions", ["person": Self.account])
  }

  @Test func `a question without anybody who could answer it is not asked`() throws {
    try household.root.administration("AddPerson", ["person": "account:org.example.Mute/kim"])
    try household.root.administration(
      "AddGuardian", ["person": "account:org.example.Mute/kim", "guardian": "contact:org.example.Mute/nan"])
    let mute = try household.daemon.apps(as: Household.Uid.otherService)
    let refusal = #expect(throws: CallError.self) {
      try mute.permission(
        "Ask", ["person": "account:org.example.Mute/kim", "topic": .object(.update("2.0"))])
    }
    #expect(refusal == CallError("\(Interface.permission).NotAvailable", ["reason": "noGuardian", "retryable": false]))
  }

  @Test func `an entry that loses its bridge ends no question and widens nothing`() throws {
    try enrol()
    let question = JSON.string(try ask().text("question"))
    #expect(try household.daemon.stop().exit == .status(0))
    try household.daemon.directory.write(
      "{ id: 'org.example.Chat', uid: \(Household.Uid.service) }", to: "apps.d/org.example.Chat.json5")
    try household.daemon.start()
    let desk = try household.daemon.guardians(as: Household.Uid.bridge)
    #expect(try desk.guardian("ListQuestions").list("questions") == [])
    #expect(try desk.guardian("ListPeople").list("people") == [])
    refused(desk, "\(Interface.guardian).Answer", ["question": question, "choice": "approve"], as: "UnknownQuestion")
    let apps = try household.daemon.apps(as: Household.Uid.service)
    let look = try apps.permission("Await", ["question": question, "timeoutUSec": 0])
    #expect(look["state"] == "pending")
    let status = try apps.permission("GetStatus", ["person": Self.account, "topic": .object(.update("2.0"))])
    #expect(status["status"] == "pending")
    #expect(status["reason"] == "noGuardian")
  }

  @Test func `an entry that is gone leaves the service what any program of its user has`() throws {
    try enrol()
    let question = JSON.string(try ask().text("question"))
    #expect(try household.daemon.stop().exit == .status(0))
    try household.daemon.directory.write("{ id: 'org.example.Else', uid: 7 }", to: "apps.d/org.example.Chat.json5")
    try household.daemon.start()
    let apps = try household.daemon.apps(as: Household.Uid.service)
    refused(
      apps, "\(Interface.permission).Ask",
      ["app": "org.example.Chat", "person": Self.account, "topic": .object(.update("2.0"))])
    refused(apps, "\(Interface.ageRange).GetAgeRange", ["app": "org.example.Chat", "person": Self.account])
    let stream = try EventStream(
      apps, "\(Interface.permission).Responses", ["app": "org.example.Chat", "after": 0])
    #expect(try stream.backlog() == [])
    let withdrawn = try household.daemon.apps(as: Household.Uid.service)
      .permission("Withdraw", ["question": question])
    #expect(withdrawn["state"] == "withdrawn")
  }

  @Test func `lists of events are about all accounts, or the one that is named`() throws {
    try enrol()
    try enrol("account:org.example.Chat/leo")
    _ = try ask()
    _ = try ask("2.0", about: "account:org.example.Chat/leo")
    func events(_ parameters: JSONObject) throws -> [JSON] {
      let client = try household.daemon.apps(as: Household.Uid.service)
      return try EventStream(client, "\(Interface.permission).Responses", parameters).backlog()
        .compactMap { $0["person"] }
    }
    #expect(try events(["after": 0]) == [Self.account, "account:org.example.Chat/leo"])
    #expect(try events(["after": 0, "person": Self.account]) == [Self.account])
    try service.apps.permission("Acknowledge", ["sequence": 1, "person": Self.account])
    #expect(try events([:]) == ["account:org.example.Chat/leo"])
    try service.apps.permission("Acknowledge", ["sequence": 2])
    #expect(try events([:]) == [])
  }

  @Test func `who asks is listed for administrators, with and without an entry`() throws {
    try enrol()
    _ = try ask()
    _ = try household.question()
    _ = try household.child.permission("Ask", ["app": "org.example.Game", "topic": .object(.update("2.0"))])
    let administrator = try household.daemon.guardians(as: Household.Uid.administrator)
    let apps = try administrator.administration("ListApps").list("apps")
    #expect(
      try apps.map { "\($0["app"]?.string ?? "–") \(try $0.text("provenance")) \(try $0.number("questions"))" } == [
        "– unidentified 1", "org.example.Chat registered 1", "org.example.Game claimed 1",
        "org.example.Mute registered 0",
      ])
    var paged: [JSONObject] = []
    var next: JSON?
    repeat {
      let page = try administrator.administration(
        "ListApps", (["limit": 1] as JSONObject).with(next.map { ["after": $0] } ?? [:]))
      paged += try page.list("apps")
      next = page["next"]
    } while next != nil
    #expect(paged == apps)
    let chat = try administrator.administration("DescribeApp", ["app": "org.example.Chat"]).member("app")
    #expect(chat["uid"] == .integer(Int64(Household.Uid.service)))
    #expect(chat["bridgeUid"] == .integer(Int64(Household.Uid.bridge)))
    #expect(chat["names"] == ["en": "Chat"])
    #expect(chat["uids"] == [.integer(Int64(Household.Uid.service))])
    #expect(chat["lastAskedAtUSec"] != nil)
    refused(administrator, "\(Interface.administration).DescribeApp", ["app": "org.example.None"], as: "InvalidValue")
    for uid in [Household.Uid.child, Household.Uid.stranger, Household.Uid.bridge] {
      refused(try household.daemon.guardians(as: uid), "\(Interface.administration).ListApps", [:])
    }
  }

  @Test func `what a process was given is its user's, whatever number the process had`() throws {
    let question = JSON.string(try household.question())
    try household.guardian.guardian("Answer", ["question": question, "choice": "approve"])
    household.child.close()
    let topic: JSONObject = ["topic": .object(.update("2.0"))]
    let status = { uid in try household.daemon.apps(as: uid).permission("GetStatus", topic)["status"] }
    #expect(try status(Household.Uid.child) == "approved")
    #expect(try status(Household.Uid.stranger) == "notDetermined")
    #expect(try status(Household.Uid.otherChild) == "notDetermined")
  }
}
