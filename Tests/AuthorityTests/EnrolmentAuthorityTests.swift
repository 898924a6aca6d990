// SPDX-License-Identifier: Apache-2.0
//
// Who may say who is a person here, who is a guardian, and how old somebody is. A child cannot make itself an adult by
// any method there is.

import Glibc
import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct EnrolmentAuthorityTests {
  @Test(arguments: [
    Household.Uid.child, Household.Uid.guardian, Household.Uid.stranger, Household.Uid.otherGuardian,
    Household.Uid.bridge, Household.Uid.daemon,
  ])
  func `nobody but an administrator enrols, removes, lists or counts`(uid: UInt32) throws {
    let household = try Household()
    let before = try household.everything()
    let client = try household.daemon.guardians(as: uid)
    let child = household.name(Household.Uid.child)
    let calls: [(method: String, parameters: JSONObject)] = [
      ("AddPerson", ["person": household.name(uid)]), ("AddPerson", ["person": child, "displayName": "X"]),
      ("RemovePerson", ["person": child]), ("AddGuardian", ["person": child, "guardian": household.name(uid)]),
      ("RemoveGuardian", ["person": child, "guardian": household.name(Household.Uid.guardian)]),
      ("ListPeople", [:]), ("GetStatistics", [:]), ("Backup", [:]), ("Reload", [:]),
    ]
    for (method, parameters) in calls {
      let refusal = #expect(throws: CallError.self) { try client.administration(method, parameters) }
      #expect(refusal?.name == "\(Interface.administration).NotPermitted")
    }
    #expect(try household.everything() == before)
  }

  @Test func `a guardian is not moved to the uid of a registered app`() throws {
    let household = try Household()
    let before = try household.everything()
    let refusal = #expect(throws: CallError.self) {
      try household.root.administration(
        "MovePerson", ["from": household.name(Household.Uid.guardian), "to": household.name(Household.Uid.service)])
    }
    #expect(refusal?.name == "\(Interface.administration).InvalidValue" && refusal?.parameters["field"] == "to")
    #expect(try household.everything() == before)
  }

  @Test func `an administrator whom the state directory is closed to is told where the backup is`() throws {
    let household = try Household()
    let place = try TemporaryDirectory()
    #expect(chmod(place.path, 0o777) == 0)
    let outcome = try Program.run(
      Program.path(of: "consentctl"), ["backup", place.file("backup.db")],
      environment: ["CONSENTD_RUNTIME_DIRECTORY": household.daemon.directory.file("run")],
      wrappers: [.user(Household.Uid.administrator)])
    #expect(outcome.exit == .status(1) && outcome.errors.contains("is still at "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("nothing was left behind"))
  }

  @Test func `an administrator of the configuration enrols`() throws {
    let household = try Household()
    let administrator = try household.daemon.guardians(as: Household.Uid.administrator)
    let person = household.name(52_020)
    try administrator.administration("AddPerson", ["person": person])
    try administrator.administration("AddGuardian", ["person": person, "guardian": household.name(52_021)])
    try administrator.guardian("DeclareAge", ["person": person, "birthDate": "2014-03-05"])
    let range = try household.daemon.apps(as: 52_020).ageRange("GetAgeRange").member("range")
    #expect(range["source"] == "administratorDeclared")
  }

  @Test func `a child cannot declare itself an adult by any method`() throws {
    let household = try Household()
    let before = try household.everything()
    let me = household.name(Household.Uid.child)
    let desk = try household.daemon.guardians(as: Household.Uid.child)
    let adult: JSONObject = ["person": me, "birthDate": "1990-01-01"]
    let attempts: [(client: TestClient, method: String, parameters: JSONObject)] = [
      (desk, "\(Interface.guardian).DeclareAge", adult),
      (desk, "\(Interface.guardian).DeclareAge", ["person": me, "lowerBound": 18]),
      (desk, "\(Interface.guardian).DeclareAge", adult.with(["guardian": household.name(Household.Uid.guardian)])),
      (household.child, "\(Interface.ageRange).DeclareAge", adult),
      (household.child, "\(Interface.ageRange).DeclareAge", adult.with(["person": "account:org.example.Chat/7"])),
      (desk, "\(Interface.administration).RemovePerson", ["person": me]),
      (desk, "\(Interface.administration).AddGuardian", ["person": me, "guardian": me]),
      (
        desk, "\(Interface.administration).AddGuardian",
        ["person": household.name(Household.Uid.otherChild), "guardian": me]
      ),
      (
        desk, "\(Interface.administration).RemoveGuardian",
        ["person": me, "guardian": household.name(Household.Uid.guardian)]
      ),
      (desk, "\(Interface.sandbox).AdvanceClock", ["byUSec": 315_576_000_000_000]),
    ]
    for (client, method, parameters) in attempts {
      #expect(throws: CallError.self) { try client.call(method, parameters) }
    }
    #expect(try household.everything() == before)
    let asked = try household.child.permission("Ask", ["topic": .object(.update("2.0"))])
    #expect(asked["state"] == "pending")
  }

  @Test func `whoever has no guardian declares for themself, until they have one`() throws {
    let household = try Household()
    let me = household.name(Household.Uid.stranger)
    try household.root.administration("AddPerson", ["person": me])
    let desk = try household.daemon.guardians(as: Household.Uid.stranger)
    let app = try household.daemon.apps(as: Household.Uid.stranger)
    try desk.guardian("DeclareAge", ["person": me, "birthDate": "1990-01-01"])
    #expect(try app.ageRange("GetAgeRange").member("range")["source"] == "selfDeclared")
    #expect(try app.permission("Ask", ["topic": .object(.update("2.0"))])["state"] == "notRequired")
    try household.root.administration(
      "AddGuardian", ["person": me, "guardian": household.name(Household.Uid.guardian)])
    #expect(try app.permission("Ask", ["topic": .object(.update("2.0"))])["state"] == "pending")
    #expect(throws: CallError.self) { try desk.guardian("DeclareAge", ["person": me, "birthDate": "1980-01-01"]) }
    #expect(try app.permission("GetStatus", ["topic": .object(.update("2.0"))])["status"] == "pending")
  }

  @Test func `root's word about an age is the administrator's and outranks the guardian's`() throws {
    let household = try Household()
    let child = household.name(Household.Uid.child)
    try household.root.guardian("DeclareAge", ["person": child, "birthDate": "2013-01-01"])
    try household.guardian.guardian("DeclareAge", ["person": child, "birthDate": "1990-01-01"])
    let range = try household.child.ageRange("GetAgeRange").member("range")
    #expect(range["source"] == "administratorDeclared")
    #expect(range["lowerBound"] != 18)
  }
}

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct CommandAuthorityTests {
  @Test func `consentctl is nobody special: it may what its user may`() throws {
    let household = try Household()
    let asked = try household.consentctl(
      ["ask", "significantUpdate/2.0", "--text", "Adds voice rooms.", "--json"], as: Household.Uid.child)
    #expect(asked.exit == .status(4))
    let question = try JSONObject(parsing: Array(asked.output.utf8)).text("question")
    for uid in [Household.Uid.child, Household.Uid.stranger, Household.Uid.otherGuardian] {
      for command in [["approve", question], ["deny", question], ["show", question]] {
        let outcome = try household.consentctl(command, as: uid)
        #expect(outcome.exit == .status(1))
        #expect(outcome.output == "")
        #expect(outcome.errors.split(separator: "\n").count == 1)
      }
      for command in [
        ["enroll", "uid:\(uid)", "--born", "1990-01-01", "--guardian", "uid:52009"],
        ["age", "declare", "uid:52001", "--born", "1990-01-01"],
      ] {
        #expect(try household.consentctl(command, as: uid).exit == .status(1))
      }
    }
    #expect(
      try household.consentctl(["await", question, "--timeout", "0"], as: Household.Uid.child).exit == .status(4))
    #expect(try household.consentctl(["approve", question], as: Household.Uid.guardian).exit == .status(0))
    #expect(try household.consentctl(["await", question], as: Household.Uid.child).exit == .status(0))
    #expect(try household.consentctl(["await", question], as: Household.Uid.stranger).exit == .status(1))
  }
}

extension Household {
  /// Runs consentctl against this daemon as another user.
  fileprivate func consentctl(_ arguments: [String], as user: UInt32) throws -> Program.Outcome {
    try Program.run(
      Program.path(of: "consentctl", forAnyone: true), arguments,
      environment: ["CONSENTD_RUNTIME_DIRECTORY": daemon.directory.file("run")], wrappers: [.user(user)])
  }
}
