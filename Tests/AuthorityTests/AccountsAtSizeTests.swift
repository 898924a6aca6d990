// SPDX-License-Identifier: Apache-2.0
//
// A service with many accounts: imported by one command, asked of a tenth of them, answered by the bridge for some, and
// every event delivered once and in order. `CONSENTD_TEST_ACCOUNTS` says how many accounts; 200000 with a release build
// is what is promised, the default is what an ordinary run can afford.

import Foundation
import Glibc
import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct AccountsAtSizeTests {
  private static let accounts =
    ProcessInfo.processInfo.environment["CONSENTD_TEST_ACCOUNTS"].flatMap { Int($0) } ?? 2_000
  private static let asked = accounts / 10
  private static let answered = asked / 10
  private static let lanes = 16

  private let daemon: Daemon
  private let clock = ContinuousClock()

  init() throws {
    daemon = try Daemon.plain(
      user: Household.Uid.daemon,
      apps: [
        "org.example.Chat.json5":
          "{ id: 'org.example.Chat', uid: \(Household.Uid.service), bridgeUid: \(Household.Uid.bridge) }"
      ])
  }

  private func account(_ number: Int) -> String { "account:org.example.Chat/\(number)" }

  @Test func `every account is imported, asked, answered and told, and the daemon stays small`() throws {
    let atStart = try residentKilobytes()
    try timed("import") { try importAll() }
    #expect(try daemon.guardians().administration("GetStatistics")["people"] == .integer(Int64(Self.accounts)))
    try timed("list") { try listAll() }
    let imported = try residentKilobytes()
    var questions: Set<String> = []
    try timed("ask") { questions = try askAll() }
    #expect(questions.count == Self.asked)
    var cards: [JSONObject] = []
    try timed("watch") { cards = try watchAll() }
    #expect(try Set(cards.map { try $0.text("question") }) == questions)
    try timed("answer") { try answer(Array(cards.prefix(Self.answered))) }
    try timed("responses") { try followAll(questions) }
    let atEnd = try residentKilobytes()
    report("resident at start \(atStart) KB, imported \(imported) KB, at the end \(atEnd) KB")
    #expect(atEnd - atStart < 96 * 1_024)
  }

  private func importAll() throws {
    var input = ""
    for number in 0..<Self.accounts {
      input += """
        {"person":"\(account(number))","guardians":["contact:org.example.Chat/g\(number)"],"lowerBound":13,"upperBound":15}

        """
    }
    try daemon.directory.write(input, to: "people")
    chmod(daemon.directory.file("people"), 0o644)
    let program = try Program(
      "sh",
      [
        "-c", #"exec "$0" person import --stdin < "$1""#, try Program.path(of: "consentctl", forAnyone: true),
        daemon.directory.file("people"),
      ],
      environment: ["CONSENTD_RUNTIME_DIRECTORY": daemon.directory.file("run")],
      wrappers: [.user(Household.Uid.service)])
    let outcome = try program.outcome(before: Deadline(seconds: 600))
    #expect(outcome.output == "imported: \(Self.accounts)\n", "\(outcome.output.suffix(2_000))")
    #expect(outcome.exit == .status(0))
  }

  private func listAll() throws {
    let desk = try daemon.guardians(as: Household.Uid.service)
    var people: [String] = []
    var next: JSON?
    repeat {
      let page = try desk.administration(
        "ListPeople", (["limit": 1_000] as JSONObject).with(next.map { ["after": $0] } ?? [:]))
      people += try page.list("people").map { try $0.text("person") }
      next = page["next"]
    } while next != nil
    #expect(people == (0..<Self.accounts).map(account).sorted())
  }

  /// Asks on several connections at once, each with everything on its way.
  private func askAll() throws -> Set<String> {
    let clients = try (0..<Self.lanes).map { _ in try daemon.apps(as: Household.Uid.service) }
    let update = JSON.object(.update("2.0"))
    var questions: Set<String> = []
    for start in stride(from: 0, to: Self.asked, by: Self.lanes * 32) {
      let numbers = start..<min(Self.asked, start + Self.lanes * 32)
      for number in numbers {
        try clients[number % Self.lanes].send(
          "\(Interface.permission).Ask", ["person": .string(account(number * 10)), "topic": update])
      }
      for number in numbers { questions.insert(try clients[number % Self.lanes].receiveAnswer().text("question")) }
    }
    return questions
  }

  private func watchAll() throws -> [JSONObject] {
    let stream = try EventStream(
      try daemon.guardians(as: Household.Uid.bridge), "\(Interface.guardian).WatchQuestions", [:])
    return try stream.backlog().map { try $0.member("question") }
  }

  private func answer(_ cards: [JSONObject]) throws {
    let desk = try daemon.guardians(as: Household.Uid.bridge)
    for start in stride(from: 0, to: cards.count, by: 32) {
      let page = cards[start..<min(cards.count, start + 32)]
      for card in page {
        #expect(card["canAnswer"] == true)
        try desk.send(
          "\(Interface.guardian).Answer",
          [
            "question": card["question"] ?? .null, "choice": "approve", "contentHash": card["contentHash"] ?? .null,
            "guardian": card["guardians"]?.array?.first ?? .null,
          ])
      }
      for _ in page { #expect(try desk.receiveAnswer()["state"] == "approved") }
    }
  }

  /// Every event of every account once, numbered without a gap, in the order in which things happen to a question.
  private func followAll(_ questions: Set<String>) throws {
    let stream = try EventStream(
      try daemon.apps(as: Household.Uid.service), "\(Interface.permission).Responses", ["after": 0])
    let events = try stream.backlog()
    #expect(try events.map { try $0.number("sequence") } == (1...Int64(events.count)).map { $0 })
    var told: [String: [String]] = [:]
    for event in events { told[try event.text("question"), default: []].append(try event.text("event")) }
    #expect(Set(told.keys) == questions)
    let ends = told.values.filter { $0 == ["asked", "delivered", "decided", "granted"] }.count
    let rest = told.values.filter { $0 == ["asked", "delivered"] }.count
    #expect(ends == Self.answered && rest == Self.asked - Self.answered)
  }

  private func timed(_ name: String, _ body: () throws -> Void) throws {
    let time = try clock.measure(body)
    report("\(name): \(time)")
  }

  private func report(_ line: String) {
    if Self.accounts > 2_000 { print("accounts at size \(Self.accounts): \(line)") }
  }

  private func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(daemon.program.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return try #require(line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
  }
}
