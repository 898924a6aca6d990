// SPDX-License-Identifier: Apache-2.0
//
// What consentctl says of the audit: a line for every kind there is, no more than the facts say, and nothing that
// moves a terminal.

import ConsentModel
import StrictJSON
import Testing

@testable import consentctl

@Suite struct EvidenceMessagesTests {
  private func line(_ kind: String, _ facts: JSONObject) -> String {
    Messages.history([["kind": .string(kind), "atUSec": 0, "facts": .object(facts)]]).first ?? ""
  }

  @Test(arguments: AuditKind.allCases)
  func `every kind has its line, with facts and without any`(kind: AuditKind) {
    #expect(!line(kind.rawValue, [:]).isEmpty)
    let hostile: JSONObject = [
      "topicKey": "x\u{1B}[2J\n", "reason": "x\u{1B}[2J\n", "choice": "x\u{1B}[2J\n", "by": "x\u{1B}[2J\n",
      "guardian": "x\u{1B}[2J\n", "note": "x\u{1B}[2J\n", "setting": "x\u{1B}[2J\n", "value": "x\u{1B}[2J\n",
    ]
    #expect(!line(kind.rawValue, hostile).unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func `a kind of a later version is shown as it is`() {
    #expect(line("teleported\u{7}", [:]).contains("teleported"))
  }

  @Test(
    arguments: [
      (["birthDate": "2014-03-05"], "born 2014-03-05"),
      (["lowerBound": 9, "upperBound": 9, "asOfDate": "2026-05-01"], "9 to 9 years old on 2026-05-01"),
      (["lowerBound": 18, "asOfDate": "2026-05-01"], "at least 18 years old"),
      (["upperBound": 12, "asOfDate": "2026-05-01"], "at most 12 years old"), ([:], "an age"),
    ] as [(JSONObject, String)])
  func `an age is said as it was declared`(facts: JSONObject, words: String) {
    #expect(line("declaration", facts).contains(words))
  }

  @Test(arguments: AuditProblem.allCases)
  func `every problem has its sentence, and none sounds like a yes`(problem: AuditProblem) {
    let verdict: JSONObject = [
      "valid": false, "size": 3, "hash": "00", "firstBad": 4, "problem": .string(problem.rawValue),
    ]
    let lines = Messages.verified(verdict, against: nil)
    #expect(lines.first?.contains("4") == true && lines.first?.contains(": \(problem.rawValue)") == false)
    #expect(!lines.joined().contains("as they were written"))
  }

  @Test func `a verdict without a word is no valid one`() {
    #expect(Messages.verified(["size": 3, "hash": "00"], against: nil).first?.contains("All") == false)
  }

  @Test func `a head is typed as it was printed`() throws {
    let head = TypedHead(["size": 12, "hash": "ab"])
    #expect(head.text == "12:ab")
    #expect(try TypedHead(typed: head.text) == head)
    for typed in ["", "12", ":ab", "x:ab", "-1:ab"] {
      #expect(throws: CommandFailure.self) { try TypedHead(typed: typed) }
    }
  }
}
