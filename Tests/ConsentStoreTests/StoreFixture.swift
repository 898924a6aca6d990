// SPDX-License-Identifier: Apache-2.0
//
// Stores on a real disk for the tests of this target, and rows to put into them. Writes are submitted and committed by
// the test itself, so that it can stand between any two steps.

import Foundation
import TestSupport

@testable import ConsentStore

/// A store in a directory of its own whose writes wait for `commitWaiting`.
struct StoreFixture {
  let directory: TemporaryDirectory
  let store: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try SQLiteStore(path: directory.file("consentd.db"), writer: .manual) { $0() }
  }

  /// Opens the files in `directory`.
  init(opening directory: TemporaryDirectory) throws {
    self.directory = directory
    store = try SQLiteStore(path: directory.file("consentd.db"), writer: .manual) { $0() }
  }

  var path: String { directory.file("consentd.db") }

  /// Makes one write in a commit of its own.
  @discardableResult
  func write<T: Sendable>(_ body: @escaping @Sendable (any StoreWriter) throws -> T) throws -> T {
    let outcome = store.submit(body)
    store.commitWaiting()
    return try outcome.get()
  }

  func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
    try store.read(body)
  }

  /// What a crash at this moment would leave.
  func crash() throws -> TemporaryDirectory { try StoreFixture.crash(of: directory) }

  /// A copy of the database and its log.
  static func crash(of directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let other = try TemporaryDirectory()
    let files = FileManager.default
    for name in ["consentd.db", "consentd.db-wal"] where files.fileExists(atPath: directory.file(name)) {
      try files.copyItem(atPath: directory.file(name), toPath: other.file(name))
    }
    return other
  }
}

/// The result of a write that a test submitted; absent until it was delivered.
final class Outcome<T: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private var result: Result<T, any Error>?

  func set(_ new: Result<T, any Error>) {
    monitor.locked { result = new }
  }

  var isDelivered: Bool { monitor.locked { result != nil } }

  /// The value that was delivered. Throws what the write threw, and `NotDelivered`.
  func get() throws -> T {
    guard let result = monitor.locked({ result }) else { throw NotDelivered() }
    return try result.get()
  }

  var error: (any Error)? {
    if case .failure(let error) = monitor.locked({ result }) { error } else { nil }
  }

  struct NotDelivered: Error {}
}

extension SQLiteStore {
  /// Submits a write without waiting for it.
  func submit<T: Sendable>(_ body: @escaping @Sendable (any StoreWriter) throws -> T) -> Outcome<T> {
    let outcome = Outcome<T>()
    queue.submit(
      Operation(
        perform: { writer in
          let value = try body(writer)
          return { outcome.set(.success(value)) }
        },
        fail: { outcome.set(.failure($0)) }))
    return outcome
  }
}

/// Something a test throws from a write.
struct Refusal: Error, Equatable {}

/// A question's id made of a number.
func sampleID(_ number: Int) -> String {
  String(repeating: "0", count: 28) + String(format: "%04x", number)
}

extension AskerKey {
  static let chat = AskerKey(uid: 1001, app: "org.example.Chat")
}

extension PersonRow {
  static let mia = PersonRow(person: "uid:1001", displayName: "Mia", loginName: "mia", addedAt: 5)
}

extension QuestionRow {
  /// A pending question of Mia's chat.
  static func sample(
    _ number: Int = 1, person: String = "uid:1001", asker: AskerKey = .chat, topicKey: String = "resource/a.b",
    askedAt: Int64 = 100, expiresAt: Int64 = 1_000, ending: EndingRow? = nil
  ) -> QuestionRow {
    QuestionRow(
      id: sampleID(number), person: person, asker: asker, provenance: "registered", kind: "resource",
      topicKey: topicKey,
      content: "{}", contentHash: "cafe", decider: "guardians", timesAsked: 1, askedAt: askedAt, expiresAt: expiresAt,
      ending: ending)
  }
}

extension EndingRow {
  static let approved = EndingRow(
    state: "approved", endedAt: 500, choice: "approve", decidedBy: "guardian", guardian: "uid:1000",
    channel: "socket", assurance: "peer", policy: "baseline/1", reason: "because", synthetic: true)
  static let denied = EndingRow(state: "denied", endedAt: 501, choice: "deny")
}

extension GrantRow {
  /// A grant to Mia's chat that does not expire.
  static func sample(
    _ number: Int = 1, person: String = "uid:1001", asker: AskerKey = .chat, kind: String = "communication",
    grantedAt: Int64 = 100, expiresAt: Int64? = nil
  ) -> GrantRow {
    GrantRow(
      id: sampleID(number), person: person, asker: asker, provenance: "registered", topicKey: "communication/x",
      kind: kind, lifetime: "persistent", grantedAt: grantedAt, expiresAt: expiresAt)
  }
}
