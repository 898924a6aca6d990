// SPDX-License-Identifier: Apache-2.0
//
// The interface description is the law: a parameter that is missing, null, unknown or of the wrong type is refused by
// name before anything looks at it. And `org.varlink.service` says truly what is served where.

import StrictJSON
import TestSupport
import Testing

@Suite struct ParameterTests {
  /// A call, and the one parameter it is refused for.
  struct Case: Sendable, CustomTestStringConvertible {
    let method: String
    let parameters: JSONObject
    let offender: String
    var testDescription: String { "\(method) \(parameters.json)" }
  }

  private static let topic = JSON.object(.update("2.0"))

  static let asks: [Case] = [
    Case(method: "Ask", parameters: [:], offender: "topic"),
    Case(method: "Ask", parameters: ["topic": .null], offender: "topic"),
    Case(method: "Ask", parameters: ["topic": "significantUpdate/2.0"], offender: "topic"),
    Case(method: "Ask", parameters: ["topic": []], offender: "topic"),
    Case(method: "Ask", parameters: ["topic": [:]], offender: "topic.kind"),
    Case(method: "Ask", parameters: ["topic": ["kind": .null]], offender: "topic.kind"),
    Case(method: "Ask", parameters: ["topic": ["kind": 1]], offender: "topic.kind"),
    Case(method: "Ask", parameters: ["topic": ["kind": "resource", "reasons": "all"]], offender: "topic.reasons"),
    Case(method: "Ask", parameters: ["topic": ["kind": "resource", "reasons": [1]]], offender: "topic.reasons"),
    Case(method: "Ask", parameters: ["topic": ["kind": "resource", "size": 1]], offender: "topic.size"),
    Case(
      method: "Ask", parameters: ["topic": ["kind": "communication", "people": [[:]]]], offender: "topic.people.handle"),
    Case(
      method: "Ask", parameters: ["topic": ["kind": "communication", "people": [["handle": "a", "x": 1]]]],
      offender: "topic.people.x"),
    Case(method: "Ask", parameters: ["topic": topic, "person": 5001], offender: "person"),
    Case(method: "Ask", parameters: ["topic": topic, "expiresInUSec": "3600000000"], offender: "expiresInUSec"),
    Case(method: "Ask", parameters: ["topic": topic, "expiresInUSec": .real(3.6e9)], offender: "expiresInUSec"),
    Case(method: "Ask", parameters: ["topic": topic, "expiresInUSec": true], offender: "expiresInUSec"),
    Case(method: "Ask", parameters: ["topic": topic, "urgent": true], offender: "urgent"),
    Case(method: "Ask", parameters: ["topic": topic, "timeoutUSec": 1], offender: "timeoutUSec"),
    Case(method: "Await", parameters: ["question": 12], offender: "question"),
    Case(method: "Await", parameters: ["question": "3f9c", "person": "uid:5001"], offender: "person"),
    Case(method: "Withdraw", parameters: ["question": "3f9c", "app": "org.example.Chat"], offender: "app"),
    Case(method: "Acknowledge", parameters: ["sequence": "1"], offender: "sequence"),
  ]

  @Test(arguments: asks)
  func `a parameter that the description forbids is refused by name`(example: Case) throws {
    let family = try Family()
    let before = try family.statistics()
    let refusal = #expect(throws: CallError.self) { try family.app.permission(example.method, example.parameters) }
    #expect(refusal == CallError("\(Interface.service).InvalidParameter", ["parameter": .string(example.offender)]))
    #expect(try family.statistics() == before)
  }

  @Test func `the guardians' side is as strict`() throws {
    let family = try Family()
    let question = JSON.string(try family.question(.update("2.0")))
    let calls: [(method: String, parameters: JSONObject, offender: JSON)] = [
      ("Answer", ["question": question], "choice"), ("Answer", ["choice": "approve"], "question"),
      ("Answer", ["question": question, "choice": .null], "choice"),
      ("Answer", ["question": question, "choice": "approve", "votes": 2], "votes"),
      ("Answer", ["question": question, "choice": "approve", "items": [["colour": "red"]]], "items.colour"),
      ("DeclareAge", ["birthDate": "2014-03-05"], "person"), ("ListQuestions", ["limit": "10"], "limit"),
    ]
    for (method, parameters, offender) in calls {
      let refusal = #expect(throws: CallError.self) { try family.desk.guardian(method, parameters) }
      #expect(refusal == CallError("\(Interface.service).InvalidParameter", ["parameter": offender]))
    }
    #expect(try family.look(#require(question.string))["state"] == "pending")
  }

  @Test func `a nullable parameter may be null`() throws {
    let family = try Family()
    let reply = try family.ask(.update("2.0"), ["key": .null, "expiresInUSec": .null, "app": .null])
    #expect(reply["state"] == "pending")
    #expect(try family.ask(.update("2.0"))["question"] == reply["question"])
  }
}

@Suite struct ServiceTests {
  @Test func `each socket names its own interfaces, sorted`() throws {
    let family = try Family()
    let apps = try family.app.call("\(Interface.service).GetInfo")
    let guardians = try family.desk.call("\(Interface.service).GetInfo")
    #expect(
      apps["interfaces"] == .array([Interface.ageRange, Interface.permission, Interface.service].map { .string($0) }))
    let sandbox = [
      Interface.administration, Interface.guardian, Interface.sandbox, Interface.service,
    ]
    #expect(guardians["interfaces"] == .array(sandbox.map { .string($0) }))
    for name in ["vendor", "product", "version", "url"] { #expect(try !apps.text(name).isEmpty) }
  }

  @Test func `every interface is described under its own name`() throws {
    let family = try Family()
    for client in [family.app, family.desk] {
      let info = try client.call("\(Interface.service).GetInfo")
      for name in try #require(info["interfaces"]?.array).compactMap(\.string) {
        let reply = try client.call("\(Interface.service).GetInterfaceDescription", ["interface": .string(name)])
        #expect(try reply.text("description").contains("\ninterface \(name)\n"))
      }
    }
  }

  @Test func `what is not served is not found, by its full name`() throws {
    let family = try Family()
    let calls: [(String, CallError)] = [
      (
        "org.example.Absent.Do",
        CallError("\(Interface.service).InterfaceNotFound", ["interface": "org.example.Absent"])
      ),
      (
        "\(Interface.permission).Dance",
        CallError("\(Interface.service).MethodNotFound", ["method": .string("\(Interface.permission).Dance")])
      ),
      (
        "\(Interface.guardian).Answer",
        CallError("\(Interface.service).InterfaceNotFound", ["interface": .string(Interface.guardian)])
      ),
      (
        "\(Interface.administration).AddPerson",
        CallError("\(Interface.service).InterfaceNotFound", ["interface": .string(Interface.administration)])
      ),
    ]
    for (method, expected) in calls {
      #expect(throws: expected) { try family.app.call(method) }
    }
    #expect(throws: CallError("\(Interface.service).InterfaceNotFound", ["interface": "org.example.Absent"])) {
      try family.app.call("\(Interface.service).GetInterfaceDescription", ["interface": "org.example.Absent"])
    }
  }
}
