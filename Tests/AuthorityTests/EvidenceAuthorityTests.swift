// SPDX-License-Identifier: Apache-2.0
//
// Who may read the audit, and who may look after it; and that whoever tries to answer for others leaves a trace that
// their guardian reads.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct EvidenceAuthorityTests {
  private func history(_ household: Household, _ uid: UInt32, _ parameters: JSONObject = [:]) throws -> [JSONObject] {
    try household.daemon.guardians(as: uid).guardian("History", parameters).list("entries")
  }

  @Test func `a guardian reads of their own child and of no other`() throws {
    let household = try Household()
    for (guardian, child) in [
      (Household.Uid.guardian, Household.Uid.child), (Household.Uid.otherGuardian, Household.Uid.otherChild),
    ] {
      let entries = try history(household, guardian)
      #expect(!entries.isEmpty && entries.allSatisfy { $0["person"] == household.name(child) })
    }
  }

  @Test(arguments: Outsider.all)
  func `nobody else reads of the child`(outsider: Outsider) throws {
    let household = try Household()
    let child = household.name(Household.Uid.child)
    #expect(try history(household, outsider.uid).allSatisfy { $0["person"] != child })
    let refusal = #expect(throws: CallError.self) { try history(household, outsider.uid, ["person": child]) }
    #expect(refusal?.name == "\(Interface.guardian).NotPermitted")
  }

  @Test func `a bridge reads of its contacts' accounts and of no others`() throws {
    let household = try Household()
    let account: JSON = "account:org.example.Chat/mia"
    try household.root.administration("AddPerson", ["person": account])
    try household.root.administration(
      "AddGuardian", ["person": account, "guardian": "contact:org.example.Chat/anna"])
    let entries = try history(household, Household.Uid.bridge)
    #expect(entries.map { $0["kind"] } == ["personAdded", "guardianAdded"])
    #expect(entries.allSatisfy { $0["person"] == account })
    #expect(throws: CallError.self) { try history(household, Household.Uid.service, ["person": account]) }
  }

  @Test(
    arguments: [
      (0, true), (Household.Uid.administrator, true), (Household.Uid.guardian, true),
      (Household.Uid.otherGuardian, true), (Household.Uid.child, false), (Household.Uid.otherChild, false),
      (Household.Uid.stranger, false), (Household.Uid.service, false), (Household.Uid.bridge, false),
      (Household.Uid.daemon, false),
    ] as [(UInt32, Bool)])
  func `administrators and guardians look after the audit, and nobody else`(uid: UInt32, may: Bool) throws {
    let household = try Household()
    let desk = try household.daemon.guardians(as: uid)
    for method in ["GetAuditHead", "VerifyAudit"] {
      if may {
        #expect(try desk.administration(method).number("size") > 0)
      } else {
        let refusal = #expect(throws: CallError.self) { try desk.administration(method) }
        #expect(refusal?.name == "\(Interface.administration).NotPermitted")
      }
    }
  }

  @Test func `whoever is no guardian any more neither reads nor keeps`() throws {
    let household = try Household()
    let parting: JSONObject = [
      "person": household.name(Household.Uid.child), "guardian": household.name(Household.Uid.guardian),
    ]
    try household.root.administration("RemoveGuardian", parting)
    #expect(try history(household, Household.Uid.guardian).isEmpty)
    #expect(throws: CallError.self) { try household.guardian.administration("GetAuditHead") }
  }

  @Test func `who tries to answer for others is seen by their guardian, once, however often they try`() throws {
    let household = try Household()
    let question = try household.question()
    for outsider in Outsider.all {
      let desk = try household.daemon.guardians(as: outsider.uid)
      for _ in 0..<5 {
        #expect(throws: CallError.self) {
          try desk.guardian("Answer", ["question": .string(question), "choice": "approve"])
        }
      }
    }
    let noted = try history(household, Household.Uid.guardian).filter { $0["kind"] == "refusedAnswer" }
    let senders = try noted.map { try $0.member("facts").text("by") }
    #expect(senders.sorted() == Outsider.all.map { "uid:\($0.uid)" }.sorted())
    let verdict = try household.guardian.administration("VerifyAudit")
    #expect(verdict["valid"] == true)
  }

  @Test func `administrators leave their names`() throws {
    let household = try Household()
    let administrator = try household.daemon.guardians(as: Household.Uid.administrator)
    try administrator.administration(
      "AddGuardian",
      ["person": household.name(Household.Uid.child), "guardian": household.name(Household.Uid.stranger)])
    let added = try #require(try history(household, Household.Uid.guardian).last)
    #expect(try added.text("kind") == "guardianAdded")
    #expect(try added.member("facts")["by"] == household.name(Household.Uid.administrator))
  }
}
