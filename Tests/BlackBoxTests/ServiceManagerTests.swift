// SPDX-License-Identifier: Apache-2.0
//
// What a service manager sees: when the daemon is ready, what it says about itself, that it takes the sockets it is
// handed by their names and refuses what it cannot use, and how it ends.

import StrictJSON
import TestSupport
import Testing

@Suite struct NotificationTests {
  @Test func `when it says it is ready it serves on both sockets`() throws {
    let daemon = try Daemon.sandbox()
    #expect(daemon.notify.assignments.filter { $0 == "READY=1" }.count == 1)
    #expect(try daemon.apps().call("\(Interface.service).GetInfo")["vendor"] != nil)
    #expect(try daemon.guardians().call("\(Interface.service).GetInfo")["vendor"] != nil)
  }

  @Test func `its status counts open questions, waiters and companions`() throws {
    let family = try Family()
    for number in 0..<3 { try family.ask(.own("change-\(number)")) }
    let requesters = try (0..<2).map { try family.requester(.own("change-\($0)")) }
    let watch = try family.watch()
    #expect(try watch.backlog().count == 3)
    try family.daemon.notify.wait(for: family.daemon.program) { numbers(in: $0) == [3, 2, 1] }
    for requester in requesters { requester.close() }
    watch.client.close()
    try family.daemon.notify.wait(for: family.daemon.program) { numbers(in: $0) == [3, 0, 0] }
  }

  @Test func `many changes are no storm of notifications`() throws {
    let family = try Family()
    for number in 0..<500 { try family.ask(.own("change-\(number)")) }
    try family.daemon.notify.wait(for: family.daemon.program) { numbers(in: $0) == [500, 0, 0] }
    #expect(family.daemon.notify.assignments.count < 100)
  }

  @Test func `it says that it stops`() throws {
    let family = try Family()
    #expect(try family.daemon.stop().exit == .status(0))
    try family.daemon.notify.collect()
    #expect(family.daemon.notify.assignments.contains("STOPPING=1"))
  }

  @Test(arguments: [2, 15] as [Int32])
  func `it ends cleanly on the signals that ask for it`(signal: Int32) throws {
    let family = try Family()
    family.daemon.program.signal(signal)
    #expect(try family.daemon.program.waitForExit() == .status(0))
  }

  @Test func `it pings the watchdog that asks for it`() throws {
    let daemon = try Daemon.sandbox(environment: ["WATCHDOG_USEC": "200000"])
    for _ in 0..<3 { try daemon.notify.wait(for: daemon.program) { $0 == "WATCHDOG=1" } }
    #expect(!daemon.notify.assignments.contains { $0.hasPrefix("WATCHDOG=trigger") })
  }

  /// The numbers in a `STATUS=` assignment, in order.
  private func numbers(in assignment: String) -> [Int] {
    guard assignment.hasPrefix("STATUS=") else { return [] }
    return assignment.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
  }
}

@Suite struct ActivationTests {
  @Test(arguments: [["apps", "guardians"], ["guardians", "apps"]])
  func `sockets that are handed over are told apart by their names`(names: [String]) throws {
    let directory = try TemporaryDirectory()
    var setup = try handingOver(names, in: directory)
    setup.apps = directory.file("apps")
    setup.guardians = directory.file("guardians")
    let daemon = try Daemon(in: directory, setup: setup)
    let apps = try daemon.apps().call("\(Interface.service).GetInfo")
    let guardians = try daemon.guardians().call("\(Interface.service).GetInfo")
    #expect(apps["interfaces"]?.array?.contains(.string(Interface.permission)) == true)
    #expect(guardians["interfaces"]?.array?.contains(.string(Interface.guardian)) == true)
    #expect(guardians["interfaces"]?.array?.contains(.string(Interface.sandbox)) == false)
    #expect(try daemon.stop().exit == .status(0))
    #expect(try Endpoint(connectingTo: directory.file("apps")).isReadable == false)
  }

  @Test func `calls made before it runs are answered when it does`() throws {
    let directory = try TemporaryDirectory()
    var setup = try handingOver(["apps", "guardians"], in: directory)
    setup.apps = directory.file("apps")
    setup.guardians = directory.file("guardians")
    let early = try TestClient(path: setup.apps)
    try early.send("\(Interface.service).GetInfo")
    let daemon = try Daemon(in: directory, setup: setup)
    #expect(try early.receiveAnswer()["vendor"] != nil)
    #expect(daemon.program.isRunning)
  }

