// SPDX-License-Identifier: Apache-2.0
//
// What is left after a crash between any two steps, and in the middle of one: the log is cut at many places.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

/// A crash is what the files are at a moment, looked at by another store.
@Suite struct CrashTests {
  @Test func `a crash before, in and after a commit leaves exactly what was committed`() throws {
    let fixture = try StoreFixture()
    try fixture.write { try $0.setMeta("a", []) }

    let waiting = fixture.store.submit { try $0.setMeta("b", []) }
    #expect(try survivors(of: fixture.crash()) == ["a"])

    let during = Log<TemporaryDirectory>()
    let writing = fixture.store.submit { writer in
      try writer.setMeta("c", [UInt8](repeating: 1, count: 100_000))
      during.append(try fixture.crash())
    }
    #expect(try survivors(of: fixture.crash()) == ["a"])

    fixture.store.commitWaiting()
    #expect(try survivors(of: during.entries[0]) == ["a"])
    try waiting.get()
    try writing.get()
    #expect(try survivors(of: fixture.crash()) == ["a", "b", "c"])
  }

  @Test func `a result that was not yet delivered is kept`() throws {
    let directory = try TemporaryDirectory()
    let crashes = Log<TemporaryDirectory>()
    let store = try SQLiteStore(path: directory.file("consentd.db"), writer: .manual) { completion in
      try? crashes.append(StoreFixture.crash(of: directory))
      completion()
    }
    let outcome = store.submit { try $0.setMeta("a", []) }
    store.commitWaiting()
    try outcome.get()
    #expect(try survivors(of: crashes.entries[0]) == ["a"])
  }

  @Test func `a log cut anywhere gives all of an operation or nothing of it`() throws {
    let fixture = try StoreFixture()
    try fixture.write { try $0.setMeta("a", []) }
    let before = try log(of: fixture.directory).count
    try fixture.write { writer in
      try writer.setMeta("b", [UInt8](repeating: 1, count: 20_000))
      try writer.setMeta("c", [])
    }
    let files = try fixture.crash()
    let whole = try log(of: files)
    for end in [Int](stride(from: before, to: whole.count, by: 997)) + [whole.count - 1, whole.count] {
      let cut = try StoreFixture.crash(of: files)
      try whole.prefix(end).write(to: URL(fileURLWithPath: cut.file("consentd.db-wal")))
      #expect(try survivors(of: cut) == (end == whole.count ? ["a", "b", "c"] : ["a"]))
    }
  }

  @Test func `a batch lives or dies whole`() throws {
    let fixture = try StoreFixture()
    let outcomes = ["a", "b", "c"].map { key in fixture.store.submit { try $0.setMeta(key, []) } }
    let before = try fixture.crash()
    fixture.store.commitWaiting()
    for outcome in outcomes { try outcome.get() }
    #expect(try survivors(of: before) == [])
    #expect(try survivors(of: fixture.crash()) == ["a", "b", "c"])
  }

  @Test func `what a killed daemon had in its log is in the database once the store is open`() throws {
    let fixture = try StoreFixture()
    try fixture.write { try $0.setMeta("a", []) }
    let files = try fixture.crash()
    let second = try StoreFixture(opening: files)
    #expect(try log(of: files).isEmpty)
    #expect(try second.read { try $0.meta("a") } == [])
  }

  private func log(of directory: TemporaryDirectory) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: directory.file("consentd.db-wal")))
  }

  /// Which of the keys a, b, c are there after a restart on these files.
  private func survivors(of files: TemporaryDirectory) throws -> [String] {
    let fixture = try StoreFixture(opening: files)
    defer { fixture.store.close() }
    return try fixture.read { reader in try ["a", "b", "c"].filter { try reader.meta($0) != nil } }
  }
}
