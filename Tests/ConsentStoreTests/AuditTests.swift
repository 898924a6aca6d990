// SPDX-License-Identifier: Apache-2.0
//
// The audit chain's rows: they count without a gap, none is written twice, and what is erased leaves its place.

import Testing

@testable import ConsentStore

@Suite struct AuditTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private func entry(_ seq: Int64, person: String? = "uid:1001", app: String? = nil, at: Int64 = 0) -> AuditRow {
    AuditRow(
      seq: seq, at: at == 0 ? seq * 10 : at, kind: "decision", person: person, app: app, payload: "{\"n\":\(seq)}",
      salt: [1, 2, 3], commitment: [4], hash: [5, UInt8(seq)])
  }

  private func fill() throws {
    try fixture.write { [entry] in
      for row in [
        entry(1, "uid:1001", nil, 0), entry(2, "uid:1002", "a.b", 0), entry(3, "uid:1001", "a.b", 0),
        entry(4, nil, nil, 0),
      ] { try $0.append(row) }
    }
  }

  @Test func `entries are read as they were appended, in their order`() throws {
    #expect(try fixture.read { try $0.auditHead() } == nil)
    try fill()
    #expect(try fixture.read { try $0.auditHead() } == entry(4, person: nil))
    #expect(try fixture.read { try $0.auditEntries(after: 0, limit: 9) }.map(\.seq) == [1, 2, 3, 4])
    #expect(try fixture.read { try $0.auditEntries(after: 1, limit: 2) }.map(\.seq) == [2, 3])
  }

  @Test(arguments: [4, 6, 0] as [Int64]) func `no entry is written but the next`(seq: Int64) throws {
    try fill()
    #expect(throws: StoreError.constraint(detail: "audit entry \(seq) does not follow the last one")) {
      try fixture.write { [entry] in try $0.append(entry(seq, nil, nil, 0)) }
    }
  }

  @Test func `entries are found by person and app`() throws {
    try fill()
    func found(_ person: String, app: String? = nil, after: Int64 = 0, limit: Int = 9) throws -> [Int64] {
      try fixture.read { try $0.auditEntries(about: person, app: app, after: after, limit: limit) }.map(\.seq)
    }
    #expect(try found("uid:1001") == [1, 3])
    #expect(try found("uid:1001", app: "a.b") == [3])
    #expect(try found("uid:1001", after: 1) == [3])
    #expect(try found("uid:1001", limit: 1) == [1])
    #expect(try found("uid:1003") == [])
  }

  @Test func `what is erased keeps its place and says nothing`() throws {
    try fill()
    try fixture.write { try $0.eraseAudit(seqs: [1, 3]) }
    var first = entry(1, person: nil)
    (first.payload, first.salt) = (nil, nil)
    let entries = try fixture.read { try $0.auditEntries(after: 0, limit: 9) }
    #expect(entries.map(\.seq) == [1, 2, 3, 4])
    #expect(entries[0] == first)
    #expect(entries[1] == entry(2, person: "uid:1002", app: "a.b"))
    #expect(try fixture.read { try $0.auditEntries(about: "uid:1001", app: nil, after: 0, limit: 9) } == [])
  }

  @Test func `what is old enough and still says something is found, the oldest first`() throws {
    try fill()
    func found(before: Int64, limit: Int = 9) throws -> [Int64] {
      try fixture.read { try $0.keptAuditEntries(before: before, limit: limit).map(\.seq) }
    }
    #expect(try found(before: 30) == [1, 2])
    #expect(try found(before: 31, limit: 2) == [1, 2])
    try fixture.write { try $0.eraseAudit(seqs: [1]) }
    #expect(try found(before: 31) == [2, 3])
  }

  @Test func `what a clock that was put back wrote stays as long as what stands before it`() throws {
    try fill()
    var late = entry(5, person: nil)
    late.at = 5
    try fixture.write { [late] in try $0.append(late) }
    #expect(try fixture.read { try $0.keptAuditEntries(before: 30, limit: 9).map(\.seq) } == [1, 2])
    #expect(try fixture.read { try $0.keptAuditEntries(before: 1_000, limit: 9).map(\.seq) } == [1, 2, 3, 4, 5])
  }

  @Test func `an entry follows the person who moves`() throws {
    try fill()
    try fixture.write {
      try $0.put(.mia)
      try $0.movePerson("uid:1001", to: "uid:1009")
    }
    #expect(try fixture.read { try $0.auditEntries(about: "uid:1009", app: nil, after: 0, limit: 9) }.count == 2)
    #expect(try fixture.write { try $0.removePerson("uid:1009") })
    #expect(try fixture.read { try $0.auditEntries(about: "uid:1009", app: nil, after: 0, limit: 9) }.count == 2)
  }
}
