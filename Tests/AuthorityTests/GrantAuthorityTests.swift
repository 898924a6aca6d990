// SPDX-License-Identifier: Apache-2.0
//
// Who sees and takes back what stands approved for a child, and whose yes counts where every guardian must agree.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct GrantAuthorityTests {
  private let household: Household
  private let child: JSON

  init() throws {
    household = try Household()
    child = household.name(Household.Uid.child)
  }

  private func answer(_ question: String, _ desk: TestClient, _ choice: JSON = "approve") throws -> JSONObject {
    try desk.guardian("Answer", ["question": .string(question), "choice": choice])
  }

  /// The other family's guardian becomes a second one of the child, and both must agree.
  private func bothMustAgree() throws -> TestClient {
    let second = household.name(Household.Uid.otherGuardian)
    try household.root.administration("AddGuardian", ["person": child, "guardian": second])
    try household.guardian.guardian("ChangeSetting", ["person": child, "setting": "guardianRule", "value": "all"])
    return try household.daemon.guardians(as: Household.Uid.otherGuardian)
  }

  @Test(arguments: Outsider.all)
  func `nobody else sees what stands approved, or takes it back`(outsider: Outsider) throws {
    _ = try answer(try household.question(), household.guardian)
    let before = try household.guardian.guardian("ListGrants").list("grants")
    let grant = try #require(before.first).text("grant")
    let desk = try household.daemon.guardians(as: outsider.uid)
    #expect(try desk.guardian("ListGrants").list("grants").isEmpty)
    let parameters: [JSONObject] = [["grant": .string(grant)], ["person": child]]
    for (parameter, error) in zip(parameters, ["UnknownGrant", "NotPermitted"]) {
      let refusal = #expect(throws: CallError.self) { try desk.guardian("Revoke", parameter) }
      #expect(refusal?.name == "\(Interface.guardian).\(error)")
    }
    #expect(try household.guardian.guardian("ListGrants").list("grants") == before)
    let revoked = try household.guardian.guardian("Revoke", ["grant": .string(grant)])
    #expect(try revoked.list("grants").count == 1)
  }

  @Test func `where both must agree, the same one's yes twice is one`() throws {
    let second = try bothMustAgree()
    let question = try household.question()
    for _ in 1...2 { #expect(try answer(question, household.guardian)["state"] == "pending") }
    #expect(try answer(question, second)["state"] == "approved")
  }

  @Test func `a guardian who is removed takes the vote along`() throws {
    let second = try bothMustAgree()
    let question = try household.question()
    #expect(try answer(question, second)["state"] == "pending")
    try household.root.administration(
      "RemoveGuardian", ["person": child, "guardian": household.name(Household.Uid.otherGuardian)])
    let card = try household.guardian.guardian("DescribeQuestion", ["question": .string(question)])
    #expect(try card.member("question")["votes"] == ["have": 0, "need": 1])
    #expect(throws: CallError.self) { try answer(question, second) }
    #expect(try answer(question, household.guardian)["state"] == "approved")
  }

  @Test func `a yes that stands is enough when the other guardian is removed`() throws {
    _ = try bothMustAgree()
    let question = try household.question()
    #expect(try answer(question, household.guardian)["state"] == "pending")
    try household.root.administration(
      "RemoveGuardian", ["person": child, "guardian": household.name(Household.Uid.otherGuardian)])
    let look: JSONObject = ["question": .string(question), "timeoutUSec": 0]
    #expect(try household.child.permission("Await", look)["state"] == "approved")
  }
}
