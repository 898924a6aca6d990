// SPDX-License-Identifier: Apache-2.0
//
// What an approval gave: a grant, and the items it covers.

/// A grant. It is live while it has not ended and `expiresAt` lies ahead.
package struct GrantRow: Sendable, Equatable {
  package var id: String
  package var person: String
  package var asker: AskerKey
  package var provenance: String
  package var topicKey: String
  package var kind: String
  /// The question whose approval gave it.
  package var question: String?
  package var lifetime: String
  /// Microseconds since the Unix epoch, like all instants here.
  package var grantedAt: Int64
  /// Absent: it does not expire.
  package var expiresAt: Int64?
  package var endedAt: Int64?
  package var endedReason: String?
  /// Who gave it, and what they said.
  package var guardian: String?
  package var note: String?
  /// Who ended it, where somebody did, and what they said.
  package var endedBy: String?
  package var endNote: String?

  package init(
    id: String, person: String, asker: AskerKey, provenance: String, topicKey: String, kind: String,
    question: String? = nil, lifetime: String, grantedAt: Int64, expiresAt: Int64? = nil, endedAt: Int64? = nil,
    endedReason: String? = nil, guardian: String? = nil, note: String? = nil, endedBy: String? = nil,
    endNote: String? = nil
  ) {
    self.id = id
    self.person = person
    self.asker = asker
    self.provenance = provenance
    self.topicKey = topicKey
    self.kind = kind
    self.question = question
    self.lifetime = lifetime
    self.grantedAt = grantedAt
    self.expiresAt = expiresAt
    self.endedAt = endedAt
    self.endedReason = endedReason
    self.guardian = guardian
    self.note = note
    self.endedBy = endedBy
    self.endNote = endNote
  }
}

/// Where a page of grants ended: lists are ordered by when a grant was given, then by its id.
package struct GrantPlace: Sendable, Equatable {
  /// Microseconds since the Unix epoch.
  package var grantedAt: Int64
  package var id: String

  package init(grantedAt: Int64, id: String) {
    self.grantedAt = grantedAt
    self.id = id
  }
}

/// One thing a grant covers.
package struct GrantItemRow: Sendable, Equatable {
  package var subject: String
  package var action: String

  package init(subject: String, action: String) {
    self.subject = subject
    self.action = action
  }
}

extension GrantItemRow: Readable {
  init(reading columns: inout Columns) throws(StoreError) {
    subject = try columns.next()
    action = try columns.next()
  }
}

extension GrantRow: Readable {
  /// `g` is the grant, `a` its asker.
  static let columns = """
    g.id, g.person, a.uid, a.app, g.provenance, g.topic_key, g.kind, g.question, g.lifetime, g.granted_at, \
    g.expires_at, g.ended_at, g.ended_reason, g.guardian, g.note, g.ended_by, g.end_note
    """

  init(reading columns: inout Columns) throws(StoreError) {
    id = try columns.next()
    person = try columns.next()
    asker = try AskerKey(reading: &columns)
    provenance = try columns.next()
    topicKey = try columns.next()
    kind = try columns.next()
    question = try columns.next()
    lifetime = try columns.next()
    grantedAt = try columns.next()
    expiresAt = try columns.next()
    endedAt = try columns.next()
    endedReason = try columns.next()
    guardian = try columns.next()
    note = try columns.next()
    endedBy = try columns.next()
    endNote = try columns.next()
  }
}
