// SPDX-License-Identifier: Apache-2.0
//
// Stores of every earlier schema, kept as the program of that time wrote them (Fixtures/versionN.sql): each opens, is
// brought up to date in place, and says what it said. Whoever adds a step first keeps the present version:
//
//     CONSENTD_KEEP_STORE=1 swift test --filter UpgradeTests
//
// A crash is what the files are at a moment, taken from inside the very transaction that upgrades.

import CSQLite
import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct UpgradeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../Fixtures").standardizedFileURL

  /// The versions of which a store is kept.
  static let kept: [Int] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { Int($0.dropFirst("version".count).dropLast(".sql".count)) }.sorted()
  }()

  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("consentd.db")
  }

  @Test func `of every earlier version a store is kept`() {
    #expect(UpgradeTests.kept.starts(with: 1..<max(2, Schema.current.version)))
  }

  @Test(arguments: kept) func `a kept store has something in every table`(version: Int) throws {
    try load(version)
    for (name, table) in try StoreDump(of: path).tables { #expect(!table.rows.isEmpty, "\(name)") }
  }

  @Test(arguments: kept) func `a kept store is upgraded in place and loses nothing`(version: Int) throws {
    try load(version)
    let before = try StoreDump(of: path)
    try StoreFixture(opening: directory).store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["consentd.db"])
    let header = DatabaseHeader([UInt8](try directory.read("consentd.db").prefix(DatabaseHeader.size)))
    #expect(header.schemaVersion == Schema.current.version)
    try expect(before, in: directory)
  }

  @Test(arguments: kept) func `what is in a kept store is read as it was written`(version: Int) throws {
    try load(version)
    let store = try StoreFixture(opening: directory)
    try store.read { reader in
      #expect(try reader.people(after: nil, limit: 9) == KeptContent.people.sorted { $0.person < $1.person })
      #expect(try reader.guardians(of: "uid:1001") == Array(KeptContent.guardians.prefix(2)))
      #expect(try reader.declarations(of: "uid:1001") == [KeptContent.declarations[0]])
      #expect(try reader.declarations(of: KeptContent.account) == [KeptContent.declarations[2]])
      let questions = try reader.questions(QuestionFilter(), after: nil, limit: 9)
      #expect(questions.map(\.state) == ["pending", "approved", "denied", "superseded", "pending"])
      #expect(questions.map(\.content).allSatisfy { $0.contains("✓") })
      #expect(questions[3].ending?.successor == questions[4].id)
      #expect(try reader.grant(KeptContent.grant.id) == KeptContent.grant)
      #expect(try reader.liveGrants(of: KeptContent.account) == [])
      #expect(try reader.answers(question: KeptContent.approved.id) == [KeptContent.answer])
      #expect(try reader.askKey(asker: KeptContent.service, person: KeptContent.account, key: "key 1") != nil)
      #expect(try reader.events(asker: .chat, after: 0, limit: 9).map(\.sequence) == [1, 2, 3, 4])
      #expect(try reader.asker(.chat) == AskerRow(asker: .chat, lastSequence: 4, acknowledged: 1))
      #expect(try reader.meta("salt") == [UInt8](0..<32))
    }
    try store.write { _ = try $0.endQuestion(KeptContent.open.id, .denied, unexpiredAt: nil) }
  }

  @Test(arguments: kept) func `an upgrade that fails leaves the old version usable`(version: Int) throws {
    try load(version)
    let before = try StoreDump(of: path)
    do {
      let database = try walDatabase()
      #expect(throws: StoreError.self) {
        try Schema(steps: Schema.current.steps + [UpgradeTests.beyond, "no SQL"]).migrate(database)
      }
    }
    #expect(try StoreDump(of: path) == before)
    try StoreFixture(opening: directory).store.close()
    try expect(before, in: directory)
  }

  @Test(arguments: kept) func `a crash anywhere in an upgrade leaves the old version usable`(version: Int) throws {
    try load(version)
    let before = try StoreDump(of: path)
    let database = try walDatabase()
    let crashes = Crashes(of: directory)
    crashes.watch(database)
    try Schema(steps: Schema.current.steps + [UpgradeTests.beyond]).migrate(database)
    crashes.watch(nil)
    #expect(crashes.taken.count > 5)
    #expect(crashes.taken.contains { ((try? $0.read("consentd.db-wal").count) ?? 0) > 4_096 }, "nothing was written")
    for crash in crashes.taken {
      #expect(try StoreDump(of: crash.file("consentd.db")) == before)
      try StoreFixture(opening: crash).store.close()
      try expect(before, in: crash)
    }
    #expect(throws: StoreError.self, "and what is complete is another version's") {
      try StoreFixture(opening: directory)
    }
  }

  @Test func `the present version can be kept`() throws {
    let fixture = try StoreFixture(opening: directory)
    try fixture.write(KeptContent.write)
    fixture.store.close()
    let dump = try StoreDump(of: path)
    let copy = try TemporaryDirectory()
    try StoreDump.load(dump.script, to: copy.file("consentd.db"))
    #expect(try StoreDump(of: copy.file("consentd.db")) == dump)
    guard ProcessInfo.processInfo.environment["CONSENTD_KEEP_STORE"] != nil else { return }
    let text = "-- SPDX-License-Identifier: Apache-2.0\n-- A store of schema version \(Schema.current.version).\n"
    let file = UpgradeTests.folder.appendingPathComponent("version\(Schema.current.version).sql")
    try Data((text + dump.script).utf8).write(to: file, options: .withoutOverwriting)
  }

  /// A step after the present ones that touches every question and adds a table, so that there is always an upgrade.
  private static let beyond = """
    ALTER TABLE question ADD COLUMN weather TEXT;
    UPDATE question SET weather = hex(zeroblob(20000)), content = content || ' ';
    CREATE TABLE beyond AS SELECT * FROM question;
    DELETE FROM answer;
    """

  private func load(_ version: Int) throws {
    let file = UpgradeTests.folder.appendingPathComponent("version\(version).sql")
    try StoreDump.load(try String(contentsOf: file, encoding: .utf8), to: path)
  }

  /// The store's database, as the store has it, with so little memory that changes reach the log before their commit.
  private func walDatabase() throws -> Database {
    let database = try Database(path: path, mode: .writing)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA cache_size = 1")
    return database
  }

  /// Everything that was there is there, under the same names; only tables and columns may have been added.
  private func expect(_ before: StoreDump, in place: TemporaryDirectory) throws {
    let after = try StoreDump(of: place.file("consentd.db")).tables
    for (name, table) in before.tables {
      #expect(try after[name]?.rows(of: table.columns) == table.rows, "\(name)")
    }
  }
}

/// What a crash would leave, again and again while a database works.
private final class Crashes {
  private let directory: TemporaryDirectory
  private weak var database: Database?
  private(set) var taken: [TemporaryDirectory] = []

  init(of directory: TemporaryDirectory) {
    self.directory = directory
  }

  /// Takes one every few hundred steps of `database`, the first 40; `nil` stops.
  func watch(_ database: Database?) {
    if let old = self.database { sqlite3_progress_handler(old.handle, 0, nil, nil) }
    self.database = database
    guard let database else { return }
    sqlite3_progress_handler(
      database.handle, 100,
      { this in
        if let this { Unmanaged<Crashes>.fromOpaque(this).takeUnretainedValue().take() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func take() {
    if taken.count < 40, let crash = try? StoreFixture.crash(of: directory) { taken.append(crash) }
  }
}
