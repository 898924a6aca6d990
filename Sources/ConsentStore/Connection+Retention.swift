// SPDX-License-Identifier: Apache-2.0
//
// What is kept no longer than its class says, a batch at a time. An asker's events go from its oldest on and without a
// gap, whatever a clock that was put back wrote into them: what is kept is always the end of its sequences. Nothing
// that is open goes, and no question whose grant still lives, because it says who gave it. A grant stays as long as
// the question it answers says anything, because without it an approval that has ended would look as if it held.

extension SQL {
  static let oldestEvent = SQL(
    """
    SELECT e.sequence FROM asker a CROSS JOIN event e ON e.asker = a.id
    WHERE a.uid = ? AND a.app = ? ORDER BY e.sequence LIMIT 1
    """)
  static let askersWithOldEvents = SQL(
    """
    SELECT id FROM asker a
    WHERE (SELECT at FROM event e WHERE e.asker = a.id ORDER BY e.sequence LIMIT 1) < ?1 ORDER BY id LIMIT ?2
    """)
  static let firstKeptEvent = SQL(
    """
    SELECT sequence FROM event WHERE asker = ?1 AND sequence <= ?3 AND at >= ?2 ORDER BY sequence LIMIT 1
    """)
  static let eventBeyond = SQL("SELECT sequence FROM event WHERE asker = ? ORDER BY sequence LIMIT 1 OFFSET ?")
  static let deleteEvents = SQL("DELETE FROM event WHERE asker = ? AND sequence < ?")
  static let oldQuestions = SQL(
    """
    SELECT q.id, q.asker, q.person FROM question q
    WHERE q.state <> 'pending' AND q.erased_at IS NULL AND q.ended_at < ?
      AND NOT EXISTS (SELECT 1 FROM grant_given g WHERE g.id = q.grant_id AND g.ended_at IS NULL)
    ORDER BY q.ended_at LIMIT ?
    """)
  static let oldGrants = SQL(
    """
    SELECT g.id FROM grant_given g
    WHERE g.ended_at IS NOT NULL AND g.ended_at < ?
      AND NOT EXISTS (SELECT 1 FROM question q WHERE q.grant_id = g.id AND q.erased_at IS NULL)
    ORDER BY g.ended_at LIMIT ?
    """)
  static let deleteAskKeysOf = SQL("DELETE FROM ask_key WHERE asker = ?2 AND person = ?3 AND question = ?1")
  static let deleteAnswersTo = SQL("DELETE FROM answer WHERE question = ?")
  static let eraseEventsOf = SQL(
    "UPDATE event SET topic_key = NULL WHERE person = ?3 AND asker = ?2 AND question = ?1")
  static let forgetGrantOfQuestions = SQL("UPDATE question SET grant_id = NULL WHERE grant_id = ?")
  static let forgetGrantOfEvents = SQL("UPDATE event SET grant_id = NULL WHERE grant_id = ?")
  static let deleteGrant = SQL("DELETE FROM grant_given WHERE id = ?")
}

extension Connection {
  func oldestEvent(of asker: AskerKey) throws(StoreError) -> Int64? {
    try first(.oldestEvent, asker.uid, asker.app)
  }

  func deleteEvents(before instant: Int64, limit: Int) throws(StoreError) -> Int {
    var deleted = 0
    let askers: [Int64] = try rows(.askersWithOldEvents, instant, limit)
    for asker in askers where deleted < limit {
      deleted += try deleteEvents(of: asker, before: instant, limit: limit - deleted)
    }
    if deleted > 0 { hasErased = true }
    return deleted
  }

  private func deleteEvents(of asker: Int64, before instant: Int64, limit: Int) throws(StoreError) -> Int {
    let beyond: Int64 = try first(.eventBeyond, asker, limit) ?? .max
    let kept: Int64? = try first(.firstKeptEvent, asker, instant, beyond)
    return try change(.deleteEvents, asker, kept ?? beyond)
  }

  func eraseQuestions(endedBefore instant: Int64, at now: Int64, limit: Int) throws(StoreError) -> Int {
    let old: [OldQuestion] = try rows(.oldQuestions, instant, limit)
    for question in old {
      for sql in [SQL.deleteAskKeysOf, .eraseEventsOf] {
        try change(sql, question.id, question.asker, question.person)
      }
      try change(.deleteAnswersTo, question.id)
      try change(.eraseQuestion, question.id, now)
    }
    if !old.isEmpty { hasErased = true }
    return old.count
  }

  /// A question that has been over for long enough.
  private struct OldQuestion: Readable {
    let id: String
    let asker: Int64
    let person: String

    init(reading columns: inout Columns) throws(StoreError) {
      id = try columns.next()
      asker = try columns.next()
      person = try columns.next()
    }
  }

  func deleteGrants(endedBefore instant: Int64, limit: Int) throws(StoreError) -> Int {
    let old: [String] = try rows(.oldGrants, instant, limit)
    for grant in old {
      for sql in [SQL.forgetGrantOfQuestions, .forgetGrantOfEvents, .deleteGrant] { try change(sql, grant) }
    }
    if !old.isEmpty { hasErased = true }
    return old.count
  }
}
