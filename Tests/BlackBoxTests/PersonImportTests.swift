// SPDX-License-Identifier: Apache-2.0
//
// Many people by one command: each line for itself, failures with their line, and nothing lost by giving it twice.

import StrictJSON
import TestSupport
import Testing

@Suite struct PersonImportTests {
  private func run(_ family: Family, _ lines: [String], json: Bool = false) throws -> Program.Outcome {
    try Program.run(
      Program.path(of: "consentctl"), ["person", "import", "--stdin"] + (json ? ["--json"] : []),
      environment: family.environment, input: lines.joined(separator: "\n"))
  }

  @Test func `each line enrols somebody with guardians and age, and may be given again`() throws {
    let family = try Family()
    let lines = (1...300).map { number in
      """
      {"person":"account:org.example.Chat/\(number)","displayName":"Nr \(number)","guardians":\
      ["contact:org.example.Chat/g\(number % 7)",{"guardian":"contact:org.example.Chat/h","displayName":"Nan"}],\
      "lowerBound":13,"upperBound":15,"assurance":"paymentChecked"}
      """
    }
    for _ in 0..<2 {
      let outcome = try run(family, lines)
      #expect(outcome.exit == .status(0))
      #expect(outcome.output == "imported: 300\n")
      #expect(outcome.errors == "")
    }
    #expect(try family.statistics()["people"] == 302)
    let range = try family.app.ageRange("GetAgeRange", ["person": "account:org.example.Chat/300"]).member("range")
    #expect(range["lowerBound"] == 13)
    let people = try family.desk.administration("ListPeople", ["limit": 1]).list("people")
    #expect(people.first?["guardians"] == ["contact:org.example.Chat/g1", "contact:org.example.Chat/h"])
  }

  @Test func `a line that is wrong is named and costs the others nothing`() throws {
    let family = try Family()
    let lines = [
      #"{"person":"account:org.example.Chat/1"}"#, "", "{", #"{"persona":"account:org.example.Chat/2"}"#,
      #"{"person":"account:org.example.Chat/3","birthDate":"2014-02-30"}"#, #"{"person":"nobody:1"}"#,
      #"{"person":"account:org.example.Chat/4","guardians":"uid:7"}"#,
      #"{"person":"account:org.example.Chat/5","guardians":[{"guardian":"uid:7","person":"uid:8"}]}"#,
      #"{"person":"account:org.example.Chat/6","guardians":["uid:5001"]}"#,
      #"{"person":"account:org.example.Chat/7","birthDate":"2014-02-03"}"#,
    ]
    let outcome = try run(family, lines, json: true)
    #expect(outcome.exit == .status(1))
    let results = try outcome.output.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
    #expect(results.last == ["imported": 2, "failed": 7])
    let failed = try results.dropLast().map { try $0.number("line") }
    #expect(failed.sorted() == [3, 4, 5, 6, 7, 8, 9])
    for result in results.dropLast() {
      let line = try result.number("line")
      #expect(try !result.text("message").isEmpty)
      #expect(result["error"] == "InvalidLine" || [5, 6, 9].contains(line), "\(result.json)")
    }
    let shown = try run(family, [lines[4]])
    #expect(shown.output.hasPrefix("line 1, account:org.example.Chat/3: --born cannot be that: "))
    #expect(
      shown.output.hasSuffix(
        "imported: 0, failed: 1; put those right and give them again, what is done may be repeated\n"))
  }

  @Test func `a daemon that is not there ends the import`() throws {
    let family = try Family()
    try family.daemon.kill()
    let outcome = try run(family, (1...500).map { #"{"person":"account:org.example.Chat/\#($0)"}"# })
    #expect(outcome.exit == .status(1))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.output.split(separator: "\n").count <= 65)
  }

  @Test(arguments: [["person", "import"], ["person", "import", "file"]])
  func `people come from standard input`(arguments: [String]) throws {
    #expect(try Program.run(Program.path(of: "consentctl"), arguments).exit == .status(2))
  }

  @Test func `who asks is listed and shown`() throws {
    let family = try Family()
    try family.ask(.update("2.0"), ["app": "org.example.Game"])
    try family.ask(.update("2.0"))
    let consentctl = try Program.path(of: "consentctl")
    let list = try Program.run(consentctl, ["app", "list"], environment: family.environment)
    #expect(list.exit == .status(0))
    #expect(list.output.contains("org.example.Game") && list.output.contains("claimed"))
    #expect(list.output.contains("unidentified"))
    let show = try Program.run(consentctl, ["app", "show", "org.example.Game"], environment: family.environment)
    #expect(show.output.contains("its name is: claimed") && show.output.contains("questions: 1"))
    #expect(try Program.run(consentctl, ["app", "show", "a.b"], environment: family.environment).exit == .status(2))
  }
}
