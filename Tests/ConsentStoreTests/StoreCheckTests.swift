// SPDX-License-Identifier: Apache-2.0
//
// The check of a store finds what is wrong, says which rule is broken, and changes nothing, beside a daemon or alone.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct StoreCheckTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.write(KeptContent.write)
  }

  @Test func `a sound store has no problems, and each check is named`() throws {
    let report = try StoreCheck.run(fixture.path)
    #expect(report.problems == [])
    #expect(report.findings.count == 3 + StoreCheck.rules.count)
    #expect(report.schemaVersion == Schema.current.version)
  }

  @Test func `beside a daemon it sees what is in the log and hinders nothing`() throws {
    let before = try bytes()
    #expect(try StoreCheck.run(fixture.path).problems == [])
    #expect(try bytes().filter { !$0.key.hasSuffix("-shm") } == before.filter { !$0.key.hasSuffix("-shm") })
    try fixture.write { try $0.setMeta("on", []) }
  }

  @Test func `of a closed store it changes nothing, and makes no file beside it`() throws {
    fixture.store.close()
    let before = try bytes()
    #expect(try StoreCheck.run(fixture.path).problems == [])
    #expect(try bytes() == before)
    #expect(before.count == 1)
  }

  @Test(arguments: [
    ("DROP INDEX question_open; UPDATE question SET topic_key = 'same', person = 'p', asker = 1", "one open question"),
    ("UPDATE question SET ended_at = NULL WHERE state = 'denied'", "has an end"),
    ("UPDATE question SET ended_at = 7 WHERE state = 'pending'", "has an end"),
    ("UPDATE asker SET last_sequence = 2", "beyond its asker's count"),
    ("UPDATE asker SET acknowledged = last_sequence + 1", "beyond its asker's count"),
    ("UPDATE grant_item SET person = 'uid:5'", "a grant covers"),
    ("UPDATE guardian SET guardian = person WHERE seq = 1", "own guardian"),
    ("UPDATE audit SET seq = 2", "count without a gap"),
    ("PRAGMA foreign_keys = OFF; DELETE FROM person WHERE person = 'uid:1001'", "referred to"),
    ("DROP INDEX question_due", "tables are those"),
    ("CREATE TABLE more (x)", "tables are those"),
  ]) func `a broken rule is found by its check`(script: String, check: String) throws {
    try Database(path: fixture.path, mode: .writing).execute("PRAGMA ignore_check_constraints = ON; \(script)")
    let broken = try StoreCheck.run(fixture.path).findings.filter { !$0.problems.isEmpty }
    #expect(broken.contains { $0.check.contains(check) }, "\(broken)")
  }

  @Test func `a damaged page in the middle is found`() throws {
    fixture.store.close()
    let pages: [Int] = try Connection(Database(path: fixture.path, mode: .readingAlone))
      .rows(SQL("SELECT rootpage FROM sqlite_schema WHERE name IN ('event', 'question_topic', 'grant_item')"))
    let original = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    for page in pages {
      var damaged = original
      damaged.replaceSubrange((page - 1) * 4_096..<(page - 1) * 4_096 + 200, with: Data(repeating: 0xa5, count: 200))
      try damaged.write(to: URL(fileURLWithPath: fixture.path))
      #expect(try !StoreCheck.run(fixture.path).problems.isEmpty)
      #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == damaged)
    }
    #expect(pages.count == 3)
  }

  @Test func `problems are told up to a limit`() throws {
    try Database(path: fixture.path, mode: .writing).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      INSERT INTO grant_item SELECT '\(KeptContent.grant.id)', 's' || i, '', 'uid:5', 1, 'k' FROM n
      """)
    let finding = try StoreCheck.run(fixture.path).findings.first { $0.check.hasPrefix("a grant covers") }
    #expect(finding?.problems.count == StoreCheck.limit)
  }

  @Test func `what is no store cannot be checked`() throws {
    let place = try TemporaryDirectory()
    try place.write("a diary", to: "diary")
    #expect(throws: StoreError.self) { try StoreCheck.run(place.file("diary")) }
    #expect(throws: StoreError.cannotOpen(path: place.file("none"), detail: "there is no store")) {
      try StoreCheck.run(place.file("none"))
    }
    try Database(path: fixture.path, mode: .writing).execute("PRAGMA user_version = 999; PRAGMA wal_checkpoint")
    #expect(throws: StoreError.newerSchema(found: 999, known: Schema.current.version)) {
      try StoreCheck.run(fixture.path)
    }
  }

  private func bytes() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
    return try names.reduce(into: [:]) { files, name in
      files[name] = try Data(contentsOf: URL(fileURLWithPath: fixture.directory.file(name)))
    }
  }
}
