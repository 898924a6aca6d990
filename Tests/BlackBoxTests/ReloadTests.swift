// SPDX-License-Identifier: Apache-2.0
//
// The configuration is changed under a daemon that serves: all of it at once or nothing, in force when the call
// returns, and nobody who waits notices. Row 41 of the scenarios.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct ReloadTests {
  private let family: Family
  private let late = "{id: 'late', version: '1', gates: [12, 21], adultAge: 21}"

  init() throws {
    family = try Family(born: "2014-03-05")
    for folder in ["consentd.json5.d", "apps.d", "policies.d"] {
      try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: false)
    }
  }

  private func path(_ name: String) -> String { family.daemon.directory.file("sandbox/\(name)") }

  private func write(_ text: String, to name: String) throws {
    try family.daemon.directory.write(text, to: "sandbox/\(name)")
  }

  private func reload() throws { try family.desk.administration("Reload") }

  /// The gates of the policy in force.
  private func gates() throws -> JSON? {
    try family.app.ageRange("GetAgeRange", ["person": .string(Family.person)]).member("range")["gatesApplied"]
  }

  // MARK: A good configuration

  @Test func `a policy is in force when the call returns, for those who are connected`() throws {
    #expect(try gates() == [13, 16, 18])
    try write(late, to: "policies.d/late.json5")
    try write("{policy: 'late'}", to: "consentd.json5")
    #expect(try gates() == [13, 16, 18])
    try reload()
    #expect(try gates() == [12, 21])
    try write("{policy: 'baseline'}", to: "consentd.json5.d/10-back.json5")
    try reload()
    #expect(try gates() == [13, 16, 18])
  }

  @Test func `an app that is registered is registered from its next call on`() throws {
    let claim: JSONObject = ["app": "org.example.Chat"]
    #expect(try family.card(family.question(.update("1"), claim))["provenance"] == "claimed")
    try write("{id: 'org.example.Chat', uid: \(getuid())}", to: "apps.d/chat.json5")
    try reload()
    #expect(try family.card(family.question(.update("2"), claim))["provenance"] == "registered")
    try FileManager.default.removeItem(atPath: path("apps.d/chat.json5"))
    try reload()
    #expect(try family.card(family.question(.update("3"), claim))["provenance"] == "claimed")
  }

  @Test func `a file that has gone is as if it had never been`() throws {
    try write(late, to: "policies.d/late.json5")
    try write("{policy: 'late'}", to: "consentd.json5")
    try reload()
    try FileManager.default.removeItem(atPath: path("consentd.json5"))
    try reload()
    #expect(try gates() == [13, 16, 18])
  }

  @Test func `consentctl reloads in a second`() throws {
    try write(late, to: "policies.d/late.json5")
    try write("{policy: 'late'}", to: "consentd.json5")
    let start = ContinuousClock.now
    let outcome = try family.consentctl("reload")
    #expect(start.duration(to: .now) < .seconds(1))
    #expect(outcome.exit == .status(0))
    #expect(try gates() == [12, 21])
    #expect(try family.consentctl("reload", "--json").output == "{}\n")
  }

  // MARK: A bad one

  /// A bad file: its name, its text, the place in it.
  typealias BadFile = (name: String, text: String, place: String)

  @Test(
    arguments: [
      ("consentd.json5", "{\n  policy: 'late'\n  administrators: [0],\n}", "line 3, column 3"),
      ("consentd.json5", "{policy: 'late', administrator: [0]}", "administrator"),
      ("consentd.json5", "{policy: 'late', administrators: ['nobody-of-this-name']}", "administrators"),
      ("consentd.json5", "{policy: 'gone'}", "policy"),
      ("consentd.json5.d/50-bad.json5", "{policy: 7}", "policy"),
      ("apps.d/chat.json5", "{id: 'org.example.Chat', uid: 'nobody-of-this-name'}", "uid"),
      ("apps.d/chat.json5", "", "line 1, column 1"),
      ("policies.d/other.json5", "{id: 'other', version: '1', gates: [], adultAge: 21}", "gates"),
    ] as [BadFile])
  func `one bad file changes nothing, and is named with the place in it`(file: BadFile) throws {
    try write("{policy: 'late'}", to: "consentd.json5")
    try write(late, to: "policies.d/late.json5")
    try write(file.text, to: file.name)
    let refusal = try #require(throws: CallError.self) { try reload() }
    #expect(refusal.name == "\(Interface.administration).InvalidConfiguration")
    #expect(refusal.parameters["file"] == .string(path(file.name)))
    #expect(refusal.parameters["place"] == .string(file.place))
    #expect(try gates() == [13, 16, 18])
  }

  @Test func `a directory, a pipe, a link to nowhere and what nobody may read are no configuration`() throws {
    let file = path("consentd.json5")
    let makers: [(String) throws -> Void] = [
      { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
      { mkfifo($0, 0o600) },
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "nowhere") },
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "consentd.json5") },
    ]
    for make in makers {
      try make(file)
      let refusal = try #require(throws: CallError.self) { try reload() }
      #expect(refusal.parameters["file"] == .string(file))
      #expect(refusal.parameters["place"] == "")
      try FileManager.default.removeItem(atPath: file)
    }
    try reload()
  }

  @Test func `consentctl says in one line what is wrong and fails`() throws {
    try write("{policy: 'gone'}", to: "consentd.json5")
    let outcome = try family.consentctl("reload")
    #expect(outcome.exit == .status(1))
    #expect(outcome.output == "")
    #expect(outcome.remarks.count == 1)
    #expect(outcome.errors.contains("\(path("consentd.json5")): policy: there is no policies.d/gone.json5"))
  }

  @Test func `the status says what is wrong until a reload succeeds`() throws {
    try write("{policy: 'gone'}", to: "consentd.json5")
    _ = try? reload()
    let trouble = "configuration not reloaded: \(path("consentd.json5")): policy: there is no policies.d/gone.json5"
    let notify = family.daemon.notify
    try notify.wait(for: family.daemon.program) { $0.hasPrefix("STATUS=\(trouble); 0 open questions") }
    try family.ask(.update("2.0"))
    try notify.wait(for: family.daemon.program) { $0.hasPrefix("STATUS=\(trouble); 1 open question,") }
    try write("{}", to: "consentd.json5")
    try reload()
    try notify.wait(for: family.daemon.program) { $0.hasPrefix("STATUS=1 open question,") }
  }

  @Test func `a start refuses what a reload refuses`() throws {
    try write("{policy: 'gone'}", to: "consentd.json5")
    #expect(throws: CallError.self) { try reload() }
    _ = try family.daemon.stop()
    let outcome = try Program.run(Program.path(of: "consentd"), family.daemon.setup.arguments)
    #expect(outcome.exit == .status(78))
    #expect(outcome.errors.contains("\(path("consentd.json5")): policy: "))
  }

  // MARK: In the middle of everything

  @Test func `whoever waits notices nothing`() throws {
    let questions = try (0..<50).map { try family.question(.own("change-\($0)")) }
    let waiters = try (0..<500).map { number in
      let waiter = try family.daemon.apps()
      let question = questions[number % questions.count]
      try waiter.send("\(Interface.permission).Await", ["question": .string(question), "timeoutUSec": 3_600_000_000])
      return waiter
    }
    let streams = [try family.responses(["after": 0]), try family.watch()]
    for stream in streams { _ = try stream.backlog() }
    try family.settle(waiters: 500)
    try write(late, to: "policies.d/late.json5")
    for text in ["{policy: 'late'}", "{", "{}"] {
      try write(text, to: "consentd.json5")
      let start = ContinuousClock.now
      _ = try? reload()
      #expect(start.duration(to: .now) < .seconds(1))
    }
    try family.settle(waiters: 500)
    for waiter in waiters { #expect(waiter.isQuiet) }
    for question in questions { #expect(try family.answer(question, "approve")["waitersResumed"] == 10) }
    for waiter in waiters { #expect(try waiter.receiveAnswer()["state"] == "approved") }
    for stream in streams { _ = try stream.next() }
  }

  @Test func `reloads at once are one after another`() throws {
    let desks = try (0..<20).map { _ in try family.daemon.guardians() }
    try write(late, to: "policies.d/late.json5")
    try write("{policy: 'late'}", to: "consentd.json5")
    for desk in desks { for _ in 0..<5 { try desk.send("\(Interface.administration).Reload") } }
    for desk in desks { for _ in 0..<5 { #expect(try desk.receiveAnswer() == [:]) } }
    #expect(try gates() == [12, 21])
  }

  @Test func `a reload while it stops is answered or not, and the stop is clean`() throws {
    let desks = try (0..<20).map { _ in try family.daemon.guardians() }
    for (number, desk) in desks.enumerated() {
      if number == 10 { family.daemon.program.signal(SIGTERM) }
      _ = try? desk.send("\(Interface.administration).Reload")
    }
    #expect(try family.daemon.program.waitForExit() == .status(0))
    for desk in desks {
      guard let reply = try desk.receive() else { continue }
      #expect(reply.error == nil)
    }
  }
}