  @Test(arguments: [["apps"], ["apps", "apps"], ["apps", "guardians", "others"], ["varlink", "guardians"]])
  func `sockets of other names are refused with a line that says so`(names: [String]) throws {
    let directory = try TemporaryDirectory()
    try refuses(try handingOver(names, in: directory))
  }

  @Test func `a socket that does not listen is refused`() throws {
    let directory = try TemporaryDirectory()
    var setup = try handingOver(["apps", "guardians"], in: directory)
    setup.sockets[0] = try ListeningSocket(path: directory.file("deaf"), listens: false)
    try refuses(setup)
  }

  @Test func `a server address in the environment is refused`() throws {
    let directory = try TemporaryDirectory()
    var setup = try Daemon.plainSetup(in: directory)
    setup.environment["SYSTEMD_VARLINK_LISTEN"] = directory.file("elsewhere")
    try refuses(setup)
  }

  /// Runs a daemon that must not start, and expects one line about why.
  private func refuses(_ setup: Daemon.Setup) throws {
    let program = try Program(
      Program.path(of: "consentd"), setup.arguments, environment: setup.environment, wrappers: setup.wrappers,
      handingOver: setup.sockets.map(\.descriptor))
    guard case .status(let status) = try program.waitForExit() else { throw TestFailure("ended by a signal") }
    #expect(status != 0)
    #expect(program.errors.split(separator: "\n").count == 1)
  }

  private func handingOver(_ names: [String], in directory: TemporaryDirectory) throws -> Daemon.Setup {
    var setup = try Daemon.plainSetup(in: directory)
    setup.sockets = try names.enumerated().map { number, name in
      try ListeningSocket(path: directory.file(names.firstIndex(of: name) == number ? name : "\(name)-\(number)"))
    }
    setup.environment = [
      "LISTEN_FDS": String(names.count), "LISTEN_FDNAMES": names.joined(separator: ":"),
    ]
    setup.wrappers = [.listening]
    return setup
  }
}

@Suite struct StartTests {
  @Test func `a second daemon on the same store gives way`() throws {
    let first = try Daemon.plain()
    let other = try TemporaryDirectory()
    var setup = try Daemon.plainSetup(in: other)
    setup.arguments[3] = first.setup.arguments[3]
    let outcome = try Program.run(Program.path(of: "consentd"), setup.arguments)
    #expect(outcome.exit == .status(65))
    #expect(outcome.errors.contains(first.setup.arguments[3]))
    #expect(try first.apps().call("\(Interface.service).GetInfo")["vendor"] != nil)
  }

  @Test func `a second daemon takes nobody's sockets`() throws {
    let first = try Daemon.plain()
    let other = try TemporaryDirectory()
    var setup = try Daemon.plainSetup(in: other)
    setup.arguments[1] = first.setup.arguments[1]
    let outcome = try Program.run(Program.path(of: "consentd"), setup.arguments)
    #expect(outcome.exit != .status(0))
    #expect(try first.apps().call("\(Interface.service).GetInfo")["vendor"] != nil)
  }

  @Test func `two daemons in directories of their own leave each other alone`() throws {
    let families = try [Family(), Family()]
    let question = try families[0].question(.own("2.0"))
    #expect(try families[1].statistics()["openQuestions"] == 0)
    #expect(throws: CallError.self) { try families[1].look(question) }
  }

  @Test(arguments: [["--sandbox"], ["--nonsense"], ["serve"], ["--sandbox", "/tmp", "--state-directory", "/tmp"]])
  func `arguments it does not understand are a usage error`(arguments: [String]) throws {
    let outcome = try Program.run(Program.path(of: "consentd"), arguments)
    #expect(outcome.exit == .status(64))
    #expect(!outcome.errors.isEmpty)
  }

  @Test(arguments: ["--version", "--help"])
  func `it tells about itself`(argument: String) throws {
    let outcome = try Program.run(Program.path(of: "consentd"), [argument])
    #expect(outcome.exit == .status(0))
    #expect(outcome.output.contains("consentd"))
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a configuration that cannot be used is refused with its place`() throws {
    for text in ["{", "[]", #"{"nonsense": true}"#, "not json"] {
      let directory = try TemporaryDirectory()
      let setup = try Daemon.plainSetup(in: directory, configuration: text)
      for arguments in [setup.arguments, setup.arguments + ["--check-config"]] {
        let outcome = try Program.run(Program.path(of: "consentd"), arguments)
        #expect(outcome.exit == .status(78))
        #expect(outcome.errors.contains(directory.file("consentd.json5")))
      }
    }
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory, configuration: "// nothing\n{}\n")
    #expect(try Program.run(Program.path(of: "consentd"), setup.arguments + ["--check-config"]).exit == .status(0))
  }
}
