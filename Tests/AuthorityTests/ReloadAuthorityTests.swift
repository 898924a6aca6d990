// SPDX-License-Identifier: Apache-2.0
//
// Who may have the configuration read anew, and that its rights follow the file from the next call on, whoever is
// connected.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct ReloadAuthorityTests {
  @Test func `an administrator whom the new file leaves out is none from the next call on`() throws {
    let household = try Household()
    let administrator = try household.daemon.guardians(as: Household.Uid.administrator)
    let newcomer = try household.daemon.guardians(as: Household.Uid.stranger)
    try household.daemon.directory.write("{administrators: [\(Household.Uid.stranger)]}", to: "consentd.json5")
    #expect(throws: CallError.self) { try newcomer.administration("ListPeople") }
    try administrator.administration("Reload")
    for method in ["Reload", "ListPeople", "GetStatistics"] {
      let refusal = #expect(throws: CallError.self) { try administrator.administration(method) }
      #expect(refusal?.name == "\(Interface.administration).NotPermitted")
      try newcomer.administration(method)
    }
    try household.root.administration("Reload")
  }

  @Test func `an app id is free, or somebody else's, from the next call on`() throws {
    let household = try Household()
    let claim: JSONObject = ["topic": .object(.update("2.0")), "app": "org.example.Chat"]
    #expect(throws: CallError.self) { try household.child.permission("Ask", claim) }
    try household.daemon.directory.write(
      "{id: 'org.example.Chat', uid: \(Household.Uid.child)}", to: "apps.d/org.example.Chat.json5")
    try household.root.administration("Reload")
    #expect(try household.child.permission("Ask", claim)["state"] == "pending")
    let service = try household.daemon.apps(as: Household.Uid.service)
    #expect(throws: CallError.self) { try service.permission("GetStatus", claim) }
  }

  /// An entry makes another app of whoever named none, and registers who claimed its id; then it is taken away again.
  @Test func `a stream ends where the new files make its caller somebody else, and only there`() throws {
    let household = try Household()
    func stream(_ uid: UInt32, _ call: JSONObject = [:]) throws -> EventStream {
      let stream = try EventStream(try household.daemon.apps(as: uid), "\(Interface.permission).Responses", call)
      _ = try stream.backlog()
      return stream
    }
    func expectEnd(of streams: EventStream...) {
      for stream in streams {
        let refusal = #expect(throws: CallError.self) { try stream.next() }
        #expect(refusal?.name == "\(Interface.permission).NotPermitted")
      }
    }
    let game: JSONObject = ["app": "org.example.Game"]
    let (nameless, claiming) = (try stream(Household.Uid.child), try stream(Household.Uid.child, game))
    let others = [
      try stream(Household.Uid.child, ["app": "org.example.Other"]), try stream(Household.Uid.otherChild),
      try stream(Household.Uid.service),
    ]
    let file = household.daemon.directory.file("apps.d/org.example.Game.json5")
    try household.daemon.directory.write(
      "{id: 'org.example.Game', uid: \(Household.Uid.child)}", to: "apps.d/org.example.Game.json5")
    try household.root.administration("Reload")
    expectEnd(of: nameless, claiming)
    let registered = [try stream(Household.Uid.child), try stream(Household.Uid.child, game)]
    try household.root.administration("Reload")
    #expect((registered + others).filter { !$0.client.isQuiet }.count == 0)
    #expect(try Program.run("rm", [file]).exit == .status(0))
    try household.root.administration("Reload")
    for stream in registered { expectEnd(of: stream) }
    _ = try household.question()
    for stream in others { #expect(stream.client.isQuiet) }
  }

  @Test func `an export ends where its service's entry goes`() throws {
    let household = try Household(newQuestionsPerDay: 1_000)
    let kim: JSON = "account:org.example.Chat/kim"
    let desk = try household.daemon.guardians(as: Household.Uid.service)
    try desk.administration("AddPerson", ["person": kim])
    try desk.administration("AddGuardian", ["person": kim, "guardian": "contact:org.example.Chat/nan"])
    let apps = try household.daemon.apps(as: Household.Uid.service)
    for number in 0..<400 {
      let text = JSON.string("\(number) " + String(repeating: "x", count: 990))
      try apps.permission("Ask", ["person": kim, "topic": .object(.update("2.0").with(["description": text]))])
    }
    try desk.send("\(Interface.administration).Export", ["person": kim], more: true)
    #expect(try desk.receiveAnswer()["record"] != nil)
    let file = household.daemon.directory.file("apps.d/org.example.Chat.json5")
    #expect(try Program.run("rm", [file]).exit == .status(0))
    try household.root.administration("Reload")
    let refusal = #expect(throws: CallError.self) {
      while try desk.receiveAnswer()["record"] != "end" {}
    }
    #expect(refusal?.name == "\(Interface.administration).NotPermitted")
  }

  @Test func `a file that the daemon's user may not read changes nothing`() throws {
    let household = try Household()
    let before = try household.everything()
    let file = household.daemon.directory.file("consentd.json5")
    try household.daemon.directory.write("{administrators: [\(Household.Uid.child)]}", to: "consentd.json5")
    #expect(try Program.run("chmod", ["0600", file]).exit == .status(0))
    let refusal = #expect(throws: CallError.self) { try household.root.administration("Reload") }
    #expect(refusal?.parameters["file"] == .string(file))
    #expect(refusal?.parameters["reason"] == "cannot be read: Permission denied")
    #expect(try household.everything() == before)
    try household.daemon.guardians(as: Household.Uid.administrator).administration("ListPeople")
  }

  @Test func `consentctl reloads for whoever may`() throws {
    let household = try Household()
    for (uid, status) in [(0, 0), (Household.Uid.administrator, 0), (Household.Uid.guardian, 1)] as [(UInt32, Int32)] {
      let outcome = try Program.run(
        Program.path(of: "consentctl", forAnyone: true), ["reload"],
        environment: ["CONSENTD_RUNTIME_DIRECTORY": household.daemon.directory.file("run")], wrappers: [.user(uid)])
      #expect(outcome.exit == .status(status))
    }
  }
}
