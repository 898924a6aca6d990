// SPDX-License-Identifier: Apache-2.0
//
// What a guardian settles beforehand, over the sockets and by consentctl, and what an app finds then.

import StrictJSON
import TestSupport
import Testing

@Suite struct SettingsTests {
  private let family: Family
  private static let resource = "resource/org.example.screenTime"
  private static let chat: JSONObject = ["app": "org.example.Chat"]

  init() throws { family = try Family(guardians: [Family.guardian, "uid:5002"]) }

  @discardableResult
  private func change(_ setting: String, _ value: String, _ others: JSONObject = [:]) throws -> JSONObject {
    let call: JSONObject = [
      "person": .string(Family.person), "setting": .string(setting), "value": .string(value),
    ]
    return try family.desk.guardian("ChangeSetting", call.with(others)).member("setting")
  }

  private func settings(_ others: JSONObject = [:]) throws -> [JSONObject] {
    try family.desk.guardian("ListSettings", others).list("settings")
  }

  @Test func `an app that may not ask is denied without a question`() throws {
    let setting = try change("neverAsk", "true", Self.chat)
    #expect(setting["value"] == "true" && setting["isDefault"] == false && setting["setBy"] == "uid:5000")
    #expect(setting["choices"] == ["true", "false"])
    let asked = try family.ask(.update("2.0"), Self.chat)
    #expect(asked["state"] == "denied" && asked["question"] == nil)
    #expect(asked["reason"] == "neverAsk" && asked["nextAction"] == "askGuardian")
    let requested = try family.app.permission("Request", family.asking(.resource(), Self.chat))
    #expect(requested["state"] == "denied" && requested["question"] == nil)
    #expect(try family.status(.update("2.0"), Self.chat)["status"] == "denied")
    #expect(try family.ask(.update("2.0"), ["app": "org.example.Game"])["state"] == "pending")
    try change("neverAsk", "false", Self.chat)
    #expect(try family.ask(.update("2.0"), Self.chat)["state"] == "pending")
  }

  @Test func `no app may ask, but one`() throws {
    try change("neverAsk", "true")
    #expect(try family.ask(.update("2.0"))["state"] == "denied")
    #expect(try family.ask(.update("2.0"), Self.chat)["reason"] == "neverAsk")
    try change("neverAsk", "false", Self.chat)
    #expect(try family.ask(.update("2.0"), Self.chat)["state"] == "pending")
    #expect(try family.ask(.update("2.0"), ["app": "org.example.Game"])["state"] == "denied")
  }

  @Test(arguments: [("denied", "denied"), ("restricted", "restricted")])
  func `a resource that is refused ends its grant and asks nobody`(value: String, status: String) throws {
    try family.answer(try family.question(.resource(), Self.chat), "approve")
    let events = try family.responses(Self.chat.with(["after": 0]))
    _ = try events.backlog()
    try change(Self.resource, value, Self.chat.with(["guardian": "uid:5002"]))
    #expect(try events.next()["event"] == "revoked")
    let found = try family.status(.resource(), Self.chat)
    #expect(found["status"] == .string(status) && found["nextAction"] == "askGuardian" && found["grant"] == nil)
    #expect(try family.ask(.resource(), Self.chat)["question"] == nil)
    #expect(try family.ask(.resource("org.example.other"), Self.chat)["state"] == "pending")
  }

  @Test func `a resource that is approved lets whoever waits go on, and needs no question`() throws {
    let requester = try family.requester(.resource(), Self.chat)
    try change(Self.resource, "approved", Self.chat)
    let decision = try requester.receiveAnswer()
    #expect(decision["state"] == "approved" && decision["nextAction"] == "proceed" && decision["choice"] == "approve")
    try change(Self.resource, "notDetermined", Self.chat)
    #expect(try family.status(.resource(), Self.chat)["status"] == "notDetermined")
    try change(Self.resource, "approved", Self.chat)
    let asked = try family.ask(.resource(), Self.chat)
    #expect(asked["state"] == "approved" && asked["question"] == nil && asked["grant"] != nil)
    let events = try family.responses(Self.chat.with(["after": 0])).backlog()
    let kinds = try events.map { try $0.text("event") }.filter { $0 != "delivered" }
    #expect(kinds == ["asked", "decided", "granted", "grantEnded", "granted"])
    #expect(try events.map { try $0.number("sequence") } == Array(1...Int64(events.count)))
  }

  @Test func `a rule that open approvals already meet ends the question`() throws {
    try change("guardianRule", "all")
    let requester = try family.requester(.update("2.0"))
    let question = try family.desk.guardian("ListQuestions").list("questions")[0].text("question")
    #expect(try family.answer(question, "approve")["state"] == "pending")
    try change("guardianRule", "any", ["guardian": "uid:5002"])
    #expect(try requester.receiveAnswer()["state"] == "approved")
  }

