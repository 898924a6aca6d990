// SPDX-License-Identifier: Apache-2.0
//
// A question as it is kept: what was put, once and for all, and, when it is over, how it ended. That a row is pending
// and has an ending, or is over without one, cannot be said with these types; a file that says so is damaged.

/// A question. It is pending as long as `ending` is absent.
package struct QuestionRow: Sendable, Equatable {
  /// 32 lower-case hex digits.
  package var id: String
  package var person: String
  package var asker: AskerKey
  package var provenance: String
  package var kind: String
  package var topicKey: String
  /// The JSON text that was put to the decider.
  package var content: String
  package var contentHash: String
  package var decider: String
  package var timesAsked: Int
  package var appVersion: String?
  package var plan: String?
  /// Microseconds since the Unix epoch, like all instants here.
  package var askedAt: Int64
  package var expiresAt: Int64
  package var deliveredAt: Int64?
  package var seenAt: Int64?
  /// When the decider is reminded next; absent: not again.
  package var remindAt: Int64?
  package var ending: EndingRow?
  /// When what was asked was erased: the content is empty since. `insert` does not read it.
  package var erasedAt: Int64?
  /// The order in which questions were asked. `insert` assigns it and does not read it.
  package var seq: Int64

  package init(
    id: String, person: String, asker: AskerKey, provenance: String, kind: String, topicKey: String, content: String,
    contentHash: String, decider: String, timesAsked: Int, appVersion: String? = nil, plan: String? = nil,
    askedAt: Int64, expiresAt: Int64, deliveredAt: Int64? = nil, seenAt: Int64? = nil, remindAt: Int64? = nil,
    ending: EndingRow? = nil, erasedAt: Int64? = nil, seq: Int64 = 0
  ) {
    self.id = id
    self.person = person
    self.asker = asker
    self.provenance = provenance
    self.kind = kind
    self.topicKey = topicKey
    self.content = content
    self.contentHash = contentHash
    self.decider = decider
    self.timesAsked = timesAsked
    self.appVersion = appVersion
    self.plan = plan
    self.askedAt = askedAt
    self.expiresAt = expiresAt
    self.deliveredAt = deliveredAt
    self.seenAt = seenAt
    self.remindAt = remindAt
    self.ending = ending
    self.erasedAt = erasedAt
    self.seq = seq
  }
}

extension QuestionRow {
  /// The state's name; `pending` without an ending.
  package var state: String { ending?.state ?? QuestionRow.pending }

  static let pending = "pending"
}

/// How a question ended.
package struct EndingRow: Sendable, Equatable {
  /// One of the six states that are not `pending`.
  package var state: String
  /// Microseconds since the Unix epoch.
  package var endedAt: Int64
  package var choice: String?
  package var decidedBy: String?
  package var guardian: String?
  package var channel: String?
  package var assurance: String?
  package var policy: String?
  package var reason: String?
  /// The question that took this one's place; only where the state is `superseded`.
  package var successor: String?
  package var grant: String?
  package var synthetic: Bool

  package init(
    state: String, endedAt: Int64, choice: String? = nil, decidedBy: String? = nil, guardian: String? = nil,
    channel: String? = nil, assurance: String? = nil, policy: String? = nil, reason: String? = nil,
    successor: String? = nil, grant: String? = nil, synthetic: Bool = false
  ) {
    self.state = state
    self.endedAt = endedAt
    self.choice = choice
    self.decidedBy = decidedBy
    self.guardian = guardian
    self.channel = channel
    self.assurance = assurance
    self.policy = policy
    self.reason = reason
    self.successor = successor
    self.grant = grant
    self.synthetic = synthetic
  }
}

extension QuestionRow: Readable {
  /// `q` is the question, `a` its asker.
  static let columns = """
    q.seq, q.id, q.person, a.uid, a.app, q.provenance, q.kind, q.topic_key, q.content_hash, q.decider, \
    q.times_asked, q.app_version, q.plan, q.asked_at, q.expires_at, q.delivered_at, q.seen_at, q.remind_at, \
    \(EndingRow.columns), q.content, q.erased_at
    """

  init(reading columns: inout Columns) throws(StoreError) {
    seq = try columns.next()
    id = try columns.next()
    person = try columns.next()
    asker = try AskerKey(reading: &columns)
    provenance = try columns.next()
    kind = try columns.next()
    topicKey = try columns.next()
    contentHash = try columns.next()
    decider = try columns.next()
    timesAsked = try columns.next()
    appVersion = try columns.next()
    plan = try columns.next()
    askedAt = try columns.next()
    expiresAt = try columns.next()
    deliveredAt = try columns.next()
    seenAt = try columns.next()
    remindAt = try columns.next()
    ending = try EndingRow(reading: &columns)
    content = try columns.next()
    erasedAt = try columns.next()
  }
}

extension EndingRow {
  fileprivate static let columns = """
    q.state, q.ended_at, q.choice, q.decided_by, q.guardian, q.channel, q.assurance, q.policy, q.reason, \
    q.successor, q.grant_id, q.synthetic
    """

  fileprivate init?(reading columns: inout Columns) throws(StoreError) {
    state = try columns.next()
    let ended: Int64? = try columns.next()
    choice = try columns.next()
    decidedBy = try columns.next()
    guardian = try columns.next()
    channel = try columns.next()
    assurance = try columns.next()
    policy = try columns.next()
    reason = try columns.next()
    successor = try columns.next()
    grant = try columns.next()
    synthetic = try columns.next()
    guard (state == QuestionRow.pending) == (ended == nil) else {
      throw .damaged(detail: "a question contradicts itself about its end")
    }
    guard let ended else { return nil }
    endedAt = ended
  }
}
