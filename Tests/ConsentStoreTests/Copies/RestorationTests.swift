// SPDX-License-Identifier: Apache-2.0
//
// A copy in the place of a store: whole or not at all, with the store before it kept, and with sequences that nobody was
// given before.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct RestorationTests {
  private static let later = KeptContent.start + 10_000_000
  private let fixture: StoreFixture
  private let backup: TemporaryDirectory

  /// A store with something in it, and a copy of it elsewhere.
  init() throws {
    fixture = try StoreFixture()
    backup = try TemporaryDirectory()
    try fixture.write(KeptContent.write)
    try Database(path: fixture.path, mode: .reading).copy(to: copy)
    try CopyMark.set(in: copy, takenAtUSec: KeptContent.start)
  }

  private var copy: String { backup.file("copy.db") }

  @Test func `a copy takes the place of the store, which is kept`() throws {
    try fixture.write { try $0.setMeta("late", [1]) }
    fixture.store.close()
    let before = try StoreDump(of: fixture.path)
    let bytes = try backup.read("copy.db")
    let restored = try restore()
    #expect(restored.takenAtUSec == KeptContent.start)
    #expect(try StoreDump(of: try #require(restored.setAside)) == before)
    #expect(restored.setAside?.hasPrefix("\(fixture.path).2026-09-21T") == true)
    #expect(try backup.read("copy.db") == bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let after = try StoreFixture(opening: fixture.directory)
    #expect(try after.read { try $0.meta("late") } == nil)
    #expect(try after.read { try $0.question(KeptContent.open.id) } != nil)
  }

  @Test func `the log of a killed daemon is kept with its store and not replayed into the copy`() throws {
    try fixture.write { try $0.setMeta("late", [1]) }
    let crash = try fixture.crash()
    try withDamagedHeader(crash.file("consentd.db")) {
      let restored = try StoreRestoration(of: copy, into: crash.path, nowUSec: RestorationTests.later)
      let aside = try #require(restored.setAside)
      #expect(FileManager.default.fileExists(atPath: "\(aside)-wal"))
    }
    #expect(!FileManager.default.fileExists(atPath: crash.file("consentd.db-wal")))
    let after = try StoreFixture(opening: crash)
    #expect(try after.read { try $0.meta("late") } == nil)
  }

  @Test func `of a later version's store the log is folded in, and what it has handed out counts`() throws {
    try fixture.write { _ in }
    try Database(path: fixture.path, mode: .writing).execute(
      "UPDATE asker SET last_sequence = 9000000; PRAGMA user_version = 999")
    let crash = try fixture.crash()
    let restored = try StoreRestoration(of: copy, into: crash.path, nowUSec: RestorationTests.later)
    #expect(!FileManager.default.fileExists(atPath: "\(try #require(restored.setAside))-wal"))
    let store = try StoreFixture(opening: crash)
    try store.write { _ = try $0.takeUpCopy(nowUSec: RestorationTests.later) }
    #expect(try store.read { try $0.asker(.chat) }.lastSequence == 10_000_000)
  }

  @Test func `a store that was set aside is put back without a file beside it`() throws {
    fixture.store.close()
    let aside = try #require(try restore().setAside)
    _ = try StoreRestoration(of: aside, into: fixture.directory.path, nowUSec: RestorationTests.later + 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
    #expect(names.count == 3 && names.allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }, "\(names)")
  }

  @Test func `a log without its database is set aside too`() throws {
    let place = try TemporaryDirectory()
    try place.write("log", to: "consentd.db-wal")
    let restored = try StoreRestoration(of: copy, into: place.path, nowUSec: RestorationTests.later)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(try #require(restored.setAside))-wal")) == Data("log".utf8))
    try StoreFixture(opening: place).store.close()
  }

  @Test func `where there was nothing the copy is put in place`() throws {
    let place = try TemporaryDirectory()
    #expect(try StoreRestoration(of: copy, into: place.path, nowUSec: RestorationTests.later).setAside == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["consentd.db"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func `the store belongs to whom its directory belongs to`() throws {
    let place = try TemporaryDirectory()
    #expect(chown(place.path, 52_990, 52_991) == 0)
    _ = try StoreRestoration(of: copy, into: place.path, nowUSec: RestorationTests.later)
    let attributes = try FileManager.default.attributesOfItem(atPath: place.file("consentd.db"))
    #expect(attributes[.ownerAccountID] as? UInt32 == 52_990 && attributes[.groupOwnerAccountID] as? UInt32 == 52_991)
  }

  @Test func `a store that a daemon has open is not touched`() throws {
    #expect(throws: StoreError.inUse(path: fixture.path)) { try restore() }
    try fixture.write { try $0.setMeta("still", []) }
  }

  @Test(arguments: ["a diary", "", "truncated", "newer", "foreign", "damaged"])
  func `what is no sound store is not put in place, and nothing changes`(kind: String) throws {
    fixture.store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    try spoil(kind)
    #expect(throws: StoreError.self) { try restore() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == ["consentd.db"])
  }

  private func spoil(_ kind: String) throws {
    switch kind {
    case "truncated": try Data(try backup.read("copy.db").prefix(9_000)).write(to: URL(fileURLWithPath: copy))
    case "newer": try Database(path: copy, mode: .writing).execute("PRAGMA user_version = 999")
    case "foreign": try Database(path: copy, mode: .writing).execute("PRAGMA application_id = 5")
    case "damaged":
      try Database(path: copy, mode: .writing).execute(
        "PRAGMA ignore_check_constraints = ON; UPDATE question SET ended_at = NULL WHERE state = 'denied'")
    default: try backup.write(kind, to: "copy.db")
    }
  }

  // MARK: Sequences

  @Test func `a store taken up as a copy goes on beyond what can have been handed out, once`() throws {
    fixture.store.close()
    _ = try restore()
    let store = try StoreFixture(opening: fixture.directory)
    let taken = try store.write { try $0.takeUpCopy(nowUSec: RestorationTests.later) }
    #expect(taken == TakenUpCopy(takenAtUSec: KeptContent.start, jump: 1_100_000))
    #expect(try store.read { try $0.asker(.chat) }.lastSequence == 1_100_004)
    #expect(try store.write { try $0.takeUpCopy(nowUSec: RestorationTests.later) } == nil)
    #expect(try store.write { try $0.appendEvent(EventRow(asker: .chat, event: "e", person: "p", at: 1)) } == 1_100_005)
    #expect(try store.read { try $0.events(asker: .chat, after: 3, limit: 9) }.map(\.sequence) == [4, 1_100_005])
  }

  @Test func `an asker that the copy does not know starts beyond it as well`() throws {
    fixture.store.close()
    _ = try restore()
    let store = try StoreFixture(opening: fixture.directory)
    let stranger = AskerKey(uid: 1002, app: "org.example.New")
    try store.write { _ = try $0.takeUpCopy(nowUSec: RestorationTests.later) }
    #expect(try store.read { try $0.asker(stranger) }.lastSequence == 1_100_000)
    let sequence = try store.write { try $0.appendEvent(EventRow(asker: stranger, event: "e", person: "p", at: 1)) }
    #expect(sequence == 1_100_001)
  }

  @Test func `a copy from before a wrong clock jumps all the same`() throws {
    fixture.store.close()
    _ = try restore()
    let store = try StoreFixture(opening: fixture.directory)
    #expect(try store.write { try $0.takeUpCopy(nowUSec: 5) }?.jump == 1_000_000)
  }

  @Test func `going back to the store that was set aside repeats no sequence either`() throws {
    fixture.store.close()
    let aside = try #require(try restore().setAside)
    let first = try StoreFixture(opening: fixture.directory)
    try first.write { _ = try $0.takeUpCopy(nowUSec: RestorationTests.later + KeptContent.day * 30) }
    let event = EventRow(asker: .chat, event: "e", person: "p", at: 1)
    let handedOut = try first.write { try $0.appendEvent(event) }
    first.store.close()
    _ = try StoreRestoration(of: aside, into: fixture.directory.path, nowUSec: RestorationTests.later + 1)
    let second = try StoreFixture(opening: fixture.directory)
    try second.write { _ = try $0.takeUpCopy(nowUSec: RestorationTests.later) }
    #expect(try second.write { try $0.appendEvent(event) } > handedOut)
  }

  @Test func `a copy put in place twice before a daemon started repeats nothing`() throws {
    try fixture.write { writer in
      for _ in 0..<10 { try writer.appendEvent(EventRow(asker: .chat, event: "e", person: "p", at: 1)) }
    }
    fixture.store.close()
    try Database(path: fixture.path, mode: .writing).execute("UPDATE asker SET last_sequence = 9000000")
    _ = try restore()
    _ = try StoreRestoration(of: copy, into: fixture.directory.path, nowUSec: RestorationTests.later + 1)
    let store = try StoreFixture(opening: fixture.directory)
    try store.write { _ = try $0.takeUpCopy(nowUSec: RestorationTests.later) }
    #expect(try store.read { try $0.asker(.chat) }.lastSequence == 10_000_000)
  }

  @Test func `a mark that does not read is damage`() throws {
    try fixture.write { try $0.setMeta("copyTakenAtUSec", Array("soon".utf8)) }
    #expect(throws: StoreError.damaged(detail: "its copyTakenAtUSec does not read")) {
      try fixture.write { try $0.takeUpCopy(nowUSec: 5) }
    }
  }

  private func restore() throws -> StoreRestoration {
    try StoreRestoration(of: copy, into: fixture.directory.path, nowUSec: RestorationTests.later)
  }

  /// Runs `body` while the database at `path` cannot be opened, so that its log cannot be folded into it.
  private func withDamagedHeader(_ path: String, _ body: () throws -> Void) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("no".utf8))
    try file.close()
    try body()
  }
}
