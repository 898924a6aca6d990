// SPDX-License-Identifier: Apache-2.0
//
// What an administrator writes: read to the last key, and every error says which file, where in it, and what.

import ConsentModel
import Foundation
import TestSupport
import Testing

@testable import ConsentDaemon

@Suite struct ConfigurationTests {
  private let directory: TemporaryDirectory
  private let file: String

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("consentd.json5")
    for folder in ["consentd.json5.d", "apps.d", "policies.d"] {
      try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: false)
    }
  }

  private func load() throws -> Configuration {
    var options = try Options([])
    options.configuration = file
    return try Configuration.load(options)
  }

  /// Expects a fault of the configuration that begins with the path of `name` and `place`.
  private func expectFault(in name: String, _ place: String, _ location: SourceLocation = #_sourceLocation) {
    do {
      _ = try load()
      Issue.record("no fault", sourceLocation: location)
    } catch let fault as SettingsFault {
      #expect(fault.file == directory.file(name))
      #expect("\(fault)".hasPrefix("\(directory.file(name)): \(place)"), "\(fault)", sourceLocation: location)
      #expect(!"\(fault)".contains("\n"), sourceLocation: location)
    } catch {
      Issue.record("\(error)", sourceLocation: location)
    }
  }

  // MARK: The main file

  @Test func `without a file everything is as by default`() throws {
    let configuration = try load()
    #expect(configuration.administrators == [])
    #expect(configuration.policy == .baseline)
  }

  @Test func `a file that the command line names has to be there`() throws {
    #expect(throws: SettingsFault(file, "there is no such file")) {
      try Configuration.load(try Options(["--config", file]))
    }
  }

  @Test func `a folder that cannot be read is no empty folder`() throws {
    try FileManager.default.removeItem(atPath: directory.file("apps.d"))
    try FileManager.default.createSymbolicLink(atPath: directory.file("apps.d"), withDestinationPath: "apps.d")
    expectFault(in: "apps.d", "cannot be read")
  }

  @Test func `the file that is shipped says the defaults`() throws {
    let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../config").standardizedFileURL.path
    for name in ["consentd.json5", "policies.d/baseline.json5"] {
      try FileManager.default.copyItem(atPath: "\(shipped)/\(name)", toPath: directory.file(name))
    }
    let configuration = try load()
    #expect(configuration.administrators == [])
    #expect(configuration.policy == .baseline)
  }

  @Test func `administrators are named by uid or login`() throws {
    try directory.write("{ administrators: [1000, 'root', 7], } // JSON5", to: "consentd.json5")
    #expect(try load().administrators == [0, 7, 1000])
  }

  @Test func `later files win, key by key, in the order of their names`() throws {
    try directory.write("{administrators: [1], policy: 'baseline'}", to: "consentd.json5")
    try directory.write("{administrators: [2]}", to: "consentd.json5.d/10-a.json5")
    try directory.write("{administrators: [3]}", to: "consentd.json5.d/20-b.json5")
    try directory.write("not read", to: "consentd.json5.d/30-c.json")
    #expect(try load().administrators == [3])
    #expect(try load().policy == .baseline)
  }

  @Test(arguments: [
    ("{administrator: []}", "administrator: unknown key; known: administrators, coolDowns, limits, policy, retention"),
    ("{policy: 7}", "policy: "), ("{administrators: 'root'}", "administrators: "),
    ("{administrators: [1000, true]}", "administrators.1: neither a login name nor a uid from 0 to 4294967294"),
    ("{administrators: [[1]]}", "administrators.0: "),
    ("[]", ""), ("", "line 1, column 1: "), ("{", "line 1, column 2: "),
    ("{policy: 'baseline'} trailing", "line 1, column 22: "),
  ])
  func `a file that does not read names itself and the place`(text: String, place: String) throws {
    try directory.write(text, to: "consentd.json5")
    expectFault(in: "consentd.json5", place)
    try directory.write("{}", to: "consentd.json5")
    try directory.write(text, to: "consentd.json5.d/10-a.json5")
    expectFault(in: "consentd.json5.d/10-a.json5", place)
  }

  @Test func `retention is set class by class, each within its range`() throws {
    try directory.write("{retention: {eventsDays: 1, auditDays: 36500}}", to: "consentd.json5")
    try directory.write("{retention: {grantsDays: 30, eventsDays: 2}}", to: "consentd.json5.d/10-a.json5")
    var rule = RetentionRule()
    (rule.eventsDays, rule.grantsDays, rule.auditDays) = (2, 30, 36_500)
    #expect(try load().retention == rule)
    for (text, place) in [
      ("{eventsDays: 0}", "retention.eventsDays: from 1 to 36500"),
      ("{auditDays: 36501}", "retention.auditDays: from 1 to 36500"),
      ("{questionsDays: '9'}", "retention.questionsDays: "),
      ("{days: 9}", "retention.days: unknown key; known: auditDays, eventsDays, grantsDays, questionsDays"),
    ] {
      try directory.write("{retention: \(text)}", to: "consentd.json5.d/10-a.json5")
      expectFault(in: "consentd.json5.d/10-a.json5", place)
    }
  }

  @Test func `a login that nobody has is a fault of the file that names it`() throws {
    try directory.write("{administrators: ['nobody-of-this-name']}", to: "consentd.json5")
    expectFault(in: "consentd.json5", "administrators: there is no user nobody-of-this-name")
    try directory.write("{}", to: "consentd.json5")
    try directory.write("{administrators: ['nobody-of-this-name']}", to: "consentd.json5.d/10-a.json5")
    expectFault(in: "consentd.json5.d/10-a.json5", "administrators: there is no user nobody-of-this-name")
  }

  @Test func `all that is wrong is found in one look`() throws {
    try directory.write("{policy: 'late', administrators: [true]}", to: "consentd.json5")
    try directory.write("{", to: "consentd.json5.d/10-a.json5")
    try directory.write("{}", to: "apps.d/chat.json5")
    try directory.write("{}", to: "policies.d/late.json5")
    var options = try Options([])
    options.configuration = file
    var reader = SettingsReader()
    _ = Configuration(options, &reader)
    let names = ["consentd.json5", "consentd.json5.d/10-a.json5", "apps.d/chat.json5", "policies.d/late.json5"]
    #expect(reader.faults.map(\.file) == names.map(directory.file))
  }

  // MARK: Apps

  @Test func `an app's entry is read whole`() throws {
    try directory.write(
      """
      {id: 'org.example.Chat', names: {en: 'Chat', 'de-AT': 'Plausch'}, uid: 990, unit: 'chat.service',
       bridgeUid: 'root', versions: ['1.0', '2.0'],
       plans: {start: [{kind: 'significantUpdate', change: '2.0', description: 'Adds voice rooms', reasons: null},
         {kind: 'resource', resource: 'org.example.screenTime', purpose: 'Half an hour more', level: 'full'}]}}
      """,
      to: "apps.d/chat.json5")
    let entry = try #require(try load().apps.entry(.chat))
    #expect(entry.names == ["en": "Chat", "de-AT": "Plausch"])
    #expect(entry.uid == 990 && entry.unit == "chat.service" && entry.bridgeUID == 0)
    #expect(entry.versions == ["1.0", "2.0"])
    #expect(entry.plans["start"]?.map(\.kind) == [.significantUpdate, .resource])
  }

  @Test func `an app's entry needs an id and a uid`() throws {
    try directory.write("{id: 'org.example.Chat', uid: 990}", to: "apps.d/chat.json5")
    let entry = try #require(try load().apps.entry(.chat))
    #expect(entry.uid == 990 && entry.unit == nil && entry.bridgeUID == nil)
    #expect(entry.names.isEmpty && entry.versions.isEmpty && entry.plans.isEmpty)
  }

  @Test(arguments: [
    ("{uid: 990}", "id: missing"), ("{id: 'org.example.Chat'}", "uid: missing"), ("{id: 'Chat', uid: 990}", "id: "),
    ("{id: 'org.example.Chat', uid: -1}", "uid: "), ("{id: 'org.example.Chat', uid: 4294967296}", "uid: "),
    ("{id: 'org.example.Chat', uid: 4294967295}", "uid: "),
    (
      "{id: 'org.example.Chat', uid: 990, bridgeUID: 991}",
      "bridgeUID: unknown key; known: bridgeUid, id, names, plans, uid, unit, versions"
    ),
    ("{id: 'org.example.Chat', uid: 990, names: ['Chat']}", "names: "),
    ("{id: 'org.example.Chat', uid: 990, names: {en: 7}}", "names.en: "),
    ("{id: 'org.example.Chat', uid: 990, names: {de: 'Plausch'}}", "names: with one under"),
    (
      "{id: 'org.example.Chat', uid: 990, names: {en: 'Chat', 'de_AT': 'Plausch'}}", "names.de_AT: under a language tag"
    ),
    ("{id: 'org.example.Chat', uid: 990, bridgeUid: 990}", "bridgeUid: another user than uid"),
    ("{id: 'org.example.Chat', uid: 990, unit: 'user@990.service'}", "unit: a system service"),
    ("{id: 'org.example.Chat', uid: 990, versions: ['1', '2', '1']}", "versions.2: given once"),
    ("{id: 'org.example.Chat', uid: 990, versions: [1]}", "versions.0: "),
    ("{id: 'org.example.Chat', uid: 990, plans: {start: []}}", "plans.start: with at least one topic"),
    ("{id: 'org.example.Chat', uid: 990, plans: {start: [7]}}", "plans.start.0.kind: one of"),
    (
      "{id: 'org.example.Chat', uid: 990, plans: {'a b': [{kind: 'resource', resource: 'a.b', purpose: 'p'}]}}",
      "plans.a b: under a name"
    ),
    (
      "{id: 'org.example.Chat', uid: 990, plans: {start: [{kind: 'significantUpdate', change: '2'}]}}",
      "plans.start.0.description: given"
    ),
    (
      "{id: 'org.example.Chat', uid: 990, plans: {start: [{kind: 'resource', resource: 'a.b', purpose: 'p', x: 1}]}}",
      "plans.start.0.x: absent"
    ),
    ("{id: 'org.example.Chat', uid: 'nobody-of-this-name'}", "uid: there is no user nobody-of-this-name"),
    (
      "{id: 'org.example.Chat', uid: 990, bridgeUid: 'nobody-of-this-name'}",
      "bridgeUid: there is no user nobody-of-this-name"
    ),
  ])
  func `an entry that does not read names itself and the place`(text: String, place: String) throws {
    try directory.write(text, to: "apps.d/chat.json5")
    expectFault(in: "apps.d/chat.json5", place)
  }

  @Test func `one id has one entry`() throws {
    try directory.write("{id: 'org.example.Chat', uid: 990}", to: "apps.d/a.json5")
    try directory.write("{id: 'org.example.Chat', uid: 991}", to: "apps.d/b.json5")
    expectFault(in: "apps.d/b.json5", "id: another entry has org.example.Chat already")
  }

  // MARK: Policies

  @Test func `waits are those of the rules, and a file changes the numbers it names`() throws {
    #expect(try load().coolDowns == .standard)
    try directory.write("{coolDowns: {afterDenialSec: [60], newQuestionsPerDay: 3}}", to: "consentd.json5")
    try directory.write("{coolDowns: {newQuestionsPerDay: 4}}", to: "consentd.json5.d/later.json5")
    let expected = CoolDowns(
      afterDenialUSec: [60 * Span.second], afterLapseUSec: Span.hour, newQuestionsPerDay: 4)
    #expect(try load().coolDowns == expected)
  }

  @Test(
    arguments: [
      ("{}", .standard),
      (
        "{afterLapseSec: 0, afterDenialSec: []}",
        CoolDowns(afterDenialUSec: [], afterLapseUSec: 0, newQuestionsPerDay: 10)
      ),
    ] as [(String, CoolDowns)])
  func `in a sandbox nobody waits unless a file says so`(text: String, expected: CoolDowns) throws {
    var options = try Options(["--sandbox", directory.file("sandbox")])
    options.configuration = file
    #expect(try Configuration.load(options).coolDowns == nil)
    try directory.write("{coolDowns: \(text)}", to: "consentd.json5")
    #expect(try Configuration.load(options).coolDowns == expected)
  }

  @Test(
    arguments: [
      ("{afterDenial: 4}", "coolDowns.afterDenial: unknown key"),
      ("{afterDenialSec: 60}", "coolDowns.afterDenialSec: "),
      ("{afterDenialSec: [-1]}", "coolDowns.afterDenialSec: at most 16 numbers from 0 to 31536000"),
      ("{afterDenialSec: [31536001]}", "coolDowns.afterDenialSec: at most 16"),
      ("{afterLapseSec: 31536001}", "coolDowns.afterLapseSec: from 0 to 31536000"),
      ("{newQuestionsPerDay: 0}", "coolDowns.newQuestionsPerDay: from 1 to 1000000"), ("7", "coolDowns: "),
    ])
  func `a wait that cannot be is named`(text: String, place: String) throws {
    try directory.write("{coolDowns: \(text)}", to: "consentd.json5")
    expectFault(in: "consentd.json5", place)
  }

  @Test func `a policy is read by its name`() throws {
    try directory.write("{policy: 'late'}", to: "consentd.json5")
    try directory.write(
      "{id: 'late', version: '3', gates: [12, 21], adultAge: 21, sources: ['somewhere']}", to: "policies.d/late.json5")
    #expect(try load().policy == Policy(id: "late", version: "3", gates: Gates([12, 21]), adultAge: 21))
  }

  @Test func `the baseline can be overridden by a file`() throws {
    try directory.write("{id: 'baseline', version: '9', gates: [14], adultAge: 19}", to: "policies.d/baseline.json5")
    #expect(try load().policy.reference == "baseline/9")
  }

  @Test(arguments: ["late", "../policies.d/baseline", ""])
  func `a policy that is not there is a fault`(name: String) throws {
    try directory.write("{policy: '\(name)'}", to: "consentd.json5")
    expectFault(in: "consentd.json5", "policy: there is no policies.d/\(name).json5")
    try directory.write("{}", to: "consentd.json5")
    try directory.write("{policy: '\(name)'}", to: "consentd.json5.d/10-a.json5")
    expectFault(in: "consentd.json5.d/10-a.json5", "policy: there is no policies.d/\(name).json5")
  }

  @Test func `a policy that nobody chose has to read as well`() throws {
    try directory.write("{id: 'late', version: '3', gates: [], adultAge: 18}", to: "policies.d/late.json5")
    expectFault(in: "policies.d/late.json5", "gates: ")
  }

  @Test(arguments: [
    ("{id: 'late', version: '3', gates: [12], adultAge: 1}", "adultAge: from 2 to 120"),
    ("{id: 'late', version: '3', gates: [12], adultAge: 121}", "adultAge: from 2 to 120"),
    ("{id: 'late', version: '3', gates: [], adultAge: 18}", "gates: "),
    ("{id: 'late', version: '3', gates: [16, 13], adultAge: 18}", "gates: "),
    ("{id: 'late', version: '3', gates: [13, 'x'], adultAge: 18}", "gates.1: "),
    ("{id: 'other', version: '3', gates: [12], adultAge: 18}", "id: other does not match the file's name"),
    ("{id: 'late', version: 3, gates: [12], adultAge: 18}", "version: "),
    ("{id: 'late', gates: [12], adultAge: 18}", "version: missing"),
    ("{id: 'late', version: '3', gates: [12], adultAge: 18, rule: 'all'}", "rule: unknown key"),
    ("{id: 'late', version: '3', gates: [12], adultAge: '18'}", "adultAge: "),
  ])
  func `a policy that does not read names itself and the place`(text: String, place: String) throws {
    try directory.write("{policy: 'late'}", to: "consentd.json5")
    try directory.write(text, to: "policies.d/late.json5")
    expectFault(in: "policies.d/late.json5", place)
  }
}
