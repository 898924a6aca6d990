// SPDX-License-Identifier: Apache-2.0
//
// Whatever is done to the audit in the database, it is found, and where. What only a kept head can tell is not told
// without one, and that too is tested: nothing is promised that does not hold.

import ConsentModel
import ConsentStore
import StrictJSON
import Testing

@testable import ConsentBroker

@Suite struct TamperingTests {
  let world: World

  /// Entries 1 to 4 enrol Mia and Ann; 5 is a grant and 6 the approval it is from, 7 a denial, 8 is Leo's.
  init() throws {
    world = try .family()
    try world.answer(.of(world.question()))
    try world.answer(.of(world.question(.resource()), "deny"))
    try world.run { [broker = world.broker] in try await broker.addPerson(.leo, displayName: nil) }
  }

  @Test func `the audit as it was written is valid, and says how far it goes`() throws {
    let head = try world.broker.auditHead()
    #expect(head.size == 8)
    let verdict = try #require(try world.verify())
    #expect(verdict.isValid && verdict.head == head)
    #expect(try world.verify(against: head)?.isValid == true)
  }

  @Test(
    arguments: [
      Edit("UPDATE audit SET at = at + 1 WHERE seq = 5", 5, .chain),
      Edit("UPDATE audit SET kind = 'vote' WHERE seq = 5", 5, .chain),
      Edit("UPDATE audit SET commitment = zeroblob(32) WHERE seq = 5", 5, .chain),
      Edit("UPDATE audit SET hash = zeroblob(32) WHERE seq = 5", 5, .chain),
      Edit("UPDATE audit SET hash = x'00' WHERE seq = 8", 8, .chain),
      Edit("UPDATE audit SET payload = replace(payload, 'approve', 'deny') WHERE seq = 6", 6, .payload),
      Edit("UPDATE audit SET payload = '' WHERE seq = 5", 5, .payload),
      Edit("UPDATE audit SET salt = zeroblob(32) WHERE seq = 5", 5, .payload),
      Edit("UPDATE audit SET salt = NULL WHERE seq = 5", 5, .payload),
      Edit("UPDATE audit SET payload = NULL WHERE seq = 5", 5, .payload),
      Edit("UPDATE audit SET person = 'uid:1003' WHERE seq = 5", 5, .listing),
      Edit("UPDATE audit SET person = NULL WHERE seq = 5", 5, .listing),
      Edit("UPDATE audit SET app = NULL WHERE seq = 5", 5, .listing),
      Edit("UPDATE audit SET app = 'org.example.Game' WHERE seq = 5", 5, .listing),
      Edit("UPDATE audit SET payload = NULL, salt = NULL, person = NULL, app = NULL WHERE seq = 5", 5, .erasedUnsaid),
      Edit("DELETE FROM audit WHERE seq = 5", 5, .missing),
      Edit("DELETE FROM audit WHERE seq = 1", 1, .missing),
      Edit("DELETE FROM audit WHERE seq = 5; UPDATE audit SET seq = seq - 1 WHERE seq > 5", 5, .chain),
      Edit(
        "UPDATE audit SET seq = 99 WHERE seq = 5; UPDATE audit SET seq = 5 WHERE seq = 7;"
          + "UPDATE audit SET seq = 7 WHERE seq = 99", 5, .chain),
      Edit(copying: 8, to: 9, 9, .chain),
      Edit(copying: 8, to: 11, 9, .missing),
      Edit(copying: 8, to: 0, 0, .inserted),
      Edit(copying: 8, to: -7, -7, .inserted),
    ])
  fileprivate func `an edit is found without a head, and where`(edit: Edit) throws {
    try world.tamper(edit.sql)
    #expect(try world.verify()?.fault == AuditVerdict.Fault(edit.sequence, edit.problem))
  }

  @Test func `a tail that was cut off is found with a head alone`() throws {
    let head = try world.broker.auditHead()
    try world.tamper("DELETE FROM audit WHERE seq > 6")
    #expect(try world.verify()?.isValid == true)
    #expect(try world.verify(against: head)?.fault == AuditVerdict.Fault(7, .cut))
    try world.answer(.of(world.question(.communication()), "deny"))
    try world.answer(.of(world.question(.update("3.0")), "deny"))
    #expect(try world.verify(against: head)?.fault == AuditVerdict.Fault(8, .rewritten))
  }

  @Test func `history that was written anew is found with a head alone`() throws {
    let early = AuditHead(try world.store.read { try $0.auditEntries(after: 3, limit: 1).first })
    let head = try world.broker.auditHead()
    try world.tamper("DELETE FROM audit WHERE seq = 7; UPDATE audit SET seq = 7 WHERE seq = 8")
    try world.rechain(from: 7)
    #expect(try world.verify()?.isValid == true)
    #expect(try world.verify(against: early)?.isValid == true)
    #expect(try world.verify(against: head)?.fault == AuditVerdict.Fault(8, .cut))
    try world.answer(.of(world.question(.communication()), "deny"))
    #expect(try world.verify(against: head)?.fault == AuditVerdict.Fault(8, .rewritten))
  }

  @Test func `a head survives a crash and a restart`() throws {
    let head = try world.broker.auditHead()
    let after = try world.afterCrash()
    try after.answer(.of(after.question(.communication()), "deny"))
    #expect(try after.verify(against: head)?.isValid == true)
    #expect(try after.broker.auditHead().size == 9)
  }

