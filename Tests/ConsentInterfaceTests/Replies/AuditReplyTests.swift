// SPDX-License-Identifier: Apache-2.0
//
// The audit on the wire, against the texts of its interfaces; and heads and places as they are read from calls.

import ConsentInterface
import StrictJSON
import Testing
import Varlink

@testable import ConsentModel

@Suite struct AuditReplyTests {
  private let head = AuditHead(size: 7, hash: [UInt8](repeating: 0xA0, count: 32))

  @Test func `entries are what the interface says, with everything and with nothing`() throws {
    let interface = try Interfaces.named(Contract.guardian)
    let full = HistoryEntry(
      sequence: 3, at: Instant(usec: 5), kind: "decision", person: .mia, app: .chat, facts: ["state": "approved"])
    let bare = HistoryEntry(sequence: 1, at: Instant(usec: 0), kind: "later", person: nil, app: nil, facts: [:])
    let page = Page(entries: [full, bare], next: "3").json("entries", \.json)
    #expect(interface.firstInvalidField(ofReply: page, method: "History") == nil)
    #expect(full.json["person"] == "uid:1001" && full.json["atUSec"] == 5)
    #expect(bare.json["person"] == nil && bare.json["app"] == nil)
  }

  @Test func `heads and verdicts are what the interface says`() throws {
    let interface = try Interfaces.named(Contract.administration)
    #expect(interface.firstInvalidField(ofReply: head.json, method: "GetAuditHead") == nil)
    #expect(head.json["hash"] == .string(String(repeating: "a0", count: 32)))
    let valid = AuditVerdict(head: head, fault: nil).json
    #expect(interface.firstInvalidField(ofReply: valid, method: "VerifyAudit") == nil)
    #expect(valid["valid"] == true && valid["firstBad"] == nil && valid["problem"] == nil)
    for problem in AuditProblem.allCases {
      let broken = AuditVerdict(head: head, fault: AuditVerdict.Fault(4, problem)).json
      #expect(interface.firstInvalidField(ofReply: broken, method: "VerifyAudit") == nil)
      #expect(broken["valid"] == false && broken["firstBad"] == 4 && broken["problem"] == .string(problem.rawValue))
    }
  }

  @Test(arguments: AuditProblem.allCases)
  func `the interface has a word for every problem`(problem: AuditProblem) throws {
    let method = try Interfaces.named(Contract.administration).method("VerifyAudit")
    #expect(method?.output.last?.documentation.contains("`\(problem.rawValue)`") == true)
  }

  @Test func `a head that was given is read again`() throws {
    let call = try VerifyAuditCall(["head": .object(head.json)])
    #expect(call.head == head)
    #expect(try VerifyAuditCall([:]).head == nil)
    #expect(throws: Refusal.self) { try VerifyAuditCall(["head": ["size": 1, "hash": "a0"]]) }
  }

  @Test func `history is asked for by person, app and page`() throws {
    let call = try ListCall(["person": "uid:1001", "app": "org.example.Chat", "limit": 5, "after": "7"])
    #expect(call.person == .mia && call.app == .chat && call.page.limit == 5)
    #expect(try call.page.place == 7)
    #expect(throws: Refusal.self) { try ListCall(["person": "mia"]) }
    #expect(throws: Refusal.self) { try ListCall(["app": "chat"]) }
    #expect(throws: Refusal.self) { try ListCall(["after": "seven"]).page.place }
  }
}
