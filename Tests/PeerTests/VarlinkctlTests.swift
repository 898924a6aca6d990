// SPDX-License-Identifier: Apache-2.0
//
// systemd's client against the real daemon: what an administrator types to look at any Varlink service works here.

import Glibc
import StrictJSON
import TestSupport
import Testing

/// `varlinkctl` of systemd 257 as a client of consentd.
@Suite(Peers.areThere)
struct VarlinkctlTests {
  private static let interfaces = [
    "apps": [Interface.ageRange, Interface.permission, Interface.service],
    "guardians": [Interface.administration, Interface.guardian, Interface.sandbox, Interface.service],
  ]

  private static func socket(_ name: String, of daemon: Daemon) -> String {
    name == "apps" ? daemon.setup.apps : daemon.setup.guardians
  }

  private static func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    try Program.run(try Peers.varlinkctl(), arguments, input: input)
  }

  @Test(arguments: ["apps", "guardians"])
  func `the service says who it is and lists its interfaces`(name: String) throws {
    let daemon = try Daemon.sandbox()
    let socket = Self.socket(name, of: daemon)
    let info = try Self.run(["--json=short", "info", socket])
    #expect(info.exit == .status(0), "\(info.errors)")
    #expect(info.output.contains("consentd"))
    let list = try Self.run(["list-interfaces", socket])
    #expect(list.exit == .status(0), "\(list.errors)")
    #expect(list.output.split(separator: "\n").map(String.init) == Self.interfaces[name])
  }

  @Test(arguments: ["apps", "guardians"])
  func `every description is one that systemd can read`(name: String) throws {
    let daemon = try Daemon.sandbox()
    for interface in try #require(Self.interfaces[name]) {
      let description = try Self.run(["introspect", Self.socket(name, of: daemon), interface])
      #expect(description.exit == .status(0) && description.errors.isEmpty, "\(description.errors)")
      let verdict = try Self.run(["validate-idl"], input: description.output)
      #expect(verdict.exit == .status(0), "\(interface): \(verdict.errors)")
    }
  }

  @Test func `a call gets its answer`() throws {
    let family = try Family(born: "2014-03-05")
    let call = try Self.run([
      "--json=short", "call", family.daemon.setup.apps, "\(Interface.permission).GetStatus",
      family.asking(.update("2.0")).json,
    ])
    #expect(call.exit == .status(0), "\(call.errors)")
    let answer = try JSONObject(parsing: Array(call.output.utf8))
    #expect(answer["status"] == "notDetermined")
    #expect(answer["nextAction"] == "ask")
  }

  @Test func `an error arrives with its name and its parameters`() throws {
    let family = try Family()
    let call = try Self.run([
      "--json=short", "call", family.daemon.setup.apps, "\(Interface.permission).Await",
      #"{"question":"00000000000000000000000000000000"}"#,
    ])
    #expect(call.exit == .status(1))
    #expect(call.errors.contains("\(Interface.permission).UnknownQuestion"))
    #expect(call.output.contains(#""question":"00000000000000000000000000000000""#))
  }

  @Test func `a stream that needs more refuses a plain call`() throws {
    let daemon = try Daemon.sandbox()
    let call = try Self.run(["call", daemon.setup.guardians, "\(Interface.guardian).WatchQuestions", "{}"])
    #expect(call.exit == .status(1))
    #expect(call.errors.contains("\(Interface.service).ExpectedMore"))
  }

  @Test func `a stream delivers each change when it happens`() throws {
    let family = try Family()
    let socket = family.daemon.setup.guardians
    let arguments = ["-E", "--json=short", "--more", "call", socket, "\(Interface.guardian).WatchQuestions", "{}"]
    let stream = try Program(try Peers.varlinkctl(), arguments)
    #expect(try Self.next(from: stream)["change"] == "ready")
    let question = try family.question(.update("2.0"))
    let added = try Self.next(from: stream)
    #expect(added["change"] == "added")
    #expect(try added.member("question").text("question") == question)
    stream.signal(SIGTERM)
    try stream.waitForExit()
    try family.settle("companions", 0)
  }

  /// The next object of a stream; `varlinkctl` writes a record separator before each.
  private static func next(from stream: Program) throws -> JSONObject {
    guard let line = try stream.readLine() else { throw TestFailure("the stream ended: \(stream.errors)") }
    return try JSONObject(parsing: line.utf8.filter { $0 != 0x1E })
  }
}
