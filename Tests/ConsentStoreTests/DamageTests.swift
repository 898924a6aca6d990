// SPDX-License-Identifier: Apache-2.0
//
// A store whose bytes are wrong: damaged pages, rows that contradict themselves, columns of another type.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

/// What cannot be read is an error; it is never "there is nothing".
@Suite struct DamageTests {
  @Test func `a damaged page is an error for every read and write that needs it, and for no other`() throws {
    let fixture = try StoreFixture()
    try fixture.write {
      try $0.put(.mia)
      try $0.insert(.sample())
    }
    fixture.store.close()
    try damage(["question", "question_open", "question_topic"], in: fixture.path)

    let damaged = try StoreFixture(opening: fixture.directory)
    #expect(isDamaged { try damaged.read { try $0.question(sampleID(1)) } })
    #expect(isDamaged { try damaged.read { try $0.questions(QuestionFilter(), after: nil, limit: 9) } })
    #expect(
      isDamaged {
        try damaged.read { try $0.openQuestion(person: "uid:1001", asker: .chat, topicKey: "resource/a.b") }
      })
    #expect(
      isDamaged {
        try damaged.read { try $0.latestQuestion(person: "uid:1001", asker: .chat, topicKey: "resource/a.b") }
      })
    #expect(isDamaged { try damaged.write { try $0.endQuestion(sampleID(1), .denied, unexpiredAt: nil) } })
    #expect(try damaged.read { try $0.person("uid:1001") } == .mia)
    try damaged.write { try $0.put(PersonRow(person: "uid:1002", addedAt: 1)) }
  }

  @Test func `a question that contradicts itself is damaged`() throws {
    let fixture = try StoreFixture()
    try fixture.write { try $0.insert(.sample()) }
    let database = try Database(path: fixture.path, mode: .writing)
    try database.execute("PRAGMA ignore_check_constraints = ON; UPDATE question SET ended_at = 5")
    #expect(isDamaged { try fixture.read { try $0.question(sampleID(1)) } })
    try database.execute("UPDATE question SET ended_at = NULL, state = 'denied'")
    #expect(isDamaged { try fixture.read { try $0.question(sampleID(1)) } })
  }

  @Test func `a uid out of range is damaged`() throws {
    let fixture = try StoreFixture()
    try fixture.write { try $0.insert(.sample()) }
    let database = try Database(path: fixture.path, mode: .writing)
    try database.execute("PRAGMA ignore_check_constraints = ON; UPDATE asker SET uid = 4294967296")
    #expect(isDamaged { try fixture.read { try $0.question(sampleID(1)) } })
  }

  @Test(arguments: ["'x'", "NULL", "1.5", "x'00'"]) func `a column is no number`(value: String) throws {
    #expect(try isDamaged(reading: value, as: Int64.self))
    #expect(try isDamaged(reading: value, as: Int.self))
  }

  @Test(arguments: ["1", "NULL", "x'78'", "CAST(x'ff' AS TEXT)", "CAST(x'eda080' AS TEXT)"])
  func `a column is no text`(value: String) throws {
    #expect(try isDamaged(reading: value, as: String.self))
  }

  @Test(arguments: ["'x'", "NULL", "1"]) func `a column is no bytes`(value: String) throws {
    #expect(try isDamaged(reading: value, as: [UInt8].self))
  }

  @Test func `an optional column holds its type or nothing`() throws {
    #expect(try isDamaged(reading: "1", as: String?.self))
    #expect(try isDamaged(reading: "'x'", as: Int64?.self))
  }

  @Test func `a row that lacks a column is damaged`() throws {
    let directory = try TemporaryDirectory()
    let connection = try empty(directory)
    #expect(isDamaged { () throws -> PersonRow? in try connection.first(SQL("SELECT 'p', 'n', 'l'")) })
  }

  @Test func `values survive the way in and out`() throws {
    let directory = try TemporaryDirectory()
    let connection = try empty(directory)
    let echo = SQL("SELECT ?")
    for text in ["", "a\u{0}b", "\u{1F600}", String(repeating: "x", count: 100_000)] {
      #expect(try connection.first(echo, text) == text)
    }
    for number in [Int64.min, -1, 0, Int64.max] { #expect(try connection.first(echo, number) == number) }
    for bytes in [[], [0, 1, 255]] as [[UInt8]] { #expect(try connection.first(echo, bytes) == bytes) }
  }

  @Test func `a statement with too few values is refused`() throws {
    let directory = try TemporaryDirectory()
    let connection = try empty(directory)
    #expect(throws: StoreError.self) { () throws -> Void in
      let _: [Int64] = try connection.rows(SQL("SELECT ?, ?"), 1)
    }
  }

  private func empty(_ directory: TemporaryDirectory) throws -> Connection {
    let path = directory.file("empty.db")
    try Data().write(to: URL(fileURLWithPath: path))
    return Connection(try Database(path: path, mode: .reading))
  }

  private func isDamaged<Value: Readable>(reading value: String, as type: Value.Type) throws -> Bool {
    let directory = try TemporaryDirectory()
    let connection = try empty(directory)
    return isDamaged { () throws -> Value? in try connection.first(SQL("SELECT \(value)")) }
  }

  private func isDamaged<T>(_ body: () throws -> T) -> Bool {
    do {
      _ = try body()
      return false
    } catch StoreError.damaged {
      return true
    } catch {
      return false
    }
  }

  /// Overwrites the head of the first page of each table or index.
  private func damage(_ names: [String], in path: String) throws {
    let connection = Connection(try Database(path: path, mode: .reading))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    for name in names {
      let page: Int? = try connection.first(SQL("SELECT rootpage FROM sqlite_schema WHERE name = ?"), name)
      try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
      try file.write(contentsOf: Data([0x55]))
    }
    try file.close()
  }
}
