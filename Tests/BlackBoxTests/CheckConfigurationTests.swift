// SPDX-License-Identifier: Apache-2.0
//
// `consentd --check-config`: every file that is bad, in one look, without a daemon.

import Foundation
import TestSupport
import Testing

@Suite struct CheckConfigurationTests {
  private let directory: TemporaryDirectory
  private let arguments: [String]

  init() throws {
    directory = try TemporaryDirectory()
    arguments = ["--config", directory.file("consentd.json5"), "--check-config"]
    for folder in ["consentd.json5.d", "apps.d", "policies.d"] {
      try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: false)
    }
  }

  private func check() throws -> Program.Outcome { try Program.run(Program.path(of: "consentd"), arguments) }

  @Test func `every bad file is named with its place and reason`() throws {
    let files = [
      (
        "consentd.json5", "{administrators: ['nobody-of-this-name'], policy: 'late'}",
        "administrators: there is no user"
      ),
      ("consentd.json5.d/10-a.json5", "{\n  policy 'late' }", "line 2, column 10: a : is missing before this"),
      ("consentd.json5.d/20-b.json5", "{limit: {}}", "limit: unknown key"),
      ("apps.d/chat.json5", "{id: 'Chat', uid: 990}", "id: "),
      ("apps.d/game.json5", "{id: 'org.example.Game'}", "uid: missing"),
      ("policies.d/late.json5", "{id: 'late', version: '1', gates: [13], adultAge: 1}", "adultAge: from 2 to 120"),
      ("policies.d/unused.json5", "[]", ""),
    ]
    for (name, text, _) in files { try directory.write(text, to: name) }
    let outcome = try check()
    #expect(outcome.exit == .status(78))
    #expect(outcome.output == "")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == files.count)
    for (line, (name, _, objection)) in zip(lines, files) {
      #expect(line.hasPrefix("error: \(directory.file(name)): \(objection)"))
    }
  }

  @Test func `a good configuration is told file by file`() throws {
    try directory.write("{policy: 'late'}", to: "consentd.json5")
    try directory.write("{}", to: "consentd.json5.d/10-a.json5")
    try directory.write("{id: 'org.example.Chat', uid: 990}", to: "apps.d/chat.json5")
    try directory.write("{id: 'late', version: '1', gates: [13], adultAge: 21}", to: "policies.d/late.json5")
    let outcome = try check()
    #expect(outcome.exit == .status(0))
    #expect(outcome.errors == "")
    let files = ["consentd.json5", "consentd.json5.d/10-a.json5", "apps.d/chat.json5", "policies.d/late.json5"]
    #expect(outcome.output == files.map { "read: \(directory.file($0))\n" }.joined() + "no errors\n")
  }

  @Test func `what is passed over is remarked on and no fault`() throws {
    try directory.write("{}", to: "consentd.json5")
    try directory.write("nonsense", to: "apps.d/chat.json")
    let outcome = try check()
    #expect(outcome.exit == .status(0))
    let remark = "\(directory.file("apps.d/chat.json")): not read, for its name does not end in .json5"
    #expect(outcome.errors == "warning: \(remark)\n")
  }

  @Test func `a file that was named and is not there is a fault`() throws {
    let outcome = try check()
    #expect(outcome.exit == .status(78))
    #expect(outcome.errors == "error: \(directory.file("consentd.json5")): there is no such file\n")
  }
}
