// SPDX-License-Identifier: Apache-2.0
//
// The rows an asker owns beside its questions: its cursor, the events of its questions, the keys that make its asks
// repeatable. Rows are `Equatable` for tests alone: whether two texts are the same is decided in the database, byte by
// byte, and Swift's `==` on strings is not that.

/// Who asks: a peer's uid and the app it is, or `""` where it named none.
package struct AskerKey: Sendable, Equatable {
  package var uid: UInt32
  package var app: String

  package init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}

/// An asker and how far its events go.
package struct AskerRow: Sendable, Equatable {
  package var asker: AskerKey
  /// The sequence of its newest event; 0 before the first.
  package var lastSequence: Int64
  /// The sequence it acknowledged last; 0 before that.
  package var acknowledged: Int64
  /// The sequence of the last event that was deleted for its age; 0 before that.
  package var expired: Int64

  package init(asker: AskerKey, lastSequence: Int64, acknowledged: Int64, expired: Int64 = 0) {
    self.asker = asker
    self.lastSequence = lastSequence
    self.acknowledged = acknowledged
    self.expired = expired
  }
}

/// An asker and what it has asked so far.
package struct AskingRow: Sendable, Equatable {
  package var asker: AskerKey
  /// Questions it has put.
  package var questions: Int
  /// Microseconds since the Unix epoch; absent where it has put none.
  package var lastAskedAt: Int64?
}

/// One event of an asker's questions and grants.
package struct EventRow: Sendable, Equatable {
  package var asker: AskerKey
  /// Counts from 1 per asker, with a gap only where a copy was put in place. `appendEvent` assigns it and does not read
  /// it.
  package var sequence: Int64
  package var event: String
  package var person: String
  package var topicKey: String?
  package var question: String?
  package var grant: String?
  /// Microseconds since the Unix epoch.
  package var at: Int64

  package init(
    asker: AskerKey, sequence: Int64 = 0, event: String, person: String, topicKey: String? = nil,
    question: String? = nil, grant: String? = nil, at: Int64
  ) {
    self.asker = asker
    self.sequence = sequence
    self.event = event
    self.person = person
    self.topicKey = topicKey
    self.question = question
    self.grant = grant
    self.at = at
  }
}

/// The question that an asker's key stands for.
package struct AskKeyRow: Sendable, Equatable {
  package var asker: AskerKey
  package var person: String
  package var key: String
  package var topicHash: String
  package var question: String
  /// Microseconds since the Unix epoch.
  package var askedAt: Int64

  package init(
    asker: AskerKey, person: String, key: String, topicHash: String, question: String, askedAt: Int64
  ) {
    self.asker = asker
    self.person = person
    self.key = key
    self.topicHash = topicHash
    self.question = question
    self.askedAt = askedAt
  }
}

extension AskerKey: Readable {
  init(reading columns: inout Columns) throws(StoreError) {
    uid = try columns.next()
    app = try columns.next()
  }
}

extension AskerRow: Readable {
  static let columns = "uid, app, last_sequence, acknowledged, expired"

  init(reading columns: inout Columns) throws(StoreError) {
    asker = try AskerKey(reading: &columns)
    lastSequence = try columns.next()
    acknowledged = try columns.next()
    expired = try columns.next()
  }
}

extension AskingRow: Readable {
  static let columns = "uid, app, questions, last_asked_at"

  init(reading columns: inout Columns) throws(StoreError) {
    asker = try AskerKey(reading: &columns)
    questions = try columns.next()
    lastAskedAt = try columns.next()
  }
}

extension EventRow: Readable {
  static let columns = "a.uid, a.app, e.sequence, e.event, e.person, e.topic_key, e.question, e.grant_id, e.at"

  init(reading columns: inout Columns) throws(StoreError) {
    asker = try AskerKey(reading: &columns)
    sequence = try columns.next()
    event = try columns.next()
    person = try columns.next()
    topicKey = try columns.next()
    question = try columns.next()
    grant = try columns.next()
    at = try columns.next()
  }
}

extension AskKeyRow: Readable {
  static let columns = "a.uid, a.app, k.person, k.key, k.topic_hash, k.question, k.asked_at"

  init(reading columns: inout Columns) throws(StoreError) {
    asker = try AskerKey(reading: &columns)
    person = try columns.next()
    key = try columns.next()
    topicHash = try columns.next()
    question = try columns.next()
    askedAt = try columns.next()
  }
}
