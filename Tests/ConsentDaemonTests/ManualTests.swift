// SPDX-License-Identifier: Apache-2.0
//
// The defaults and ranges that the manual tells (docs/man), held against the code. In the pages a default stands as
// `Default: *VALUE*` behind the term it belongs to.

import ConsentModel
import Foundation
import Testing

@testable import ConsentDaemon

/// What consentd(8), consentd.json5(5) and org.consentd(7) say of the numbers.
struct ManualTests {
  private static let pages = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../docs/man").standardized.path

  private static func page(_ name: String) throws -> String {
    try String(contentsOfFile: "\(pages)/\(name).scd", encoding: .utf8)
  }

  /// Every default of a page, by the term in bold that its entry opens with.
  private static func defaults(_ name: String) throws -> [String: String] {
    var term = ""
    var found: [String: String] = [:]
    for line in try page(name).split(separator: "\n") {
      if let opening = line.firstMatch(of: /^\*(.+?)\*/) { term = String(opening.output.1) }
      if let told = line.firstMatch(of: /Default: \*(.*?)\*/) { found[term] = String(told.output.1) }
    }
    return found
  }

  @Test func `the options of consentd have the defaults that its page tells`() throws {
    let options = try Options([])
    #expect(
      try Self.defaults("consentd.8") == [
        "--config": options.configuration, "--runtime-directory": options.runtimeDirectory,
        "--state-directory": options.stateDirectory,
      ])
  }

  @Test func `the page of consentd names exactly the options there are`() throws {
    let page = try #require(try Self.page("consentd.8").split(separator: "\n# ").first { $0.hasPrefix("OPTIONS") })
    let told = Set(page.matches(of: /\n\*(--[a-z-]+)\*/).map { String($0.output.1) })
    let helped = Set(Options.help.matches(of: /--[a-z]+(-[a-z]+)*/).map { String($0.output.0) })
    #expect(told.subtracting(["--help"]) == helped)
    for option in told { #expect(throws: Never.self) { try Options([option, "/somewhere"].prefix(wants(option))) } }
  }

  @Test func `the keys of the configuration have the defaults that its page tells`() throws {
    let waits = CoolDowns.standard
    let coolDowns =
      "{ afterDenialSec: \(waits.afterDenialUSec.map { $0 / Span.second }), "
      + "afterLapseSec: \(waits.afterLapseUSec / Span.second), newQuestionsPerDay: \(waits.newQuestionsPerDay) }"
    let rule = RetentionRule()
    let days = [
      "eventsDays: \(rule.eventsDays)", "questionsDays: \(rule.questionsDays)", "grantsDays: \(rule.grantsDays)",
      "auditDays: \(rule.auditDays)",
    ]
    #expect(
      try Self.defaults("consentd.json5.5") == [
        "administrators": "[]", "policy": Policy.baseline.id, "coolDowns": coolDowns,
        "retention": "{ \(days.joined(separator: ", ")) }",
      ])
  }

  @Test func `the limits are those that the page tells`() throws {
    let page = try Self.page("consentd.json5.5")
    let limits = Limits.standard
    let numbers: [(String, WritableKeyPath<Limits.Allowance, Int>)] = [
      ("connections", \.connections), ("waiting", \.waiting), ("openQuestions", \.openQuestions),
      ("queuedBytes", \.queuedBytes), ("callsPerSecond", \.callsPerSecond), ("callBurst", \.callBurst),
    ]
    for (name, number) in numbers {
      let values = [limits.perUser, limits.perService, limits.total].map { "\n:  \($0[keyPath: number])" }
      #expect(page.contains("|  \(name)\(values.joined())\n"))
    }
  }

  @Test func `the baseline policy has the ages that the page tells`() throws {
    let page = try Self.page("consentd.json5.5").replacing("\n", with: " ").replacing("\t", with: "")
    let gates = Policy.baseline.gates.ages.map(String.init)
    let ages = "\(gates.dropLast().joined(separator: ", ")) and \(gates.last ?? "")"
    #expect(page.contains("In the policy _baseline_ \(ages)."))
    #expect(page.contains("In the policy _baseline_ \(Policy.baseline.adultAge)."))
  }

  @Test func `questions and waits have the lengths that the pages tell`() throws {
    let page = try Self.page("org.consentd.7").replacing("\n", with: " ")
    let question = DeadlineRules.questionUSec
    let wait = DeadlineRules.waiterUSec
    #expect(page.contains("from \(question.lowerBound) (1 hour) to \(question.upperBound) (90 days)"))
    #expect(page.contains("Default: *\(DeadlineRules.defaultQuestionUSec)* (30 days)"))
    #expect(page.contains("from \(wait.lowerBound) to \(wait.upperBound) (1 hour)"))
    #expect(page.contains("Default: *\(DeadlineRules.defaultWaiterUSec)* (30 seconds)"))
    let command = try Self.page("consentctl.1").replacing("\n", with: " ")
    #expect(command.contains("from 1h to 90d. Default: *\(DeadlineRules.defaultQuestionUSec / Span.day)d*"))
    #expect(command.contains("at most an hour. Default: *\(DeadlineRules.defaultWaiterUSec / Span.second)s*"))
  }

  /// How many words an option takes, itself among them.
  private func wants(_ option: String) -> Int { ["--check-config", "--version", "--help"].contains(option) ? 1 : 2 }
}
