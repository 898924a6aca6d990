// SPDX-License-Identifier: Apache-2.0
//
// The store as the daemon runs it, with a thread of its own: awaiting, gathering, closing, and many ends at once.

import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ConsentStore

@Suite struct StoreThreadTests {
  let directory: TemporaryDirectory
  let store: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try SQLiteStore(path: directory.file("consentd.db")) { $0() }
  }

  @Test func `a write returns its value once it can be read`() async throws {
    let value = try await store.write { writer in
      try writer.put(.mia)
      return 7
    }
    #expect(value == 7)
    #expect(try store.read { try $0.person("uid:1001") } == .mia)
  }

  @Test @MainActor func `a write is awaited from an actor and leaves it on the actor`() async throws {
    try await store.write { try $0.put(.mia) }
    MainActor.assertIsolated()
  }

  @Test func `a write throws what its body throws`() async throws {
    await #expect(throws: Refusal()) {
      try await store.write { writer in
        try writer.put(.mia)
        throw Refusal()
      }
    }
    #expect(try store.read { try $0.person("uid:1001") } == nil)
  }

  @Test func `signals are not for the store's thread`() async throws {
    let isBlocked = try await store.write { _ in
      var blocked = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &blocked)
      return [SIGTERM, SIGHUP, SIGCHLD].map { sigismember(&blocked, $0) == 1 }
    }
    #expect(isBlocked == [true, true, true])
  }

  @Test func `while one commit runs the next batch gathers`() throws {
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = store.submit { _ in
      entered.signal()
      leave.wait()
    }
    entered.wait()
    let rest = (0..<64).map { number in store.submit { try $0.setMeta("\(number)", []) } }
    leave.signal()
    store.close()
    try first.get()
    for outcome in rest { try outcome.get() }
    #expect(store.statistics == StoreStatistics(commits: 2, operations: 65, rerunBatches: 0))
  }

  @Test func `closing finishes what waits`() throws {
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = store.submit { _ in
      entered.signal()
      leave.wait()
    }
    entered.wait()
    let waiting = (0..<5).map { number in store.submit { try $0.setMeta("\(number)", []) } }
    leave.signal()
    store.close()
    try first.get()
    for outcome in waiting { try outcome.get() }
    let again = try SQLiteStore(path: directory.file("consentd.db")) { $0() }
    #expect(try again.read { try $0.meta("4") } == [])
  }

  @Test func `a write that comes while the store closes fails at once`() throws {
    let manual = try SQLiteStore(path: directory.file("other.db"), writer: .manual) { $0() }
    let waiting = manual.submit { try $0.put(.mia) }
    #expect(manual.queue.stopAccepting())
    let late = manual.submit { try $0.put(.mia) }
    #expect(late.error as? StoreError == .closed)
    #expect(!waiting.isDelivered)
    manual.commitWaiting()
    try waiting.get()
  }

  @Test func `a closed store refuses reads and writes and is closed again without harm`() async throws {
    store.close()
    store.close()
    #expect(throws: StoreError.closed) { try store.read { try $0.counts() } }
    await #expect(throws: StoreError.closed) { try await store.write { try $0.put(.mia) } }
  }

  @Test func `a store that is let go stops its thread and frees the file`() throws {
    let path = directory.file("other.db")
    for _ in 0..<3 {
      let store = try SQLiteStore(path: path) { $0() }
      _ = store.submit { try $0.put(.mia) }
    }
    let store = try SQLiteStore(path: path) { $0() }
    #expect(try store.read { try $0.person("uid:1001") } == .mia)
  }

  @Test func `of a thousand ends at once exactly one wins`() async throws {
    _ = try await store.write { try $0.insert(.sample()) }
    let store = store
    let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let ending = EndingRow(state: number % 2 == 0 ? "approved" : "denied", endedAt: Int64(number))
          return try await store.write { try $0.endQuestion(sampleID(1), ending, unexpiredAt: 500) } ? number : nil
        }
      }
      return try await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
    }
    #expect(winners.count == 1)
    let ending = try store.read { try $0.question(sampleID(1)) }?.ending
    #expect(ending?.endedAt == winners.first.map(Int64.init))
    #expect(store.statistics.operations == 1_001)
  }
}
