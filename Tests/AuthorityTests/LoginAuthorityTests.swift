// SPDX-License-Identifier: Apache-2.0
//
// Uids that are given to other accounts. The daemon sees a password file of its own, which the test edits; between two
// editions the daemon is started again, because it keeps what it has looked up for a while.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct LoginAuthorityTests {
  let household: LoginHousehold

  init() throws {
    household = try LoginHousehold()
  }

  @Test func `a uid that was given to somebody else gets nothing of the child's`() throws {
    let question = try household.child().permission("Ask", household.topic).text("question")
    try household.edit([("eve", Household.Uid.child), ("ann", Household.Uid.guardian)])
    let eve = try household.child()
    let calls: [(method: String, parameters: JSONObject)] = [
      ("GetStatus", household.topic), ("Ask", household.topic), ("Request", household.topic),
      ("Await", ["question": .string(question)]), ("Withdraw", ["question": .string(question)]),
      ("Acknowledge", ["sequence": 1]),
    ]
    for (method, parameters) in calls {
      #expect(throws: changed(Interface.permission)) { try eve.permission(method, parameters) }
    }
    #expect(throws: changed(Interface.ageRange)) { try eve.ageRange("GetAgeRange") }
    try eve.send("\(Interface.permission).Responses", ["after": 0], more: true)
    #expect(throws: changed(Interface.permission)) { try eve.receiveAnswer() }
    try household.edit([("mia", Household.Uid.child), ("ann", Household.Uid.guardian)])
    #expect(try household.child().permission("Await", household.look(question))["state"] == "pending")
  }

  @Test func `a guardian's uid that was given to somebody else answers nothing and sees nothing`() throws {
    let question = try household.child().permission("Ask", household.topic).text("question")
    try household.edit([("mia", Household.Uid.child), ("eve", Household.Uid.guardian)])
    let eve = try household.daemon.guardians(as: Household.Uid.guardian)
    let calls: [(method: String, parameters: JSONObject)] = [
      ("Answer", ["question": .string(question), "choice": "approve"]), ("ListQuestions", [:]), ("ListPeople", [:]),
      ("DescribeQuestion", ["question": .string(question)]),
      ("DeclareAge", ["person": household.name(Household.Uid.child), "birthDate": "1990-01-01"]),
    ]
    for (method, parameters) in calls {
      #expect(throws: changed(Interface.guardian)) { try eve.guardian(method, parameters) }
    }
    try eve.send("\(Interface.guardian).WatchQuestions", [:], more: true)
    #expect(throws: changed(Interface.guardian)) { try eve.receiveAnswer() }
    let refusal = #expect(throws: CallError.self) {
      try household.child().permission("Ask", ["topic": .object(.update("9.0"))])
    }
    #expect(refusal?.parameters["reason"] == "noGuardian")
    #expect(try household.child().permission("Await", household.look(question))["state"] == "pending")
  }

  @Test func `the administrator says whose the uid is: renamed, moved or gone`() throws {
    try household.edit([("maria", Household.Uid.child), ("ann", Household.Uid.guardian)])
    let name = household.name(Household.Uid.child)
    #expect(throws: changed(Interface.administration)) {
      try household.root().administration("AddPerson", ["person": name])
    }
    let refused = try household.consentctl("person", "add", "uid:\(Household.Uid.child)")
    #expect(refused.exit == .status(6) && refused.errors.contains("consentctl person move"))
    try household.root().administration("MovePerson", ["from": name, "to": name])
    let question = try household.child().permission("Ask", household.topic).text("question")
    try household.daemon.guardians(as: Household.Uid.guardian).guardian(
      "Answer", ["question": .string(question), "choice": "approve"])
    try household.edit([
      ("eve", Household.Uid.child), ("maria", Household.Uid.otherChild), ("ann", Household.Uid.guardian),
    ])
    try household.root().administration("MovePerson", ["from": name, "to": household.name(Household.Uid.otherChild)])
    let moved = try household.daemon.apps(as: Household.Uid.otherChild)
    #expect(try moved.permission("GetStatus", household.topic)["status"] == "approved")
    #expect(try household.child().permission("GetStatus", household.topic)["reason"] == "noGuardian")
    try household.root().administration("AddPerson", ["person": name])
    #expect(try household.child().permission("GetStatus", household.topic)["reason"] == "noGuardian")
  }

  @Test func `a uid whose account is gone is who it was`() throws {
    try household.edit([("ann", Household.Uid.guardian)])
    #expect(try household.child().permission("Ask", household.topic)["state"] == "pending")
  }

  @Test(arguments: [Household.Uid.child, Household.Uid.guardian, Household.Uid.stranger])
  func `nobody but an administrator moves, forgets, exports or erases anybody`(uid: UInt32) throws {
    let desk = try household.daemon.guardians(as: uid)
    let person: JSONObject = ["person": household.name(Household.Uid.child)]
    let calls: [(method: String, parameters: JSONObject)] = [
      ("MovePerson", ["from": household.name(Household.Uid.child), "to": household.name(52_050)]),
      ("MovePerson", ["from": household.name(52_050), "to": household.name(uid)]),
      ("Forget", person.with(["app": "org.example.Chat"])), ("Erase", person), ("Export", person),
    ]
    for (method, parameters) in calls {
      try desk.send("\(Interface.administration).\(method)", parameters, more: method == "Export")
      let refusal = #expect(throws: CallError.self) { try desk.receiveAnswer() }
      #expect(refusal?.name == "\(Interface.administration).NotPermitted")
    }
    let people = try household.root().administration("ListPeople").list("people")
    #expect(people.contains { $0["person"] == household.name(Household.Uid.child) })
  }

  private func changed(_ interface: String) -> CallError {
    CallError("\(interface).NotAvailable", ["reason": "personChanged", "retryable": false])
  }
}

