// SPDX-License-Identifier: Apache-2.0
//
// What an app's uid may do: ask about itself, see its own questions, and nothing in anybody else's name.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct AskerAuthorityTests {
  @Test(arguments: ["GetStatus", "Ask", "Request", "GetAgeRange", "Acknowledge", "Responses"])
  func `a child that names another person is refused`(method: String) throws {
    let household = try Household()
    let before = try household.everything()
    let persons: [JSON] = [
      household.name(Household.Uid.guardian), household.name(Household.Uid.otherChild), "uid:0",
      "account:org.example.Chat/7",
    ]
    let interface = method == "GetAgeRange" ? Interface.ageRange : Interface.permission
    for person in persons {
      try household.child.send(
        "\(interface).\(method)", parameters(of: method).with(["person": person]), more: method == "Responses")
      let refusal = #expect(throws: CallError.self) { try household.child.receiveAnswer() }
      #expect(refusal?.name == "\(interface).NotPermitted")
    }
    #expect(try household.everything() == before)
  }

  @Test(arguments: [
    Household.Uid.stranger, Household.Uid.guardian, Household.Uid.otherChild, Household.Uid.administrator, 0,
  ])
  func `another uid's question is unknown`(uid: UInt32) throws {
    let household = try Household()
    let question = try household.question()
    let before = try household.everything()
    let other = try household.daemon.apps(as: uid)
    for method in ["Await", "Withdraw"] {
      for id in [question, String(question.prefix(4)), String(question.prefix(31))] {
        let refusal = #expect(throws: CallError.self) { try other.permission(method, ["question": .string(id)]) }
        #expect(refusal == CallError("\(Interface.permission).UnknownQuestion", ["question": .string(id)]))
      }
    }
    #expect(try household.everything() == before)
    let withdrawn = try household.child.permission("Withdraw", ["question": .string(question.prefix(4).description)])
    #expect(withdrawn["state"] == "withdrawn")
  }

  @Test func `each uid has events of its own`() throws {
    let household = try Household()
    _ = try household.question()
    for uid in [Household.Uid.stranger, Household.Uid.otherChild, Household.Uid.guardian] {
      let stream = try EventStream(
        try household.daemon.apps(as: uid), "\(Interface.permission).Responses", ["after": 0])
      #expect(try stream.backlog() == [])
    }
  }

  @Test(arguments: [Household.Uid.child, Household.Uid.stranger, Household.Uid.guardian])
  func `an app's id that has an entry is claimed by nobody else`(uid: UInt32) throws {
    let household = try Household()
    let client = try household.daemon.apps(as: uid)
    for method in ["Ask", "GetStatus", "GetAgeRange"] {
      let interface = method == "GetAgeRange" ? Interface.ageRange : Interface.permission
      let refusal = #expect(throws: CallError.self) {
        try client.call("\(interface).\(method)", parameters(of: method).with(["app": "org.example.Chat"]))
      }
      #expect(refusal?.name == "\(interface).NotPermitted")
    }
    let status = try client.permission("GetStatus", parameters(of: "GetStatus").with(["app": "org.example.Other"]))
    #expect(status["topicKey"] == "significantUpdate/2.0")
  }

  @Test func `a claimed id is shown as claimed`() throws {
    let household = try Household()
    let asked = try household.child.permission("Ask", parameters(of: "Ask").with(["app": "org.example.Other"]))
    let card = try household.guardian.guardian("DescribeQuestion", ["question": .string(asked.text("question"))])
    #expect(try card.member("question")["provenance"] == "claimed")
    #expect(try card.member("question")["app"] == "org.example.Other")
  }

  @Test func `a sandbox's powers are not there`() throws {
    let household = try Household()
    for client in [household.root, household.child, household.guardian] {
      let refusal = #expect(throws: CallError.self) {
        try client.call("\(Interface.sandbox).AdvanceClock", ["byUSec": 1])
      }
      #expect(refusal?.name == "\(Interface.service).InterfaceNotFound")
    }
  }

  private func parameters(of method: String) -> JSONObject {
    switch method {
    case "GetAgeRange", "Responses": [:]
    case "Acknowledge": ["sequence": 1]
    default: ["topic": .object(.update("2.0"))]
    }
  }
}
