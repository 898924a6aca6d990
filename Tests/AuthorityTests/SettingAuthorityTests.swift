// SPDX-License-Identifier: Apache-2.0
//
// Who may see and change what is settled for a child: its guardians, and nobody else, whatever they claim.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct SettingAuthorityTests {
  private let household: Household
  private let child: JSON

  init() throws {
    household = try Household()
    child = household.name(Household.Uid.child)
  }

  /// One change of each kind.
  private static let changes: [JSONObject] = [
    ["setting": "neverAsk", "value": "true"], ["setting": "neverAsk", "value": "false", "app": "org.example.Game"],
    ["setting": "guardianRule", "value": "all"],
    ["setting": "resource/org.example.screenTime", "value": "approved", "app": "org.example.Game"],
    ["setting": "resource/org.example.screenTime", "value": "denied", "app": "org.example.Game"],
  ]

  private func settings() throws -> [JSONObject] { try household.guardian.guardian("ListSettings").list("settings") }

  @Test func `a guardian settles what the child's apps may ask`() throws {
    let setting = try household.guardian.guardian("ChangeSetting", Self.changes[0].with(["person": child]))
    #expect(try setting.member("setting")["setBy"] == household.name(Household.Uid.guardian))
    let asked = try household.child.permission("Ask", ["topic": .object(.update("2.0"))])
    #expect(asked["state"] == "denied" && asked["question"] == nil)
    let approved = Self.changes[3].with(["person": child])
    #expect(try household.guardian.guardian("ChangeSetting", approved).member("setting")["value"] == "approved")
    let granted = try household.child.permission(
      "Ask", ["topic": .object(.resource()), "app": "org.example.Game"])
    #expect(granted["state"] == "approved" && granted["grant"] != nil)
  }

  @Test(arguments: Outsider.all)
  func `nobody else changes anything`(outsider: Outsider) throws {
    let before = (try settings(), try household.everything())
    let desk = try household.daemon.guardians(as: outsider.uid)
    let guises: [JSONObject] = [
      [:], ["guardian": household.name(Household.Uid.guardian)], ["guardian": household.name(outsider.uid)],
      ["guardian": "contact:org.example.Chat/anna"],
    ]
    for change in Self.changes {
      for guise in guises {
        let refusal = #expect(throws: CallError.self) {
          try desk.guardian("ChangeSetting", change.with(["person": child]).with(guise))
        }
        #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
      }
    }
    #expect(try settings() == before.0)
    #expect(try household.everything() == before.1)
  }

  @Test(arguments: Outsider.all)
  func `nobody else sees anything, nor whether the person is enrolled`(outsider: Outsider) throws {
    let desk = try household.daemon.guardians(as: outsider.uid)
    for person in [child, "uid:52999"] {
      let refusal = #expect(throws: CallError.self) { try desk.guardian("ListSettings", ["person": person]) }
      #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
    }
    let listed = try desk.guardian("ListSettings").list("settings")
    #expect(listed.allSatisfy { $0["person"] != child })
    #expect(listed.isEmpty == (outsider.uid != Household.Uid.otherGuardian))
  }

  @Test func `a bridge settles for the accounts of its contacts and for nobody else`() throws {
    let service = try household.daemon.guardians(as: Household.Uid.service)
    let bridge = try household.daemon.guardians(as: Household.Uid.bridge)
    let account: JSONObject = ["person": "account:org.example.Chat/kim"]
    try service.administration("AddPerson", account)
    try service.administration("AddGuardian", account.with(["guardian": "contact:org.example.Chat/nan"]))
    let change: JSONObject = ["setting": "neverAsk", "value": "true"]
    let setting = try bridge.guardian("ChangeSetting", change.with(account)).member("setting")
    #expect(setting["setBy"] == "contact:org.example.Chat/nan")
    for caller in [service, household.guardian, household.root] {
      let refusal = #expect(throws: CallError.self) { try caller.guardian("ChangeSetting", change.with(account)) }
      #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
    }
    let refusal = #expect(throws: CallError.self) {
      try bridge.guardian("ChangeSetting", change.with(["person": child]))
    }
    #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
  }

  @Test func `an app that is registered is approved for nobody who cannot ask as it`() throws {
    let change: JSONObject = [
      "person": child, "setting": "resource/org.example.screenTime", "app": "org.example.Chat",
    ]
    let refusal = #expect(throws: CallError.self) {
      try household.guardian.guardian("ChangeSetting", change.with(["value": "approved"]))
    }
    #expect(refusal?.name == "\(Interface.guardian).InvalidValue" && refusal?.parameters["field"] == "app")
    #expect(
      try household.guardian.guardian("ChangeSetting", change.with(["value": "denied"])).member("setting")["value"]
        == "denied")
  }

  @Test func `a guardian who is removed settles nothing any more, and what they settled stays`() throws {
    try household.root.administration(
      "AddGuardian", ["person": child, "guardian": household.name(Household.Uid.stranger)])
    let other = try household.daemon.guardians(as: Household.Uid.stranger)
    try other.guardian("ChangeSetting", Self.changes[0].with(["person": child]))
    let before = try settings()
    try household.root.administration(
      "RemoveGuardian", ["person": child, "guardian": household.name(Household.Uid.stranger)])
    let refusal = #expect(throws: CallError.self) {
      try other.guardian("ChangeSetting", Self.changes[2].with(["person": child]))
    }
    #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
    #expect(try settings() == before)
  }
}
