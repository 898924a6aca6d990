// SPDX-License-Identifier: Apache-2.0
//
// consentctl against a daemon that refuses, or goes away: what people read and what programs are given.

import StrictJSON
import TestSupport
import Testing

@Suite struct CommandFailureTests {
  @Test(arguments: [
    ["await", "3f9c"], ["ask", "resource/a.b", "--purpose", "p"], ["request", "resource/a.b", "--purpose", "p"],
    ["responses"], ["pending"],
  ])
  func `a connection that is lost is an object for programs`(arguments: [String]) throws {
    let fake = try FakeDaemon { _, _ in [.hangUp] }
    let outcome = try run(fake, arguments + ["--json"])
    let object = try JSONObject(parsing: Array(outcome.output.utf8))
    #expect(outcome.exit == .status(1))
    #expect(object["error"] == "ConnectionLost")
    #expect(outcome.errors == "consentctl: \(object["message"]?.string ?? "")\n")
  }

  @Test func `a usage error is an object for programs`() throws {
    let fake = try FakeDaemon { _, _ in [] }
    let outcome = try run(fake, ["show", "--json"])
    #expect(outcome.exit == .status(2))
    #expect(try JSONObject(parsing: Array(outcome.output.utf8))["error"] == "Usage")
    #expect(fake.calls == [])
  }

  @Test func `whoever is no administrator learns that the daemon runs, and where the numbers are`() throws {
    let fake = try FakeDaemon { call, _ in
      call.method.hasSuffix("GetInfo")
        ? [.reply(["version": "9.9"])] : [.error("org.consentd.Administration.NotPermitted", ["reason": "x"])]
    }
    let outcome = try run(fake, ["status"])
    #expect(outcome.exit == .status(0))
    #expect(outcome.output.contains("consentd 9.9") && outcome.output.contains("sudo consentctl status"))
    #expect(!outcome.output.contains("people"))
    let object = try JSONObject(parsing: Array(try run(fake, ["status", "--json"]).output.utf8))
    #expect(object["version"] == "9.9" && object["people"] == nil)
  }

  private func run(_ fake: FakeDaemon, _ arguments: [String]) throws -> Program.Outcome {
    try Program.run(
      Program.path(of: "consentctl"), arguments, environment: ["CONSENTD_RUNTIME_DIRECTORY": fake.directory.path])
  }
}
