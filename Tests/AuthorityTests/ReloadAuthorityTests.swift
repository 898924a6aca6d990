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
