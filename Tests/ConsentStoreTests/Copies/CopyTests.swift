// SPDX-License-Identifier: Apache-2.0
//
// Copies of a store that is in use: complete or absent, consistent, one file for its owner alone, and marked.

import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct CopyTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.write(KeptContent.write)
  }

  @Test func `a copy holds everything, is one file for its owner, and says what it is`() async throws {
    let copy = try await fixture.store.copy(takenAtUSec: 77)
    #expect(copy.file == fixture.directory.file("consentd-backup-77.db"))
    let attributes = try FileManager.default.attributesOfItem(atPath: copy.file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int64 == copy.bytes)
    #expect(
      try names() == ["consentd-backup-77.db", "consentd.db", "consentd.db-lock", "consentd.db-shm", "consentd.db-wal"])
    let report = try StoreCheck.run(copy.file)
    #expect(report.problems == [] && report.takenAtUSec == 77)
    var (original, copied) = (try StoreDump(of: fixture.path).tables, try StoreDump(of: copy.file).tables)
    #expect(copied.removeValue(forKey: "meta") != original.removeValue(forKey: "meta"))
    #expect(copied == original)
    #expect(try StoreCheck.run(fixture.path).takenAtUSec == nil)
  }

  @Test func `a copy has what was committed and nothing that is on its way`() async throws {
    let (path, store) = (fixture.path, fixture.store)
    let during = Log<Void>()
    let waiting = store.submit { writer in
      try writer.setMeta("late", [1])
      during.append(try Database(path: path, mode: .reading).copy(to: "\(path)-during"))
    }
    let copy = try await store.copy(takenAtUSec: 1)
    store.commitWaiting()
    try waiting.get()
    for file in [copy.file, "\(path)-during"] {
      let late: [UInt8]? = try Connection(Database(path: file, mode: .reading)).meta("late")
      #expect(late == nil)
    }
    #expect(during.entries.count == 1)
  }

  @Test func `copies asked for at once are made one after the other`() async throws {
    let store = fixture.store
    let copies = try await withThrowingTaskGroup(of: StoreCopy.self) { group in
      for instant in 1...8 { group.addTask { try await store.copy(takenAtUSec: Int64(instant)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(copies.map(\.file)).count == 8)
    for copy in copies { #expect(try StoreCheck.run(copy.file).problems == []) }
    #expect(try names().filter { $0.hasPrefix("consentd-backup") }.count == 8)
  }

  @Test func `a copy never takes another's place`() async throws {
    let copy = try await fixture.store.copy(takenAtUSec: 5)
    let before = try Data(contentsOf: URL(fileURLWithPath: copy.file))
    try fixture.write { try $0.setMeta("later", []) }
    await #expect(throws: StoreError.exists(path: copy.file)) { try await fixture.store.copy(takenAtUSec: 5) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy.file)) == before)
    #expect(try !names().contains("consentd.db-copy"))
  }

  @Test func `a damaged store gives no copy and leaves nothing behind`() async throws {
    fixture.store.close()
    let bytes = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
    let page: Int? = try Connection(Database(path: fixture.path, mode: .readingAlone))
      .first(SQL("SELECT rootpage FROM sqlite_schema WHERE name = 'event'"))
    try bytes.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
    try bytes.write(contentsOf: Data(repeating: 0x55, count: 64))
    let damaged = try StoreFixture(opening: fixture.directory)
    let error = await #expect(throws: StoreError.self) { try await damaged.store.copy(takenAtUSec: 1) }
    guard case .damaged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    damaged.store.close()
    #expect(try names() == ["consentd.db"])
  }

  @Test(arguments: ["consentd.db-copy", "consentd.db-new"])
  func `what was killed over a copy or a restoration leaves nothing beyond the next start`(draft: String) throws {
    let left = try fixture.crash()
    try left.write("half", to: draft)
    try StoreFixture(opening: left).store.close()
    #expect(!FileManager.default.fileExists(atPath: left.file(draft)))
  }

  @Test func `a store that closes gives a long copy up at once`() async throws {
    try fixture.write { writer in
      for number in 0..<400 { try writer.setMeta("\(number)", [UInt8](repeating: 1, count: 100_000)) }
    }
    fixture.store.close()
    var isGivenUp = false
    for attempt in 1...9 where !isGivenUp { isGivenUp = try await givesUp(Int64(attempt)) }
    #expect(isGivenUp)
    await #expect(throws: StoreError.closed) { try await fixture.store.copy(takenAtUSec: 99) }
  }

  /// Closes a store while a copy is made. False: the copy was quicker.
  private func givesUp(_ attempt: Int64) async throws -> Bool {
    let store = try StoreFixture(opening: fixture.directory).store
    let ended = Log<Void>()
    let copy = Task {
      defer { ended.append(()) }
      return try await store.copy(takenAtUSec: attempt)
    }
    while try ended.entries.isEmpty && !names().contains("consentd.db-copy") {
      try await Task.sleep(for: .milliseconds(1))
    }
    store.close()
    #expect(try !names().contains("consentd.db-copy"))
    switch await copy.result {
    case .success(let done):
      #expect(try StoreCheck.run(done.file).problems == [])
      return false
    case .failure(let error):
      #expect(error as? StoreError == .closed)
      #expect(try !names().contains(StoreCopy.name(takenAtUSec: attempt)))
      return true
    }
  }

  @Test func `a directory whose name is made of quotes and blanks is no obstacle`() async throws {
    let place = try TemporaryDirectory()
    let directory = place.file("it's a \"dir\"; %41 file:x?y#z")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    let store = try SQLiteStore(path: "\(directory)/consentd.db", writer: .manual) { $0() }
    let copy = try await store.copy(takenAtUSec: 1)
    store.close()
    #expect(copy.file == "\(directory)/consentd-backup-1.db")
    for file in [copy.file, "\(directory)/consentd.db"] { #expect(try StoreCheck.run(file).problems == []) }
    try copy.move(to: "\(directory)/a copy", replacing: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["a copy", "consentd.db"])
  }

  @Test func `a copy that is moved is complete, its owner's, and gone from where it was`() async throws {
    let place = try TemporaryDirectory()
    let copy = try await fixture.store.copy(takenAtUSec: 9)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy.file))
    try copy.move(to: place.file("backup.db"), replacing: false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.file("backup.db"))) == bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: place.file("backup.db"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: copy.file))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["backup.db"])
  }

  @Test func `a file that is there is replaced only where that is wanted`() async throws {
    let place = try TemporaryDirectory()
    try place.write("precious", to: "backup.db")
    let first = try await fixture.store.copy(takenAtUSec: 1)
    #expect(throws: StoreError.exists(path: place.file("backup.db"))) {
      try first.move(to: place.file("backup.db"), replacing: false)
    }
    #expect(try place.read("backup.db") == Array("precious".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["backup.db"])
    #expect(!FileManager.default.fileExists(atPath: first.file))
    try await fixture.store.copy(takenAtUSec: 2).move(to: place.file("backup.db"), replacing: true)
    #expect(try StoreCheck.run(place.file("backup.db")).takenAtUSec == 2)
  }

  @Test(arguments: ["passwd", "consentd-backup-1.db"])
  func `what is no copy is neither read nor removed, whoever names it`(name: String) throws {
    let place = try TemporaryDirectory()
    try place.write("root:x:0:0", to: name)
    let forged = StoreCopy(file: place.file(name), bytes: 10, takenAtUSec: 1)
    #expect(throws: StoreError.self) { try forged.move(to: place.file("out"), replacing: false) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [name])
  }

  @Test func `a link that is named like a copy is not followed`() async throws {
    let copy = try await fixture.store.copy(takenAtUSec: 1)
    let place = try TemporaryDirectory()
    let link = place.file("consentd-backup-2.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy.file)
    let forged = StoreCopy(file: link, bytes: copy.bytes, takenAtUSec: 2)
    #expect(throws: StoreError.self) { try forged.move(to: place.file("out"), replacing: false) }
    #expect(FileManager.default.fileExists(atPath: copy.file))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
  }
}
