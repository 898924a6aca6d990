// SPDX-License-Identifier: Apache-2.0
//
// What opening a store makes, accepts and refuses. Files that are not ours are compared before and after, byte by byte,
// with everything beside them.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct OpeningTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("consentd.db")
  }

  @Test func `a new store is ours, in WAL mode, for its user alone, and leaves one file when closed`() throws {
    let store = try open()
    let version: String? = try Connection(Database(path: path, mode: .reading)).first(SQL("PRAGMA journal_mode"))
    #expect(version == "wal")
    for name in try names() { #expect(try permissions(of: name) == 0o600) }
    store.close()
    let header = DatabaseHeader([UInt8](try content().prefix(DatabaseHeader.size)))
    #expect(header.isDatabase && header.applicationID == Schema.applicationID)
    #expect(header.schemaVersion == Schema.current.version)
    #expect(try permissions(of: "consentd.db") == 0o600)
    #expect(try names() == ["consentd.db"])
  }

  @Test func `every commit is flushed and foreign keys hold`() throws {
    let fixture = try StoreFixture(opening: directory)
    let settings = try fixture.write { writer in
      let connection = try #require(writer as? Connection)
      return try ["synchronous", "foreign_keys", "cell_size_check", "trusted_schema"].map { name in
        try connection.first(SQL("PRAGMA \(name)")) as Int?
      }
    }
    #expect(settings == [2, 1, 1, 0])
  }

  @Test func `a store opened again has what was written`() throws {
    let first = try StoreFixture(opening: directory)
    try first.write { try $0.put(.mia) }
    first.store.close()
    let second = try StoreFixture(opening: directory)
    #expect(try second.read { try $0.person("uid:1001") } == .mia)
  }

  @Test func `an empty file becomes a store`() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try open().close()
    #expect(try permissions(of: "consentd.db") == 0o600)
  }

  @Test func `what an interrupted creation left is no obstacle`() throws {
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(path)-new"))
    try open().close()
    #expect(try names() == ["consentd.db"])
  }

  @Test func `a database of another program is refused and stays as it is`() throws {
    try makeDatabase("PRAGMA application_id = 7; CREATE TABLE precious (x)")
    try expectUntouched(.foreign(path: path))
  }

  @Test func `a database without a mark is refused`() throws {
    try makeDatabase("CREATE TABLE precious (x)")
    try expectUntouched(.foreign(path: path))
  }

  @Test func `a store of a later version is refused and stays as it is`() throws {
    let known = Schema.current.version
    try makeStore("PRAGMA user_version = \(known + 1)")
    try expectUntouched(.newerSchema(found: known + 1, known: known))
  }

  @Test(arguments: [0, -3]) func `a store without a schema version is damaged`(version: Int) throws {
    try makeStore("PRAGMA user_version = \(version)")
    try expectUntouched(.damaged(detail: "its schema has the version \(version)"))
  }

  @Test(arguments: ["x", "SQLite format 3", "longer than a header" + String(repeating: ".", count: 80)])
  func `a file that is no database is refused and stays as it is`(text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try expectUntouched(.damaged(detail: "\(path) is no database"))
  }

  @Test func `a truncated store is damaged`() throws {
    try makeStore("")
    try content().prefix(8192).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try open() }
    guard case .damaged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a log without its database is not replayed into a new one`() throws {
    try Data("log".utf8).write(to: URL(fileURLWithPath: "\(path)-wal"))
    try expectUntouched(.damaged(detail: "the log \(path)-wal is there without its database"))
  }

  @Test func `a directory that is not there is named`() throws {
    let missing = directory.file("none/consentd.db")
    let expected = StoreError.cannotOpen(
      path: missing, detail: "\(directory.path)/none: No such file or directory")
    #expect(throws: expected) { try open(missing) }
  }

  @Test func `a file in place of the directory is named`() throws {
    try Data().write(to: URL(fileURLWithPath: directory.file("file")))
    let wrong = directory.file("file/consentd.db")
    #expect(throws: StoreError.cannotOpen(path: wrong, detail: "\(directory.path)/file is no directory")) {
      try open(wrong)
    }
  }

  @Test func `a directory everybody may write in is refused`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
    try expectUntouched(.cannotOpen(path: path, detail: "everybody may write in \(directory.path)"))
  }

  @Test func `a symbolic link is not followed`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("elsewhere"))
    #expect(throws: StoreError.self) { try open() }
    #expect(try names() == ["consentd.db"])
  }

  @Test func `a directory in place of the file is refused`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: StoreError.cannotOpen(path: path, detail: "it is no regular file")) { try open() }
  }

  @Test func `a named pipe in place of the file is refused without waiting for a writer`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: StoreError.cannotOpen(path: path, detail: "it is no regular file")) { try open() }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everything"))
  func `a file that cannot be written is refused`() throws {
    try makeStore("")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    #expect(throws: StoreError.cannotOpen(path: path, detail: "it cannot be written")) { try open() }
  }

  @Test func `a second daemon is refused and hinders the first in nothing`() throws {
    let first = try StoreFixture(opening: directory)
    #expect(throws: StoreError.inUse(path: path)) { try open() }
    try first.write { try $0.put(.mia) }
    #expect(try first.read { try $0.counts().people } == 1)
    first.store.close()
    try open().close()
  }

  @Test func `a daemon that was killed leaves the store free`() throws {
    try open().close()
    let lock = "\(path)-lock"
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    holder.arguments = ["--no-fork", lock, "sh", "-c", "echo held; exec sleep 600"]
    let output = Pipe()
    holder.standardOutput = output
    try holder.run()
    #expect(output.fileHandleForReading.readData(ofLength: 5) == Data("held\n".utf8))
    #expect(throws: StoreError.inUse(path: path)) { try open() }
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    try open().close()
  }

  @Test func `every error is one sentence`() {
    let errors: [StoreError] = [
      .full, .busy, .closed, .damaged(detail: "d"), .newerSchema(found: 2, known: 1),
      .cannotOpen(path: "/p", detail: "d"), .foreign(path: "/p"), .inUse(path: "/p"), .constraint(detail: "d"),
      .failed(code: 1, detail: "d"),
    ]
    for error in errors {
      #expect(error.description.hasSuffix("."))
      #expect(!error.description.dropLast().contains(". "))
    }
  }

  private func open(_ path: String? = nil) throws -> SQLiteStore {
    try SQLiteStore(path: path ?? self.path, writer: .manual) { $0() }
  }

  private func makeDatabase(_ script: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try Database(path: path, mode: .writing).execute(script)
  }

  private func makeStore(_ script: String) throws {
    try open().close()
    try Database(path: path, mode: .writing).execute(script)
  }

  private func expectUntouched(_ expected: StoreError) throws {
    let before = (try names(), try? content())
    #expect(throws: expected) { try open() }
    #expect(try names() == before.0)
    #expect((try? content()) == before.1)
  }

  private func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private func permissions(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
  }
}
