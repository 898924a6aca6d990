// SPDX-License-Identifier: Apache-2.0
//
// The command line of consentd.

import Testing

@testable import ConsentDaemon

@Suite struct OptionsTests {
  @Test func `without arguments the machine's daemon serves`() throws {
    let options = try Options([])
    #expect(options.action == .serve)
    #expect(options.sandbox == nil)
    #expect(options.runtimeDirectory == "/run/consentd")
    #expect(options.stateDirectory == "/var/lib/consentd")
    #expect(options.configuration == "/etc/consentd/consentd.json5")
    #expect(!options.isConfigurationGiven)
  }

  @Test func `every place can be elsewhere`() throws {
    let options = try Options(["--runtime-directory", "/a", "--state-directory", "/b", "--config", "/c"])
    #expect(options.runtimeDirectory == "/a")
    #expect(options.stateDirectory == "/b")
    #expect(options.configuration == "/c")
    #expect(options.isConfigurationGiven)
  }

  @Test func `a sandbox keeps everything below its directory`() throws {
    let options = try Options(["--sandbox", "/tmp/s"])
    #expect(options.sandbox == "/tmp/s")
    #expect(options.runtimeDirectory == "/tmp/s")
    #expect(options.stateDirectory == "/tmp/s")
    #expect(options.configuration == "/tmp/s/consentd.json5")
    #expect(!options.isConfigurationGiven)
    #expect(try Options(["--config", "/c", "--sandbox", "/tmp/s"]).configuration == "/c")
    #expect(try Options(["--sandbox", "/tmp/s", "--config", "/c"]).configuration == "/c")
  }

  @Test(arguments: [
    (["--help"], Options.Action.showHelp), (["-h"], .showHelp), (["--version"], .showVersion),
    (["--check-config"], .checkConfiguration), (["--config", "/c", "--check-config"], .checkConfiguration),
  ])
  func `what is asked for is done instead of serving`(arguments: [String], action: Options.Action) throws {
    #expect(try Options(arguments).action == action)
  }

  @Test(arguments: [
    (["serve"], "unknown argument serve; consentd --help lists them"),
    (["--Sandbox", "/s"], "unknown argument --Sandbox; consentd --help lists them"),
    (["--config=/c"], "unknown argument --config=/c; consentd --help lists them"),
    (["--sandbox"], "--sandbox needs a value"), (["--config", ""], "--config needs a value"),
    (["--state-directory"], "--state-directory needs a value"),
    (
      ["--sandbox", "/s", "--state-directory", "/b"],
      "--sandbox keeps everything below its directory: leave out --state-directory"
    ),
    (
      ["--runtime-directory", "/a", "--sandbox", "/s"],
      "--sandbox keeps everything below its directory: leave out --runtime-directory"
    ),
  ])
  func `what cannot be followed is refused with what is wrong`(arguments: [String], message: String) {
    #expect(throws: Options.UsageError(message: message)) { try Options(arguments) }
  }

  @Test func `the help names every argument, default and exit code`() {
    for word in [
      "--config FILE", "--runtime-directory DIR", "--state-directory DIR", "--sandbox DIR", "--check-config",
      "--version",
      "/etc/consentd/consentd.json5", "/run/consentd", "/var/lib/consentd", " 64 ", " 65 ", " 71 ", " 78 ",
    ] {
      #expect(Options.help.contains(word), "\(word)")
    }
  }
}
