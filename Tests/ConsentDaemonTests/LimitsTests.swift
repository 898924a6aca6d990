// SPDX-License-Identifier: Apache-2.0
//
// Limits as an administrator sets them: number by number, each within its range, and the file that is shipped says what
// the code says.

import Foundation
import TestSupport
import Testing

@testable import ConsentDaemon

@Suite struct LimitsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("consentd.json5.d"), withIntermediateDirectories: false)
  }

  private func load(sandbox: Bool = false) throws -> Limits {
    var options = try Options(sandbox ? ["--sandbox", directory.path] : [])
    options.configuration = directory.file("consentd.json5")
    return try Configuration.load(options).limits
  }

  @Test func `the file that is shipped says every default`() throws {
    let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../config/consentd.json5").standardizedFileURL
    let lines = try String(contentsOf: shipped, encoding: .utf8).split(separator: "\n")
    let block = lines.drop { $0 != "  // limits: {" }.dropFirst().prefix { $0 != "  // }," }
    try #require(block.count > 6)
    let text = "{" + block.map { $0.replacing("  //", with: "") }.joined(separator: "\n") + "}"
    try directory.write(text, to: "limits.json5")
    let file = try #require(try SettingsFile.read(LimitsFile.self, at: directory.file("limits.json5")))
    let nothing = Limits.Allowance(
      connections: 0, waiting: 0, openQuestions: 0, queuedBytes: 0, callsPerSecond: 0, callBurst: 0)
    var limits = Limits(perUser: nothing, perService: nothing, total: nothing)
    file.apply(to: &limits)
    #expect(limits == .standard)
  }

  @Test func `a drop-in sets a single number`() throws {
    try directory.write("{limits: {perUser: {connections: 10, waiting: 5}}}", to: "consentd.json5")
    try directory.write("{limits: {perUser: {waiting: 6}, total: {waiting: 7}}}", to: "consentd.json5.d/1.json5")
    var expected = Limits.standard
    expected.perUser.connections = 10
    expected.perUser.waiting = 6
    expected.total.waiting = 7
    #expect(try load() == expected)
  }

  @Test func `a sandbox limits neither questions nor calls unless its file does`() throws {
    #expect(try load(sandbox: true) == .sandbox)
    for allowance in [Limits.sandbox.perUser, Limits.sandbox.perService, Limits.sandbox.total] {
      #expect(allowance.openQuestions == .max && allowance.callsPerSecond == .max)
    }
    #expect(Limits.sandbox.perUser.connections == Limits.standard.perUser.connections)
    try directory.write("{limits: {perService: {callsPerSecond: 5}}}", to: "consentd.json5")
    #expect(try load(sandbox: true).perService.callsPerSecond == 5)
    #expect(try load(sandbox: true).perUser.callsPerSecond == .max)
  }

  @Test(arguments: [
    ("{limits: {perUsers: {}}}", "limits.perUsers: unknown key; known: perService, perUser, total"),
    ("{limits: {perUser: {conections: 1}}}", "limits.perUser.conections: unknown key; known: callBurst, "),
    ("{limits: {total: {connections: 0}}}", "limits.total.connections: from 1 to 1000000"),
    ("{limits: {total: {queuedBytes: 4194303}}}", "limits.total.queuedBytes: from 4194304 to "),
    ("{limits: {perService: {callBurst: -1}}}", "limits.perService.callBurst: from 1 to "),
    ("{limits: {perService: {callsPerSecond: 'fast'}}}", "limits.perService.callsPerSecond: "),
    ("{limits: 7}", "limits: "),
  ])
  func `a limit that cannot be names itself`(text: String, place: String) throws {
    try directory.write(text, to: "consentd.json5")
    do {
      _ = try load()
      Issue.record("no fault")
    } catch {
      #expect("\(error)".contains("\(directory.file("consentd.json5")): \(place)"), "\(error)")
    }
  }

  @Test func `the defaults fit into one another`() {
    let limits = Limits.standard
    for allowance in [limits.perUser, limits.perService, limits.total] {
      #expect(allowance.waiting < allowance.connections)
      #expect(allowance.callBurst >= allowance.callsPerSecond)
    }
    #expect(limits.perService.connections + Limits.reserve < limits.total.connections)
    #expect(limits.perService.queuedBytes < limits.total.queuedBytes)
  }
}
