// SPDX-License-Identifier: Apache-2.0
//
// Changing questions. Whatever happens to a question is one UPDATE whose condition says that it is still pending, and
// the number of rows that UPDATE changed says whether it happened: of many that try at once, one wins.

extension SQL {
  fileprivate static let insert = SQL(
    """
    INSERT INTO question (
      id, person, asker, provenance, kind, topic_key, content, content_hash, decider, times_asked, app_version, plan,
      asked_at, expires_at, delivered_at, seen_at, remind_at,
      state, ended_at, choice, decided_by, guardian, channel, assurance, policy, reason, successor, grant_id, synthetic)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  fileprivate static let countQuestion = SQL(
    "UPDATE asker SET questions = questions + 1, last_asked_at = ?2 WHERE id = ?1")
  fileprivate static let end = SQL(
    """
    UPDATE question SET
      state = ?, ended_at = ?, choice = ?, decided_by = ?, guardian = ?, channel = ?, assurance = ?, policy = ?,
      reason = ?, successor = ?, grant_id = ?, synthetic = ?, remind_at = NULL
    WHERE id = ?13 AND state = 'pending' AND (?14 IS NULL OR expires_at > ?14)
    """)
  fileprivate static let extend = SQL(
    "UPDATE question SET expires_at = max(expires_at, ?2) WHERE id = ?1 AND state = 'pending'")
  fileprivate static let deliver = SQL(
    "UPDATE question SET delivered_at = ?2 WHERE id = ?1 AND state = 'pending' AND delivered_at IS NULL")
  fileprivate static let see = SQL(
    "UPDATE question SET seen_at = ?2 WHERE id = ?1 AND state = 'pending' AND seen_at IS NULL")
  fileprivate static let remind = SQL("UPDATE question SET remind_at = ?2 WHERE id = ?1 AND state = 'pending'")
  fileprivate static let putAnswer = SQL(
    "INSERT OR REPLACE INTO answer (\(AnswerRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
  fileprivate static let deleteAnswer = SQL("DELETE FROM answer WHERE question = ? AND guardian = ?")
}

extension Connection {
  @discardableResult
  func insert(_ row: QuestionRow) throws(StoreError) -> Int64 {
    let asker = try askerID(adding: row.asker)
    let ending = row.ending
    try change(
      .insert, row.id, row.person, asker, row.provenance, row.kind, row.topicKey, row.content, row.contentHash,
      row.decider, row.timesAsked, row.appVersion, row.plan, row.askedAt, row.expiresAt, row.deliveredAt, row.seenAt,
      row.remindAt, row.state, ending?.endedAt, ending?.choice, ending?.decidedBy, ending?.guardian, ending?.channel,
      ending?.assurance, ending?.policy, ending?.reason, ending?.successor, ending?.grant, ending?.synthetic ?? false)
    let seq = database.lastKey
    try change(.countQuestion, asker, row.askedAt)
    return seq
  }

  func endQuestion(
    _ id: String, _ ending: EndingRow, unexpiredAt now: Int64?
  ) throws(StoreError) -> Bool {
    try change(
      .end, ending.state, ending.endedAt, ending.choice, ending.decidedBy, ending.guardian, ending.channel,
      ending.assurance, ending.policy, ending.reason, ending.successor, ending.grant, ending.synthetic, id, now) > 0
  }

  @discardableResult
  func extendQuestion(_ id: String, expiresAt: Int64) throws(StoreError) -> Bool {
    try change(.extend, id, expiresAt) > 0
  }

  func markDelivered(_ id: String, at: Int64) throws(StoreError) -> Bool {
    try change(.deliver, id, at) > 0
  }

  func markSeen(_ id: String, at: Int64) throws(StoreError) -> Bool {
    try change(.see, id, at) > 0
  }

  @discardableResult
  func setReminder(_ question: String, at: Int64?) throws(StoreError) -> Bool {
    try change(.remind, question, at) > 0
  }

  func put(_ row: AnswerRow) throws(StoreError) {
    try change(
      .putAnswer, row.question, row.guardian, row.choice, row.untilUSec, row.items, row.note, row.answeredAt)
  }

  func deleteAnswer(question: String, guardian: String) throws(StoreError) -> Bool {
    try change(.deleteAnswer, question, guardian) > 0
  }
}
