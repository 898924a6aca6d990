// SPDX-License-Identifier: Apache-2.0
//
// What leaves evidence, and what it says: every decision and every change of who decides, once, in the transaction that
// does it; and nothing that merely looked or was refused.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct AuditTests {
  let world: World

  init() throws {
    world = try .family([.ann, .bob])
  }

  private func last(_ kind: AuditKind) throws -> HistoryEntry {
    try #require(try world.audit().last { $0.kind == kind.rawValue })
  }

  /// What is said from here on.
  private func kinds(after body: () throws -> Void) throws -> [String] {
    let before = try world.auditKinds().count
    try body()
    return Array(try world.auditKinds().dropFirst(before))
  }

  @Test func `enrolling a family leaves one entry for everybody, and says who did it`() throws {
    #expect(
      try world.audit().map { "\($0.kind) \($0.person?.description ?? "")" } == [
        "personAdded uid:1001", "personAdded uid:1000", "declaration uid:1000", "guardianAdded uid:1001",
        "personAdded uid:1002", "declaration uid:1002", "guardianAdded uid:1001",
      ])
    #expect(try last(.guardianAdded).facts == ["by": "uid:0", "guardian": "uid:1002"])
  }

  @Test func `what is done again leaves no entry`() throws {
    #expect(
      try kinds {
        try world.enrol(guardians: [.ann, .bob])
        try world.run { [broker = world.broker] in
          try await broker.removeGuardian(.nan, of: .mia)
          try await broker.removePerson(.leo)
        }
      } == [])
  }

  @Test func `an approval and its grant say who, how, what was shown and under which policy`() throws {
    let question = try world.question()
    try world.answer(.of(question, note: "fine"))
    let card = try world.run { [broker = world.broker] in
      try await broker.describe(question.description, for: .ann)
    }
    let decision = try last(.decision)
    #expect(decision.person == .mia && decision.app == .chat && decision.at == world.clock.now)
    let expected: JSONObject = [
      "question": .string(question.description), "topicKey": "significantUpdate/2.0", "state": "approved",
      "choice": "approve", "decidedBy": "guardian", "guardian": "uid:1000", "channel": "local",
      "assurance": "localUser", "contentHash": .string(card.contentHash),
      "policy": .string(Policy.baseline.reference), "decidedAtUSec": .integer(world.clock.now.usec),
    ]
    for member in expected.members { #expect(decision.facts[member.name] == member.value, "\(member.name)") }
    #expect(decision.facts["answers"]?.array?.first?.object?["note"] == "fine")
    let granted = try last(.granted)
    #expect(granted.facts["grant"] == decision.facts["grant"] && granted.facts["grant"] != nil)
    #expect(granted.facts["question"] == .string(question.description))
    #expect(granted.facts["items"]?.array?.count == 1)
  }

  @Test func `every ending is one entry, in the order of the endings`() throws {
    #expect(
      try kinds {
        let first = try world.question()
        try world.answer(.of(first, "deny"))
        _ = try world.question(.communication(["kim"]))
        _ = try world.question(.communication(["kim"], ["call"]))
        try world.withdraw(world.question(.resource()))
        _ = try world.question(.resource("org.example.b"), expiresInUSec: Span.hour)
        world.clock.pass(Span.hour)
        try world.run { [broker = world.broker] in try await broker.expireDue() }
      } == ["decision", "decision", "decision", "decision"])
    #expect(
      try world.audit().suffix(4).map { $0.facts["state"] } == ["denied", "superseded", "withdrawn", "expired"])
  }

  @Test func `removing a person ends what was granted, in so many words`() throws {
    try world.answer(.of(world.question()))
    let open = try world.question(.resource())
    let kinds = try kinds { try world.run { [broker = world.broker] in try await broker.removePerson(.mia) } }
    #expect(kinds == ["decision", "grantEnded", "personRemoved"])
    #expect(try last(.decision).facts["question"] == .string(open.description))
    #expect(try last(.decision).facts["reason"] == "personRemoved")
    #expect(try last(.grantEnded).facts["endedReason"] == "personRemoved")
  }

  @Test func `ages say by whom they were declared, and that they replace`() throws {
    let age = DeclaredAge.bounds(lower: 9, upper: 9, asOf: .spring)
    #expect(try kinds { for _ in 0..<2 { try world.declare(age) } } == ["declaration", "declaration"])
    let declarations = try world.audit().suffix(2).map(\.facts)
    #expect(declarations.map { $0["replaces"] } == [nil, true])
    #expect(declarations[1]["lowerBound"] == 9 && declarations[1]["source"] == "administratorDeclared")
  }

  @Test func `guardians come and go in the audit`() throws {
    let kinds = try kinds {
      try world.run { [broker = world.broker] in try await broker.removeGuardian(.bob, of: .mia, by: 5) }
    }
    #expect(kinds == ["guardianRemoved"])
    #expect(try last(.guardianRemoved).facts == ["by": "uid:5", "guardian": "uid:1002"])
  }

  @Test func `a refused answer and a look leave nothing in its transaction`() throws {
    let question = try world.question()
    #expect(
      try kinds {
        #expect(throws: Refusal.self) { try world.answer(.of(question, by: .stranger)) }
        #expect(throws: Refusal.self) { try world.answer(.of(question, contentHash: "0")) }
        #expect(throws: Refusal.self) { try world.answer(.of(question, "perhaps")) }
        _ = try world.status()
      } == [])
  }

  @Test func `a crash leaves a decision with its evidence, or neither`() throws {
    let question = try world.question()
    for steps in 0..<8 {
      let left = try world.cut(after: steps) { [broker = world.broker] in
        _ = try await broker.answer(.of(question))
      }
      let isApproved = try left.look(question).state == .approved
      #expect(try left.auditKinds().contains("decision") == isApproved)
      #expect(try left.auditKinds().contains("granted") == isApproved)
      #expect(try left.verify()?.isValid == true)
      if isApproved { break }
    }
  }

  @Test func `a transaction that runs twice leaves its entries once`() throws {
    let question = try world.question()
    _ = world.start { [store = world.store] in
      try await store.write { rows in _ = try rows.insert(.dangling) }
    }
    let call = world.start { [broker = world.broker] in try await broker.answer(.of(question)) }
    world.settle()
    _ = try call.get()
    #expect(try world.auditKinds().filter { $0 == "decision" }.count == 1)
    #expect(try world.verify()?.isValid == true)
  }

  @Test func `a sandbox says so in every entry`() throws {
    let sandbox = try World.family(isSandbox: true)
    #expect(try sandbox.audit().allSatisfy { $0.facts["synthetic"] == true })
    #expect(try world.audit().allSatisfy { $0.facts["synthetic"] == nil })
  }
}
