// SPDX-License-Identifier: Apache-2.0
//
// Evidence over the sockets and by consentctl: a guardian reads what was decided, keeps a head, and finds out what was
// done to the audit since.

import StrictJSON
import TestSupport
import Testing

@Suite struct EvidenceTests {
  private func history(_ family: Family, _ parameters: JSONObject = [:]) throws -> [JSONObject] {
    try family.desk.guardian("History", parameters).list("entries")
  }

  private func database(_ family: Family) -> String { family.daemon.directory.file("sandbox/consentd.db") }

  @Test func `a guardian reads what was decided, by whom and how`() throws {
    let family = try Family(born: "2014-03-05")
    let question = try family.question(.update("2.0"), ["app": "org.example.Chat"])
    let hash = try family.card(question).text("contentHash")
    try family.answer(question, "approve", ["note": "since you asked"])
    let entries = try history(family, ["person": .string(Family.person)])
    let kinds = try entries.map { try $0.text("kind") }
    #expect(kinds == ["personAdded", "guardianAdded", "declaration", "granted", "decision"])
    let decision = try #require(entries.last)
    let facts = try decision.member("facts")
    #expect(decision["person"] == .string(Family.person) && decision["app"] == "org.example.Chat")
    #expect(facts["guardian"] == .string(Family.guardian) && facts["contentHash"] == .string(hash))
    #expect(facts["question"] == .string(question) && facts["state"] == "approved" && facts["policy"] != nil)
    #expect(facts["channel"] == "local" && facts["assurance"] == "localUser" && facts["synthetic"] == true)
    let sequences = try entries.map { try $0.number("sequence") }
    #expect(sequences == sequences.sorted())
    let game = try history(family, ["person": .string(Family.person), "app": "org.example.Game"])
    #expect(game.isEmpty)
  }

  @Test func `history comes in pages, and goes on behind any entry`() throws {
    let family = try Family()
    let all = try history(family)
    var (read, after): ([JSONObject], String?) = ([], nil)
    repeat {
      var page: JSONObject = ["limit": 2]
      page["after"] = after.map(JSON.string)
      let reply = try family.desk.guardian("History", page)
      read += try reply.list("entries")
      after = reply["next"]?.string
    } while after != nil
    #expect(read == all && all.count == 4)
    let third = try all[2].number("sequence")
    #expect(try history(family, ["after": .string("\(third)")]) == [all[3]])
  }

  @Test func `answers that come too late or are to something else are in the history`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    for _ in 0..<2 {
      #expect(throws: CallError.self) { try family.answer(question, "approve", ["contentHash": "0"]) }
    }
    try family.answer(question, "deny")
    for _ in 0..<2 { #expect(throws: CallError.self) { try family.answer(question, "approve") } }
    let entries = try history(family).suffix(3)
    #expect(entries.map { $0["kind"] } == ["refusedAnswer", "decision", "lateAnswer"])
    #expect(try entries.first?.member("facts")["reason"] == "contentChanged")
  }

  @Test func `a head that was kept tells what was done since`() throws {
    let family = try Family()
    try family.answer(family.question(.update("1.0")), "deny")
    let typed = try family.consentctl("audit", "head")
    #expect(typed.exit == .status(0))
    let head = typed.output.trimmingNewline
    try family.answer(family.question(.update("2.0")), "approve")
    let fine = try family.consentctl("audit", "verify", head)
    #expect(fine.exit == .status(0) && fine.output.hasPrefix("All 7 entries of the audit are as they were written"))
    try family.daemon.kill()
    try Tampering.change(
      database(family), "UPDATE audit SET payload = replace(payload, 'denied', 'granted') WHERE seq = 5")
    try family.startAgain()
    let changed = try family.consentctl("audit", "verify", head)
    #expect(changed.exit == .status(1) && changed.output.hasPrefix("What entry 5 says was changed."))
    let verdict = try family.desk.administration("VerifyAudit")
    #expect(verdict["valid"] == false && verdict["firstBad"] == 5 && verdict["problem"] == "payload")
    try Tampering.change(database(family), "DELETE FROM audit WHERE seq > 4")
    let cut = try family.consentctl("audit", "verify", head, "--json")
    #expect(cut.exit == .status(1))
    #expect(
      try cut.object.with([:]).without("hash") == [
        "valid": false, "size": 4, "emptied": 0, "firstBad": 5, "problem": "cut",
      ])
    let unaware = try family.consentctl("audit", "verify")
    #expect(unaware.exit == .status(0) && unaware.output.contains("a head that was kept elsewhere"))
  }

  @Test func `an erasure leaves a chain that closes and an entry that names nobody`() throws {
    let family = try Family(born: "2014-03-05")
    try family.answer(family.question(.update("1.0")), "approve")
    let head = try family.desk.administration("GetAuditHead")
    try family.desk.administration("Erase", ["person": .string(Family.person)])
    let verdict = try family.desk.administration("VerifyAudit", ["head": .object(head)])
    #expect(verdict["valid"] == true && verdict["problem"] == nil)
    let erased = try #require(try history(family).last)
    #expect(erased["kind"] == "erased" && erased["person"] == nil)
    #expect(!erased.json.contains(Family.person))
    #expect(try history(family).allSatisfy { $0["person"] != .string(Family.person) })
  }

  @Test func `an export has what the audit says of the person`() throws {
    let family = try Family()
    try family.answer(family.question(.update("1.0")), "approve")
    let document = try family.consentctl("export", Family.person).object
    let kinds = try document.list("audits").map { try $0.text("kind") }
    #expect(kinds == ["personAdded", "guardianAdded", "granted", "decision"])
    #expect(try document.list("audits").allSatisfy { try !$0.member("facts").isEmpty })
  }

  @Test(
    arguments: [
      (["size": 1, "hash": "00"], "head.hash"), (["size": -1, "hash": .string(Self.zeros)], "head.size"),
      (["size": 1, "hash": .string(Self.zeros.replacing("0", with: "A"))], "head.hash"),
    ] as [(JSONObject, String)])
  func `what is no head is refused`(head: JSONObject, field: String) throws {
    let family = try Family()
    let refusal = #expect(throws: CallError.self) {
      try family.desk.administration("VerifyAudit", ["head": .object(head)])
    }
    #expect(refusal?.name == "\(Interface.administration).InvalidValue")
    #expect(refusal?.parameters["field"] == .string(field))
  }

  private static let zeros = String(repeating: "0", count: 64)

  @Test func `consentctl says in a line each what was decided and changed`() throws {
    let family = try Family(born: "2014-03-05")
    try family.answer(family.question(.update("1.0"), ["app": "org.example.Chat"]), "approve", ["note": "fine"])
    try family.answer(family.question(.resource("org.example.time")), "deny")
    let outcome = try family.consentctl("history", Family.person)
    #expect(outcome.exit == .status(0) && outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 6)
    for (line, words) in zip(
      lines,
      [
        "uid:5001  enrolled by ", "uid:5001  uid:5000 may answer, by ", "born 2014-03-05, declared by ",
        "org.example.Chat  significantUpdate/1.0: given",
        "significantUpdate/1.0: approved (approve), by uid:5000",
        "resource/org.example.time: denied (deny), by uid:5000",
      ])
    { #expect(line.contains(words), "\(line)") }
    let chat = try family.consentctl("history", Family.person, "--app", "org.example.Chat", "--json")
    #expect(try chat.object.list("entries").count == 2)
    #expect(try family.consentctl("audit", "verify", "7").exit == .status(2))
    #expect(try family.consentctl("audit", "verify", "7:xyz").exit == .status(2))
  }
}

extension String {
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
