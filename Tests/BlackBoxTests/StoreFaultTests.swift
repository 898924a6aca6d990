// SPDX-License-Identifier: Apache-2.0
//
// A store that cannot be used: one message with path and remedy, exit 65, and not a byte of it changed. Never a daemon
// that serves with an empty memory instead, nor one that takes what it cannot read for a yes. Rows 29 and 42 of the
// scenarios.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct StoreFaultTests {
  @Test func `a file that is no database is left alone`() throws {
    try refuses(Data("This is somebody's diary.\n".utf8 + [UInt8](repeating: 0x41, count: 8_192)))
  }

  @Test func `a damaged first page is left alone`() throws {
    var bytes = try filledStore()
    for place in 100..<min(4_096, bytes.count) { bytes[place] = 0xa5 }
    try refuses(bytes)
  }

  @Test func `a store without most of its pages is left alone`() throws {
    try refuses(try filledStore().prefix(5_000))
  }

  @Test func `a store whose pages are nonsense is left alone`() throws {
    var bytes = try filledStore()
    for place in 4_096..<bytes.count { bytes[place] = 0xff }
    try refuses(bytes)
  }

  @Test func `a newer schema is left alone`() throws {
    try refuses(try filledStore(altered: "PRAGMA user_version = 9999"))
  }

  @Test func `another program's database is left alone`() throws {
    try refuses(try filledStore(altered: "PRAGMA application_id = 1"))
  }

  @Test func `a directory in the store's place is left alone`() throws {
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory)
    try FileManager.default.createDirectory(
      atPath: directory.file("state/consentd.db"), withIntermediateDirectories: false)
    let outcome = try Program.run(Program.path(of: "consentd"), setup.arguments)
    #expect(outcome.exit == .status(65))
    #expect(outcome.errors.contains(directory.file("state/consentd.db")))
  }

  @Test func `a sandbox's store is left alone by a service in earnest`() throws {
    try refuses(try filledStore())
  }

  @Test func `an untouched copy of a good store is taken up`() throws {
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory)
    try filledStore(altered: "UPDATE meta SET value = CAST('service' AS BLOB) WHERE key = 'purpose'")
      .write(to: URL(fileURLWithPath: directory.file("state/consentd.db")))
    let daemon = try Daemon(in: directory, setup: setup)
    #expect(try daemon.stop().exit == .status(0))
  }

  @Test func `a log without its database is left alone`() throws {
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory)
    try directory.write("somebody's decisions", to: "state/consentd.db-wal")
    let outcome = try Program.run(Program.path(of: "consentd"), setup.arguments)
    #expect(outcome.exit == .status(65))
    #expect(outcome.errors.contains(directory.file("state/consentd.db-wal")))
    #expect(try directory.read("state/consentd.db-wal") == Array("somebody's decisions".utf8))
    #expect(!FileManager.default.fileExists(atPath: directory.file("state/consentd.db")))
  }

  @Test func `damage that is met while serving is an error, widens nothing, and the log says how to look at it`() throws
  {
    let family = try Family(born: "2014-03-05")
    let approved = try family.question(.resource("org.example.approved"))
    try family.answer(approved, "approve")
    #expect(try family.daemon.stop().exit == .status(0))
    let store = family.daemon.directory.file("sandbox/consentd.db")
    try damage(["grant_item_cover", "grant_given", "declaration_person", "declaration"], in: store)
    try family.startAgain()

    let asked = family.asking(.resource("org.example.approved"))
    for attempt in [
      { try family.app.permission("GetStatus", asked) }, { try family.app.permission("Ask", asked) },
      { try family.app.ageRange("GetAgeRange", ["person": .string(Family.person)]) },
    ] {
      let refusal = #expect(throws: CallError.self) { try attempt() }
      #expect(refusal?.name.hasSuffix(".NotAvailable") == true)
      #expect(refusal?.parameters == ["reason": "storage", "retryable": false])
    }
    #expect(try family.statistics().number("people") == 2)
    let log = String(decoding: try family.daemon.directory.read("sandbox/consentd.log"), as: UTF8.self)
    #expect(log.contains("consentctl store check \(store)"))
    let check = try family.consentctl("store", "check", store)
    #expect(check.exit == .status(1))
    #expect(check.output.contains("NO") && check.output.contains("consentctl restore FILE"))
    #expect(family.daemon.program.isRunning)
  }

  @Test func `what cannot be read as a store is told with its remedy`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("a diary", to: "consentd.db")
    let outcome = try Program.run(
      Program.path(of: "consentctl"), ["store", "check", "--state-directory", directory.path])
    #expect(outcome.exit == .status(65))
    #expect(outcome.remarks.count == 1)
    #expect(outcome.errors.contains("mv \(directory.path)/consentd.db "))
    #expect(try Program.run(Program.path(of: "consentctl"), ["store", "check", "/none"]).exit == .status(65))
  }

  /// Overwrites the head of the first page of each table or index.
  private func damage(_ names: [String], in path: String) throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      pages = [c.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [n]).fetchone()[0] for n in sys.argv[2:]]
      c.close()
      with open(sys.argv[1], "r+b") as f:
        for page in pages:
          f.seek((page - 1) * 4096)
          f.write(b"\\x55" * 64)
      """
    #expect(try Program.run("/usr/bin/python3", ["-I", "-c", script, path] + names).errors == "")
  }

  /// Starts a daemon on `bytes` as its store, and expects that it says why not and leaves them as they are.
  private func refuses(_ bytes: Data) throws {
    let directory = try TemporaryDirectory()
    let setup = try Daemon.plainSetup(in: directory)
    let store = URL(fileURLWithPath: directory.file("state/consentd.db"))
    try bytes.write(to: store)
    let outcome = try Program.run(Program.path(of: "consentd"), setup.arguments)
    #expect(outcome.exit == .status(65))
    #expect(outcome.errors.contains(store.path))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("mv ") || outcome.errors.contains("another directory"))
    #expect(try Data(contentsOf: store) == bytes)
    #expect(FileManager.default.fileExists(atPath: directory.file("run/org.consentd.Permission")) == false)
  }

  /// The bytes of a store that a daemon has filled and closed, changed by one statement of SQL where there is one.
  private func filledStore(altered statement: String? = nil) throws -> Data {
    let family = try Family(born: "2014-03-05")
    for number in 0..<100 { try family.ask(.update("change-\(number)")) }
    #expect(try family.daemon.stop().exit == .status(0))
    let path = family.daemon.directory.file("sandbox/consentd.db")
    let script =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); [c.execute(s).fetchall() for s in sys.argv[2:]]"
    let statements = ["PRAGMA wal_checkpoint(TRUNCATE)"] + (statement.map { [$0] } ?? [])
    let outcome = try Program.run(
      "/usr/bin/python3", ["-I", "-c", script, path] + statements + ["PRAGMA wal_checkpoint(TRUNCATE)"])
    #expect(outcome.errors == "")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
