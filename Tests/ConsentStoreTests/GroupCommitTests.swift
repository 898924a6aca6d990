// SPDX-License-Identifier: Apache-2.0
//
// Many writes, one commit: what shares it, what is undone alone, and what happens when all of it fails. The test commits
// by hand, so that nothing here depends on which thread is faster.

import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct GroupCommitTests {
  let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  @Test func `what waits together shares one commit`() throws {
    let outcomes = (0..<64).map { number in fixture.store.submit { try $0.setMeta("\(number)", []) } }
    #expect(outcomes.allSatisfy { !$0.isDelivered })
    #expect(fixture.store.commitWaiting() == 64)
    for outcome in outcomes { try outcome.get() }
    #expect(fixture.store.statistics == StoreStatistics(commits: 1, operations: 64, rerunBatches: 0))
  }

  @Test func `without anything that waits nothing is committed or delivered`() throws {
    let deliveries = Counter()
    let store = try SQLiteStore(path: fixture.directory.file("other.db"), writer: .manual) {
      deliveries.add()
      $0()
    }
    #expect(store.commitWaiting() == 0)
    #expect(store.statistics.commits == 0)
    #expect(deliveries.value == 0)
  }

  @Test func `an operation that fails is undone alone`() throws {
    let outcomes = (0..<3).map { number in
      fixture.store.submit { writer in
        try writer.setMeta("\(number)", [])
        if number == 1 { throw Refusal() }
      }
    }
    fixture.store.commitWaiting()
    try outcomes[0].get()
    #expect(throws: Refusal()) { try outcomes[1].get() }
    try outcomes[2].get()
    #expect(try stored(["0", "1", "2"]) == ["0", "2"])
    #expect(fixture.store.statistics == StoreStatistics(commits: 1, operations: 3, rerunBatches: 0))
  }

  @Test func `a row the schema refuses fails its operation alone`() throws {
    let outcomes = [1, 1, 2].map { number in
      fixture.store.submit { try $0.insert(.sample(number, topicKey: "resource/n.\(number)")) }
    }
    fixture.store.commitWaiting()
    #expect(try outcomes[0].get() == 1)
    guard case .constraint = outcomes[1].error as? StoreError else {
      Issue.record("\(String(describing: outcomes[1].error))")
      return
    }
    #expect(try fixture.read { try $0.question(sampleID(2)) } != nil)
  }

  @Test func `later operations see what earlier ones of their batch did`() throws {
    let first = fixture.store.submit { try $0.put(.mia) }
    let second = fixture.store.submit { try $0.person("uid:1001") }
    fixture.store.commitWaiting()
    try first.get()
    #expect(try second.get() == .mia)
  }

  @Test func `a full disk fails what does not fit and nothing else`() throws {
    try leavePages(300)
    let sizes = [1, 1_000_000, 1, 1_000_000, 1]
    let outcomes = sizes.enumerated().map { number, size in
      fixture.store.submit { try $0.setMeta("\(number)", [UInt8](repeating: 7, count: size)) }
    }
    fixture.store.commitWaiting()
    #expect(outcomes.map { $0.error as? StoreError } == [nil, nil, nil, .full, nil])
    #expect(try stored((0..<5).map(String.init)) == ["0", "1", "2", "4"])
    #expect(fixture.store.statistics.rerunBatches == 1)
  }

  @Test func `a write that hides a full disk stores nothing by halves`() throws {
    try leavePages(20)
    let hiding = fixture.store.submit { writer in
      try writer.setMeta("before", [])
      try? writer.setMeta("large", [UInt8](repeating: 7, count: 1_000_000))
      try? writer.setMeta("after", [])
    }
    let other = fixture.store.submit { try $0.setMeta("other", []) }
    fixture.store.commitWaiting()
    #expect(hiding.error as? StoreError == .rolledBack)
    try other.get()
    #expect(try stored(["before", "large", "after", "other"]) == ["other"])
  }

  @Test func `a commit that fails is made up for one by one`() throws {
    let dangling = EndingRow(state: "superseded", endedAt: 1, successor: sampleID(9))
    let endings: [EndingRow?] = [nil, dangling, nil]
    let outcomes = endings.enumerated().map { number, ending in
      fixture.store.submit { try $0.insert(.sample(number, topicKey: "resource/n.\(number)", ending: ending)) }
    }
    fixture.store.commitWaiting()
    #expect(outcomes.map { $0.error == nil } == [true, false, true])
    guard case .constraint = outcomes[1].error as? StoreError else {
      Issue.record("\(String(describing: outcomes[1].error))")
      return
    }
    #expect(try fixture.read { try $0.counts().openQuestions } == 2)
    #expect(fixture.store.statistics == StoreStatistics(commits: 2, operations: 2, rerunBatches: 1))
  }

  @Test func `after a failed batch the next one is whole again`() throws {
    try leavePages(20)
    let outcome = fixture.store.submit { try $0.setMeta("large", [UInt8](repeating: 7, count: 1_000_000)) }
    fixture.store.commitWaiting()
    #expect(outcome.error as? StoreError == .full)
    try fixture.write { try $0.setMeta("small", []) }
    #expect(try stored(["large", "small"]) == ["small"])
  }

  @Test func `results come as one closure per commit, in the order of the writes`() throws {
    let deliveries = Counter()
    let order = Log<Int>()
    let store = try SQLiteStore(path: fixture.directory.file("other.db"), writer: .manual) {
      deliveries.add()
      $0()
    }
    for number in 0..<10 {
      store.queue.submit(
        Operation(
          perform: { _ in
            if number == 4 { throw Refusal() }
            return { order.append(number) }
          },
          fail: { _ in order.append(number) }))
    }
    store.commitWaiting()
    #expect(deliveries.value == 1)
    #expect(order.entries == Array(0..<10))
  }

  @Test func `a result is told only after it can be read`() throws {
    let path = fixture.directory.file("other.db")
    let parked = Log<@Sendable () -> Void>()
    let store = try SQLiteStore(path: path, writer: .manual) { parked.append($0) }
    let outcome = store.submit { try $0.put(.mia) }
    #expect(try store.read { try $0.person("uid:1001") } == nil)
    store.commitWaiting()
    #expect(!outcome.isDelivered)
    #expect(try store.read { try $0.person("uid:1001") } == .mia)
    for completion in parked.entries { completion() }
    try outcome.get()
  }

  @Test func `another program that keeps the database locked delays a batch once`() throws {
    let other = try Database(path: fixture.path, mode: .writing)
    try other.execute("BEGIN IMMEDIATE")
    let outcomes = (0..<8).map { number in fixture.store.submit { try $0.setMeta("\(number)", []) } }
    let start = ContinuousClock.now
    fixture.store.commitWaiting()
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(outcomes.allSatisfy { $0.error as? StoreError == .busy })
    try other.execute("ROLLBACK")
    try fixture.write { try $0.setMeta("0", []) }
  }

  /// Lets the database grow by `count` pages of 4,096 bytes.
  private func leavePages(_ count: Int) throws {
    try fixture.write { writer in
      let connection = try #require(writer as? Connection)
      let pages: Int? = try connection.first(SQL("PRAGMA page_count"))
      try connection.database.execute("PRAGMA max_page_count = \(try #require(pages) + count)")
    }
  }

  private func stored(_ keys: [String]) throws -> [String] {
    try fixture.read { reader in try keys.filter { try reader.meta($0) != nil } }
  }
}

/// Counts across threads.
final class Counter: @unchecked Sendable {
  private let monitor = Monitor()
  private var count = 0

  func add() { monitor.locked { count += 1 } }
  var value: Int { monitor.locked { count } }
}

/// Remembers across threads what came in which order.
final class Log<Entry: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private var list: [Entry] = []

  func append(_ entry: Entry) { monitor.locked { list.append(entry) } }
  var entries: [Entry] { monitor.locked { list } }
}