  @Test func `a person who has moved is found under the new name and no other`() throws {
    try world.move(.mia, to: .user(2001))
    try world.run { [broker = world.broker] in try await broker.addPerson(.mia, displayName: nil) }
    #expect(try world.verify()?.isValid == true)
    try world.move(.user(2001), to: .user(3001))
    #expect(try world.verify()?.isValid == true)
    try world.tamper("UPDATE audit SET person = 'uid:2001' WHERE seq = 5")
    #expect(try world.verify()?.fault == AuditVerdict.Fault(5, .listing))
    try world.tamper("UPDATE audit SET person = 'uid:1001' WHERE seq = 5")
    #expect(try world.verify()?.fault == AuditVerdict.Fault(5, .listing))
  }

  @Test func `what was erased stays in order, and what else is gone is found`() throws {
    let head = try world.broker.auditHead()
    try world.erase(.mia)
    #expect(try world.verify(against: head)?.isValid == true)
    let rows = try world.store.read { try $0.auditEntries(after: 0, limit: .max) }
    let emptied = rows.filter { $0.payload == nil && $0.salt == nil && $0.person == nil && $0.app == nil }
    #expect(Set(emptied.map(\.seq)).isSuperset(of: [1, 4, 5, 6, 7]))
    let said = try #require(rows.last?.payload)
    #expect(rows.last?.kind == "erased" && !said.contains("1001"))
    #expect(try world.audit().allSatisfy { $0.person != .mia })
    try world.tamper("UPDATE audit SET payload = NULL, salt = NULL, person = NULL WHERE seq = 8")
    #expect(try world.verify()?.fault == AuditVerdict.Fault(8, .erasedUnsaid))
  }

  @Test func `what an app had is gone from the audit too, and that is said`() throws {
    try world.forget()
    #expect(try world.verify()?.isValid == true)
    let forgotten = try #require(try world.audit().last)
    #expect(forgotten.kind == "forgotten" && forgotten.person == .mia && forgotten.app == .chat)
    #expect(try world.audit().filter { $0.app != nil }.count == 1)
    #expect(try world.auditKinds(about: .mia) == ["personAdded", "guardianAdded", "forgotten"])
  }

  @Test func `whoever erases what said why something is empty says it anew`() throws {
    let head = try world.broker.auditHead()
    try world.forget()
    try world.erase(.mia)
    #expect(try world.verify(against: head)?.isValid == true)
    #expect(try world.auditKinds() == ["personAdded", "declaration", "personAdded", "erased"])
  }

  @Test func `what is older than it is kept for is emptied in the order of its age, and that is said`() throws {
    let head = try world.broker.auditHead()
    try world.erase(.mia)
    world.clock.pass(Span.day)
    try world.run { [broker = world.broker] in try await broker.addPerson(.kim, displayName: nil) }
    let age = world.clock.now
    let emptied = try (0..<4).map { _ in
      try world.run { [broker = world.broker] in
        try await broker.commit { try $0.eraseAudit(before: age, limit: 2) }
      }
    }
    #expect(emptied == [2, 2, 0, 0])
    #expect(try world.verify(against: head)?.isValid == true)
    #expect(try world.auditKinds() == ["personAdded", "retention", "retention"])
    world.clock.pass(Span.day)
    let again = try world.run { [broker = world.broker, now = world.clock.now] in
      try await broker.commit { try $0.eraseAudit(before: now, limit: 100) }
    }
    #expect(again == 3)
    #expect(try world.verify(against: head)?.isValid == true)
    #expect(try world.auditKinds() == ["retention"])
  }

  @Test func `others have their turn while a long audit is followed, and what they do is no fault`() throws {
    for number in 0..<600 {
      try world.run { [broker = world.broker] in
        try await broker.addPerson(.user(UserID(5_000 + number)), displayName: nil)
      }
    }
    let broker = world.broker
    let call = world.start { try await broker.verifyAudit(against: nil) }
    let changes = [
      world.start { try await broker.erase(.mia) }, world.start { try await broker.movePerson(.leo, to: .user(4_000)) },
    ]
    while world.runJob() || world.undelivered > 0 {
      world.commit()
      _ = world.deliver()
    }
    for change in changes { try change.get() }
    let verdict = try #require(try call.get())
    #expect(verdict.isValid && verdict.head.size == 611)
    #expect(try verdict.head == broker.auditHead())
  }

  @Test func `nobody follows an audit for somebody who has left`() throws {
    let verdict = try world.run { [broker = world.broker] in
      try await broker.verifyAudit(against: nil, whileWanted: { false })
    }
    #expect(verdict == nil)
  }
}

/// Something done to the database, and what is to be said of it.
private struct Edit: Sendable, CustomTestStringConvertible {
  let sql: String
  let sequence: Int64
  let problem: AuditProblem

  init(_ sql: String, _ sequence: Int64, _ problem: AuditProblem) {
    self.sql = sql
    self.sequence = sequence
    self.problem = problem
  }

  /// An entry that stands a second time.
  init(copying entry: Int64, to place: Int64, _ sequence: Int64, _ problem: AuditProblem) {
    let columns = "at, kind, person, app, payload, salt, commitment, hash"
    self.init(
      "INSERT INTO audit (seq, \(columns)) SELECT \(place), \(columns) FROM audit WHERE seq = \(entry)", sequence,
      problem)
  }

  var testDescription: String { sql }
}
