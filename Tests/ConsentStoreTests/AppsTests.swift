// SPDX-License-Identifier: Apache-2.0
//
// Finding what a service's bridge may see, and who has asked: by searches of indexes, page by page, nothing twice.

import TestSupport
import Testing

@testable import ConsentStore

@Suite struct AppsTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.write { rows in
      for (person, guardians) in [
        ("account:a.b/1", ["contact:a.b/x", "contact:a.b/y"]), ("account:a.b/2", ["contact:a.b/x"]),
        ("account:a.bc/1", ["contact:a.bc/x"]), ("account:a.b-c/1", ["contact:a.b-c/x"]),
        ("uid:1001", ["uid:991", "contact:a.b/x"]), ("uid:1002", ["uid:9910"]), ("uid:1003", ["uid:991"]),
      ] {
        try rows.put(PersonRow(person: person, addedAt: 0))
        for guardian in guardians { try rows.put(GuardianRow(person: person, guardian: guardian, addedAt: 0)) }
      }
    }
  }

  private func people(_ voices: [String], after: String? = nil, limit: Int = 9) throws -> [String] {
    try fixture.read { try $0.people(ofVoices: voices, after: after, limit: limit) }.map(\.person)
  }

  @Test func `one voice finds the people of everybody it speaks for, each once and no one else's`() throws {
    #expect(try people(["contact:a.b"]) == ["account:a.b/1", "account:a.b/2", "uid:1001"])
    #expect(try people(["uid:991"]) == ["uid:1001", "uid:1003"])
    #expect(try people(["contact:a"]) == [])
    #expect(try people(["contact:a.b/x"]) == [])
    let both = ["uid:991", "contact:a.b"]
    #expect(try people(both) == ["account:a.b/1", "account:a.b/2", "uid:1001", "uid:1003"])
    #expect(try people(both, limit: 2) == ["account:a.b/1", "account:a.b/2"])
    #expect(try people(both, after: "account:a.b/2", limit: 1) == ["uid:1001"])
  }

  @Test func `a prefix finds an app's accounts alone`() throws {
    func accounts(_ prefix: String, after: String? = nil) throws -> [String] {
      try fixture.read { try $0.people(withPrefix: prefix, after: after, limit: 9) }.map(\.person)
    }
    #expect(try accounts("account:a.b/") == ["account:a.b/1", "account:a.b/2"])
    #expect(try accounts("account:a.b/", after: "account:a.b/1") == ["account:a.b/2"])
    #expect(try accounts("account:a.b/", after: "account:a.b-c/1") == ["account:a.b/1", "account:a.b/2"])
    #expect(try accounts("account:a.b/", after: "account:a.bc/1") == [])
    #expect(try accounts("account:a/") == [])
  }

  @Test func `questions are found by voice in the order of asking, each once`() throws {
    try fixture.write { rows in
      for (number, person) in ["uid:1003", "uid:1001", "account:a.b/1", "account:a.bc/1", "uid:1002"].enumerated() {
        try rows.insert(.sample(number, person: person, asker: AskerKey(uid: 1, app: "a.b")))
      }
    }
    func found(_ voices: [String], after: Int64? = nil, limit: Int = 9, state: String? = "pending") throws -> [String] {
      try fixture.read { rows in
        try rows.questions(QuestionFilter(voices: voices, state: state), after: after, limit: limit)
      }.map(\.person)
    }
    for state in ["pending", nil] {
      #expect(try found(["contact:a.b"], state: state) == ["uid:1001", "account:a.b/1"])
      #expect(try found(["uid:991", "contact:a.b"], state: state) == ["uid:1003", "uid:1001", "account:a.b/1"])
      #expect(try found(["uid:991", "contact:a.b"], limit: 2, state: state) == ["uid:1003", "uid:1001"])
      #expect(try found(["uid:991", "contact:a.b"], after: 1, limit: 1, state: state) == ["uid:1001"])
    }
    #expect(try found(["contact:a.b"], state: "denied") == [])
  }

  @Test func `whoever asks is counted as it asks`() throws {
    try fixture.write { rows in
      for (number, asker) in [(7, "a.b"), (8, "a.b"), (7, ""), (7, "a.b")].enumerated() {
        let key = AskerKey(uid: UInt32(asker.0), app: asker.1)
        try rows.insert(.sample(number, person: "uid:1001", asker: key))
      }
    }
    func apps(after: String?, limit: Int = 9) throws -> [String] {
      try fixture.read { try $0.askingApps(after: after, limit: limit) }
    }
    #expect(try apps(after: nil) == ["", "a.b"])
    #expect(try apps(after: nil, limit: 1) == [""])
    #expect(try apps(after: "") == ["a.b"])
    let askers = try fixture.read { try $0.askers(as: "a.b") }
    #expect(askers.map(\.asker.uid) == [7, 8])
    #expect(askers.map(\.questions) == [2, 1])
    #expect(askers.map(\.lastAskedAt) == [4, 2])
    #expect(try fixture.read { try $0.askers(as: "none") }.isEmpty)
  }

  @Test func `no table knows a process`() throws {
    let database = try Database(path: fixture.path, mode: .reading)
    let columns: [String] = try Connection(database).rows(
      SQL("SELECT lower(m.name || '.' || c.name) FROM sqlite_schema m, pragma_table_info(m.name) c"))
    #expect(columns.contains("asker.uid"))
    #expect(!columns.contains { $0.contains("pid") || $0.contains("process") })
  }
}

extension QuestionRow {
  fileprivate static func sample(_ number: Int, person: String, asker: AskerKey) -> QuestionRow {
    let id = String(repeating: "0", count: 31) + String(number, radix: 16)
    return QuestionRow(
      id: id, person: person, asker: asker, provenance: "registered", kind: "resource", topicKey: "resource/\(number)",
      content: "{}", contentHash: "", decider: "guardians", timesAsked: 1, askedAt: Int64(number) + 1,
      expiresAt: 1_000)
  }
}
