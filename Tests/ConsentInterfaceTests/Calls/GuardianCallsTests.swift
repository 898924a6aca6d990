// SPDX-License-Identifier: Apache-2.0
//
// The guardians' and administrators' calls: read as they stand, refused with the field that is wrong.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing

@Suite struct GuardianCallsTests {
  @Test func `an answer is read whole`() throws {
    let call = try AnswerCall([
      "question": "3f9c", "choice": "approve", "contentHash": "cafe", "untilUSec": 5, "items": [["change": "2.0"]],
      "note": "Two lines,\nas a guardian writes.", "guardian": "contact:org.example.Chat/nan",
    ])
    #expect(call.question == "3f9c")
    #expect(call.choice == "approve")
    #expect(call.contentHash == "cafe")
    #expect(call.until == Instant(usec: 5))
    #expect(call.items == [["change": "2.0"]])
    #expect(call.note == "Two lines,\nas a guardian writes.")
    #expect(call.guardian == .contact(app: .chat, opaque: "nan"))
  }

  @Test func `an answer needs no more than a question and a choice`() throws {
    let call = try AnswerCall(["question": "3f9c", "choice": "perhaps"])
    #expect(call.choice == "perhaps")
    #expect(
      call.contentHash == nil && call.until == nil && call.items == nil && call.note == nil && call.guardian == nil)
  }

  @Test(
    arguments: BadValue.guardians + [
      BadValue("note", ""), BadValue("note", "\u{1B}[2J"),
      BadValue("note", .string(String(repeating: "n", count: 1001))),
    ])
  func `a bad value in an answer is refused with its field`(bad: BadValue) throws {
    try bad.isRefused(in: ["question": "3f9c", "choice": "deny"]) { _ = try AnswerCall($0) }
  }

  @Test func `a list is of what is pending, a hundred at a time, where nothing else is said`() throws {
    let call = try ListQuestionsCall([:])
    #expect(call.state == .pending)
    #expect(call.person == nil && call.app == nil)
    #expect(call.page.limit == 100)
    #expect(try call.page.place == nil)
  }

  @Test(arguments: QuestionState.allCases)
  func `a list is of any state there is`(state: QuestionState) throws {
    let call = try ListQuestionsCall([
      "state": .string(state.rawValue), "person": "uid:1001", "app": "org.example.Chat", "limit": 1000, "after": "12",
    ])
    #expect(call.state == state)
    #expect(call.person == .mia)
    #expect(call.app == .chat)
    #expect(call.page.limit == 1000)
    #expect(try call.page.place == 12)
  }

  @Test(
    arguments: BadValue.speaking + [
      BadValue("state", ""), BadValue("state", "Pending"), BadValue("state", "open"), BadValue("limit", 0),
      BadValue("limit", -1), BadValue("limit", 1001), BadValue("limit", .integer(.max)),
      BadValue("limit", .integer(.min)),
    ])
  func `a bad value in a list is refused with its field`(bad: BadValue) throws {
    try bad.isRefused { _ = try ListQuestionsCall($0) }
  }

  @Test(arguments: ["", "x", "1.5", "99999999999999999999", "uid:1001", " 1"])
  func `a place that no page gave is refused`(place: String) throws {
    try BadValue("after", .string(place)).isRefused { _ = try PageCall($0).place }
    #expect(try PageCall(["after": .string(place)]).after == place)
  }

  @Test(arguments: BadValue.people)
  func `a bad person is refused wherever one stands`(bad: BadValue) throws {
    try bad.isRefused { _ = try WatchQuestionsCall($0) }
    try bad.isRefused { _ = try DeclareAgeCall($0) }
    try bad.isRefused { _ = try PersonCall($0) }
    try bad.isRefused(in: ["guardian": "uid:1000"]) { _ = try GuardianCall($0) }
  }

  @Test func `who watches may name one person`() throws {
    #expect(try WatchQuestionsCall([:]).person == nil)
    #expect(try WatchQuestionsCall(["person": "uid:1001"]).person == .mia)
  }

  @Test func `a person and a guardian are enrolled with a name or without`() throws {
    #expect(try PersonCall(["person": "uid:1001", "displayName": "Mia"]).displayName == "Mia")
    #expect(try PersonCall(["person": "uid:1001"]).displayName == nil)
    let call = try GuardianCall(["person": "uid:1001", "guardian": "uid:1000", "displayName": "Ann"])
    #expect(call.person == .mia)
    #expect(call.guardian == .user(1000))
    #expect(call.displayName == "Ann")
  }

  @Test(arguments: BadValue.guardians)
  func `a bad guardian is refused`(bad: BadValue) throws {
    try bad.isRefused(in: ["person": "uid:1001"]) { _ = try GuardianCall($0) }
  }

  @Test(arguments: ["", " ", "two\nlines", "\u{202E}mia", "\u{1B}[31m", String(repeating: "m", count: 257)])
  func `a name that cannot be shown is refused`(name: String) throws {
    let bad = BadValue("displayName", .string(name))
    try bad.isRefused(in: ["person": "uid:1001"]) { _ = try PersonCall($0) }
    try bad.isRefused(in: ["person": "uid:1001", "guardian": "uid:1000"]) { _ = try GuardianCall($0) }
  }
}
