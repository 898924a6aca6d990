// SPDX-License-Identifier: Apache-2.0
//
// What a daemon as a machine runs it writes into the journal, field by field.

import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "a journal of one's own needs root"))
struct JournalTests {
  private let journal: JournalSocket
  private let household: Household

  init() throws {
    journal = try JournalSocket()
    household = try Household(wrappers: [journal.wrapper])
  }

  private func last() throws -> [String: String]? { try journal.lines().last }

  @Test func `a decision has its question, person, app and kind of topic`() throws {
    let service = try household.daemon.apps(as: Household.Uid.service)
    try household.root.administration("AddPerson", ["person": household.name(Household.Uid.service)])
    try household.root.administration(
      "AddGuardian",
      ["person": household.name(Household.Uid.service), "guardian": household.name(Household.Uid.guardian)])
    let question = try service.permission("Ask", ["topic": .object(.update("2.0"))]).text("question")
    try household.guardian.guardian("Answer", ["question": .string(question), "choice": "approve"])
    let line = try #require(try last())
    #expect(line["MESSAGE_ID"] == "909f62360d57411f88a338aedf3aaa4a")
    #expect(line["PRIORITY"] == "6")
    #expect(line["MESSAGE"] == "question \(question) is approved by guardian")
    #expect(line["CONSENT_QUESTION"] == question)
    #expect(line["CONSENT_PERSON"] == "uid:\(Household.Uid.service)")
    #expect(line["CONSENT_APP"] == "org.example.Chat")
    #expect(line["CONSENT_TOPIC"] == "significantUpdate")
    #expect(line["CONSENT_UID"] == "\(Household.Uid.service)")
  }

  @Test func `whoever tries what is not theirs is named by uid`() throws {
    let stranger = try household.daemon.guardians(as: Household.Uid.stranger)
    let child = household.name(Household.Uid.child)
    #expect(throws: CallError.self) { try stranger.administration("RemovePerson", ["person": child]) }
    let line = try #require(try last())
    #expect(line["MESSAGE_ID"] == "4e16090dcfa84156a92d0c67f89bf061")
    #expect(line["CONSENT_UID"] == "\(Household.Uid.stranger)")
    #expect(line["CONSENT_PERSON"] == "uid:\(Household.Uid.child)")
    #expect(line["MESSAGE"]?.hasPrefix("refused org.consentd.Administration.RemovePerson to uid 52003: ") == true)
  }

  @Test func `one who tries often costs nobody else a line`() throws {
    let stranger = try household.daemon.guardians(as: Household.Uid.stranger)
    for _ in 0..<100 { #expect(throws: CallError.self) { try stranger.administration("ListPeople") } }
    #expect(throws: CallError.self) { try household.guardian.administration("ListPeople") }
    let refused = try journal.lines().filter { $0["MESSAGE_ID"] == "4e16090dcfa84156a92d0c67f89bf061" }
    #expect(refused.count { $0["CONSENT_UID"] == "\(Household.Uid.stranger)" } == 10)
    #expect(refused.count { $0["CONSENT_UID"] == "\(Household.Uid.guardian)" } == 1)
    let question = try household.question()
    try household.guardian.guardian("Answer", ["question": .string(question), "choice": "deny"])
    #expect(try last()?["CONSENT_QUESTION"] == question)
  }

  @Test func `nothing that anybody wrote is in any field of any line`() throws {
    let child = household.name(Household.Uid.child)
    try household.root.administration("AddPerson", ["person": child, "displayName": .string(Secrets.mark)])
    for topic in Secrets.topics {
      let question = try household.child.permission("Ask", ["topic": .object(topic)]).text("question")
      try household.guardian.guardian(
        "Answer", ["question": .string(question), "choice": "deny", "note": .string(Secrets.text("note"))])
    }
    for (method, parameters) in Secrets.spoilt {
      #expect(throws: CallError.self) { try household.child.call(method, parameters) }
    }
    for text in Secrets.violations {
      let peer = try household.daemon.apps(as: Household.Uid.stranger)
      try peer.send(bytes: Array(text.utf8) + [0])
      #expect(try peer.receive() == nil)
    }
    _ = try household.daemon.stop()
    let lines = try journal.lines()
    #expect(lines.count { $0["CONSENT_TOPIC"] != nil } == Secrets.topics.count)
    let known: Set = [
      "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "CONSENT_QUESTION", "CONSENT_PERSON", "CONSENT_APP",
      "CONSENT_TOPIC", "CONSENT_UID",
    ]
    for line in lines {
      #expect(known.isSuperset(of: line.keys))
      #expect(line["MESSAGE_ID"]?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
      for value in line.values { #expect(!value.contains(Secrets.mark) && !value.contains(Secrets.birthDate)) }
    }
  }
}
