// SPDX-License-Identifier: Apache-2.0
//
// consentctl for what stands approved: approving a part, up to an end and together with others, seeing what came of it,
// and taking it back.

import StrictJSON
import TestSupport
import Testing

@Suite struct GrantCommandTests {
  private static let chat: JSONObject = ["app": "org.example.Chat"]

  private func grants(_ family: Family) throws -> [JSONObject] { try family.desk.guardian("ListGrants").list("grants") }

  @Test func `an approval says how it is taken back, and that takes it back`() throws {
    let family = try Family()
    let approved = try family.consentctl("approve", try family.question(.update("2.0"), Self.chat))
    let grant = try #require(try grants(family).first).text("grant")
    let command = "consentctl revoke \(grant.prefix(8))"
    #expect(approved.output.contains(command))
    let listed = try family.consentctl("grants", "--person", Family.person, "--app", "org.example.Chat")
    #expect(listed.exit == .status(0))
    #expect(listed.output.contains("significantUpdate/2.0") && listed.output.contains(grant.prefix(8)))
    let revoked = try family.consentctl("revoke", String(grant.prefix(8)), "--note", "too early")
    #expect(revoked.exit == .status(0))
    #expect(revoked.output.contains("Taken back: significantUpdate/2.0"))
    let status = try family.consentctl(
      "get", "significantUpdate/2.0", "--person", Family.person, "--app", "org.example.Chat")
    #expect(status.exit == .status(3))
    #expect(status.output.contains("a guardian took it back"))
    let again = try family.consentctl("revoke", grant)
    #expect(again.exit == .status(0))
    #expect(again.output.contains("nothing to take back"))
    #expect(try family.consentctl("grants").output.contains("Nothing stands approved."))
  }

  @Test func `everything an app has is taken back, and nothing else`() throws {
    let family = try Family()
    for (change, app) in [("1", "org.example.Chat"), ("2", "org.example.Chat"), ("1", "org.example.Game")] {
      try family.answer(try family.question(.update(change), ["app": .string(app)]), "approve")
    }
    let revoked = try family.consentctl("revoke", "--person", Family.person, "--app", "org.example.Chat", "--json")
    #expect(try JSONObject(parsing: Array(revoked.output.utf8)).list("grants").count == 2)
    #expect(try grants(family).map { $0["app"] } == ["org.example.Game"])
    #expect(try family.consentctl("revoke", "--person", Family.person).exit == .status(0))
    #expect(try grants(family).isEmpty)
  }

  @Test func `what is to be taken back has to be said, and be there`() throws {
    let family = try Family()
    #expect(try family.consentctl("revoke").exit == .status(2))
    #expect(try family.consentctl("revoke", "--app", "a.b").exit == .status(2))
    #expect(try family.consentctl("revoke", "3f9c", "--person", Family.person).exit == .status(2))
    let unknown = try family.consentctl("revoke", "3f9c")
    #expect(unknown.exit == .status(1))
    #expect(unknown.errors.contains("consentctl grants lists them"))
  }

  @Test func `a part of a communication is approved up to an end`() throws {
    let family = try Family()
    let topic = JSONObject.talk(with: ["oma", "opa"], by: ["message", "videoCall"])
    let question = try family.question(topic, Self.chat)
    let wrong = try family.consentctl("approve", question, "--items", "chat")
    #expect(wrong.exit == .status(2))
    #expect(wrong.errors.contains("message, videoCall"))
    let approved = try family.consentctl(
      "approve", question, "--until", "7d", "--items", "message,oma:videoCall,oma:message")
    #expect(approved.exit == .status(0))
    let grant = try #require(try grants(family).first)
    #expect(grant["lifetime"] == "until" && grant["untilUSec"] != nil)
    let items = try grant.list("items").map { "\(try $0.text("handle")):\(try $0.text("action"))" }
    #expect(Set(items) == ["oma:message", "opa:message", "oma:videoCall"] && items.count == 3)
  }

  @Test func `a choice that is not offered is refused with those that are`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    for option in ["--once", "--until=7d"] {
      let refused = try family.consentctl("approve", question, option)
      #expect(refused.exit == .status(2))
      #expect(refused.errors.contains("approve, deny"))
    }
    #expect(try family.consentctl("approve", question, "--once", "--until", "7d").exit == .status(2))
    #expect(try family.consentctl("approve", question, "--until", "tomorrow").exit == .status(2))
    #expect(try family.consentctl("approve", question, "--until", "2027-02-30").exit == .status(2))
    #expect(try family.look(question)["state"] == "pending")
  }

  @Test func `the first of two yeses leaves the question open`() throws {
    let family = try Family(guardians: [Family.guardian, "uid:5002"])
    #expect(try family.consentctl("settings", Family.person, "guardianRule", "all").exit == .status(0))
    let question = try family.question(.update("2.0"), Self.chat)
    let first = try family.consentctl("approve", question, "--guardian", Family.guardian)
    #expect(first.exit == .status(4))
    #expect(first.output.contains("1 of 2"))
    let second = try family.consentctl("approve", question, "--guardian", "uid:5002")
    #expect(second.exit == .status(0))
    #expect(second.output.contains("consentctl revoke"))
  }
}