/// A child and a guardian with accounts in a password file that only the daemon sees.
struct LoginHousehold {
  let daemon: Daemon
  let topic: JSONObject = ["topic": .object(.update("2.0"))]

  init() throws {
    let directory = try TemporaryDirectory()
    var setup = try Daemon.plainSetup(in: directory, user: Household.Uid.daemon)
    setup.wrappers.append(.accounts(directory.file("passwd")))
    try directory.write(
      LoginHousehold.accounts([("mia", Household.Uid.child), ("ann", Household.Uid.guardian)]), to: "passwd")
    daemon = try Daemon(in: directory, setup: setup)
    let child = name(Household.Uid.child)
    try root().administration("AddPerson", ["person": child])
    try root().administration("AddGuardian", ["person": child, "guardian": name(Household.Uid.guardian)])
  }

  /// Gives the uids to these accounts and to no others, and starts the daemon again.
  func edit(_ accounts: [(String, UInt32)]) throws {
    try daemon.directory.write(LoginHousehold.accounts(accounts), to: "passwd")
    try daemon.kill()
    try daemon.start()
  }

  func root() throws -> TestClient { try daemon.guardians() }
  func child() throws -> TestClient { try daemon.apps(as: Household.Uid.child) }
  func name(_ uid: UInt32) -> JSON { .string("uid:\(uid)") }

  /// The parameters to look at a question without waiting.
  func look(_ question: String) -> JSONObject { ["question": .string(question), "timeoutUSec": 0] }

  func consentctl(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      Program.path(of: "consentctl"), arguments,
      environment: ["CONSENTD_RUNTIME_DIRECTORY": daemon.directory.file("run")])
  }

  private static func accounts(_ accounts: [(String, UInt32)]) -> String {
    accounts.reduce("root:x:0:0::/root:/bin/sh\n") { $0 + "\($1.0):x:\($1.1):\($1.1)::/nonexistent:/bin/false\n" }
  }
}