  @Test func `what is settled is listed in pages, by whom and since when`() throws {
    try change("neverAsk", "true", Self.chat)
    try change(Self.resource, "denied", Self.chat.with(["guardian": "uid:5002"]))
    let all = try settings()
    #expect(
      try all.map { "\(try $0.text("setting")) \(try $0.text("value"))" } == [
        "guardianRule any", "neverAsk false", "neverAsk true", "\(Self.resource) denied",
      ])
    #expect(all[3]["setBy"] == "uid:5002" && all[0]["setBy"] == nil)
    #expect(try all[3].number("setAtUSec") > 0)
    var found: [JSONObject] = []
    var after: JSONObject = [:]
    repeat {
      let page = try family.desk.guardian("ListSettings", (["limit": 1] as JSONObject).with(after))
      found += try page.list("settings")
      after = page["next"].map { ["after": $0] } ?? [:]
    } while !after.members.isEmpty
    #expect(found == all)
    try family.startAgainAfterKill()
    #expect(try settings() == all)
  }

  @Test(
    arguments: [
      (["setting": "sharing"], "setting"), (["setting": "resource/camera"], "setting"), (["setting": ""], "setting"),
      (["setting": .string(String(repeating: "n", count: 1_024))], "setting"),
      (["setting": .string("resource/" + String(repeating: "a.", count: 512))], "setting"),
      (["value": "maybe"], "value"), (["value": ""], "value"),
      (["value": .string(String(repeating: "v", count: 1_024))], "value"),
      (["setting": "guardianRule", "value": "all", "app": "org.example.Chat"], "app"),
      (["setting": "resource/org.example.x", "value": "denied"], "app"), (["app": "chat"], "app"),
      (["app": .string(String(repeating: "a", count: 1_024))], "app"), (["person": "mia"], "person"),
      (["person": .string("uid:" + String(repeating: "1", count: 1_020))], "person"), (["guardian": "ann"], "guardian"),
    ] as [(JSONObject, String)])
  func `what cannot be set is refused with its field, and nothing changes`(spoilt: JSONObject, field: String) throws {
    let before = try settings()
    let refusal = #expect(throws: CallError.self) { try change("neverAsk", "true", spoilt) }
    #expect(refusal?.name == "\(Interface.guardian).InvalidValue" && refusal?.parameters["field"] == .string(field))
    #expect(try settings() == before)
  }

  @Test func `nothing is set for a person nobody enrolled`() throws {
    let refusal = #expect(throws: CallError.self) { try change("neverAsk", "true", ["person": "uid:5999"]) }
    #expect(refusal?.name == "\(Interface.guardian).UnknownPerson")
    let listing = #expect(throws: CallError.self) { try settings(["person": "uid:5999"]) }
    #expect(listing?.name == "\(Interface.guardian).UnknownPerson")
    for call in [["after": "somewhere"], ["limit": 0], ["limit": 1_001], ["app": "chat"]] as [JSONObject] {
      let refusal = #expect(throws: CallError.self) { try settings(call) }
      #expect(refusal?.name == "\(Interface.guardian).InvalidValue")
    }
  }

  // MARK: consentctl

  @Test func `settings are seen and changed as somebody types them`() throws {
    let listed = try family.consentctl("settings")
    #expect(listed.exit == .status(0))
    #expect(listed.output.contains("guardianRule  (any)") && listed.output.contains("neverAsk      (false)"))
    let changed = try family.consentctl("settings", "uid:5001", "org.example.Chat", "neverAsk", "true")
    #expect(changed.exit == .status(0))
    #expect(changed.output.hasPrefix("neverAsk of uid:5001 is true: org.example.Chat does not ask"))
    #expect(try family.ask(.update("2.0"), Self.chat)["state"] == "denied")
    let json = try family.consentctl("settings", "uid:5001", "guardianRule", "all", "--guardian", "uid:5002", "--json")
    let setting = try JSONObject(parsing: Array(json.output.utf8.dropLast())).member("setting")
    #expect(setting["value"] == "all" && setting["setBy"] == "uid:5002")
    let one = try family.consentctl("settings", "uid:5001", "org.example.Chat", "--json")
    #expect(try JSONObject(parsing: Array(one.output.utf8.dropLast())).list("settings").count == 1)
  }

  @Test func `a change that cannot be is one line and a usage failure`() throws {
    for words in [["neverAsk", "perhaps"], ["sharing", "always"], ["org.example.Chat", "guardianRule", "all"]] {
      let outcome = try Program.run(
        Program.path(of: "consentctl"), ["settings", "uid:5001"] + words, environment: family.environment)
      #expect(outcome.exit == .status(2) && outcome.output.isEmpty)
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(try family.consentctl("settings", "--guardian", "uid:5000").exit == .status(2))
  }
}

extension Family {
  fileprivate func startAgainAfterKill() throws {
    try daemon.kill()
    try startAgain()
  }
}
