// SPDX-License-Identifier: Apache-2.0
//
// Reading questions and answers. A list over several people or voices is read one by one and merged here: each part is
// one search of an index, and no list of values has to become part of a statement.

extension SQL {
  private static let select = """
    SELECT \(QuestionRow.columns) FROM asker a JOIN question q ON q.asker = a.id WHERE
    """
  private static let topic = "a.uid = ? AND a.app = ? AND q.person = ? AND q.topic_key = ?"
  private static let selectFromQuestion = """
    SELECT \(QuestionRow.columns) FROM question q CROSS JOIN asker a ON a.id = q.asker WHERE
    """
  private static let page = "q.seq > ? AND (?2 IS NULL OR a.app = ?2)"

  static let question = SQL("\(selectFromQuestion) q.id = ?")
  static let openQuestion = SQL("\(select) \(topic) AND q.state = 'pending'")
  static let latestQuestion = SQL("\(select) \(topic) ORDER BY q.seq DESC LIMIT 1")
  static let questionIDs = SQL("SELECT id FROM question WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT ?2")
  static let openUpdates = SQL(
    """
    \(select) a.uid = ? AND a.app = ? AND q.person = ? AND q.kind = 'significantUpdate' AND q.state = 'pending'
    ORDER BY q.seq
    """)
  static let latestOfKind = SQL(
    """
    \(select) a.uid = ? AND a.app = ? AND q.person = ? AND q.kind = ? AND q.state = ? ORDER BY q.seq DESC LIMIT 1
    """)
  static let topicKeys = SQL(
    """
    SELECT DISTINCT q.topic_key FROM asker a JOIN question q ON q.asker = a.id
    WHERE a.uid = ?1 AND a.app = ?2 AND q.person = ?3 AND q.topic_key >= ?4 || '/' AND q.topic_key < ?4 || '0'
    """)
  static let hasAsked = SQL(
    """
    SELECT 1 FROM asker a JOIN question q ON q.asker = a.id
    WHERE a.uid = ? AND a.app = ? AND q.person = ? LIMIT 1
    """)
  static let dueReminders = SQL(
    """
    \(selectFromQuestion) q.state = 'pending' AND q.remind_at IS NOT NULL AND q.remind_at <= ?
    ORDER BY q.remind_at, q.seq LIMIT ?
    """)
  static let earliestReminder = SQL(
    "SELECT min(remind_at) FROM question WHERE state = 'pending' AND remind_at IS NOT NULL")
  static let dueQuestions = SQL(
    "\(selectFromQuestion) q.state = 'pending' AND q.expires_at <= ? ORDER BY q.expires_at, q.seq LIMIT ?")
  static let earliestDeadline = SQL("SELECT min(expires_at) FROM question WHERE state = 'pending'")
  static let openQuestionCount = SQL(
    """
    SELECT count(*) FROM question q CROSS JOIN asker a ON a.id = q.asker
    WHERE q.state = 'pending' AND q.person = ? AND a.uid = ? AND q.expires_at > ?
    """)
  static let openQuestionsOfPerson = SQL(
    """
    SELECT \(QuestionRow.columns) FROM question q INDEXED BY question_open CROSS JOIN asker a ON a.id = q.asker
    WHERE \(page) AND q.state = 'pending' AND q.person = ?4 ORDER BY q.seq LIMIT ?3
    """)
  static let questionsOfPerson = SQL(
    "\(selectFromQuestion) \(page) AND (?5 IS NULL OR q.state = ?5) AND q.person = ?4 ORDER BY q.seq LIMIT ?3")
  private static let selectOpen = """
    SELECT \(QuestionRow.columns) FROM question q INDEXED BY question_pending CROSS JOIN asker a ON a.id = q.asker
    WHERE \(page) AND q.state = 'pending'
    """
  private static let hasVoice = """
    EXISTS (SELECT 1 FROM guardian INDEXED BY guardian_voice WHERE \(Schema.voice) = ?4 AND person = q.person)
    """
  static let openQuestions = SQL("\(selectOpen) ORDER BY q.seq LIMIT ?3")
  static let openQuestionsOfVoice = SQL("\(selectOpen) AND \(hasVoice) ORDER BY q.seq LIMIT ?3")
  static let questionsOfVoice = SQL(
    "\(selectFromQuestion) \(page) AND (?5 IS NULL OR q.state = ?5) AND \(hasVoice) ORDER BY q.seq LIMIT ?3")
  fileprivate static let questions = SQL(
    "\(selectFromQuestion) \(page) AND (?4 IS NULL OR q.state = ?4) ORDER BY q.seq LIMIT ?3")
  static let answer = SQL("SELECT \(AnswerRow.columns) FROM answer WHERE question = ? AND guardian = ?")
  static let answers = SQL("SELECT \(AnswerRow.columns) FROM answer WHERE question = ? ORDER BY guardian")
}

extension Connection {
  func question(_ id: String) throws(StoreError) -> QuestionRow? {
    try first(.question, id)
  }

  func questionIDs(withPrefix prefix: String, limit: Int) throws(StoreError) -> [String] {
    try rows(.questionIDs, prefix, limit)
  }

  func openQuestion(
    person: String, asker: AskerKey, topicKey: String
  ) throws(StoreError) -> QuestionRow? {
    try first(.openQuestion, asker.uid, asker.app, person, topicKey)
  }

  func latestQuestion(
    person: String, asker: AskerKey, topicKey: String
  ) throws(StoreError) -> QuestionRow? {
    try first(.latestQuestion, asker.uid, asker.app, person, topicKey)
  }

  func latestQuestion(
    person: String, asker: AskerKey, kind: String, state: String
  ) throws(StoreError) -> QuestionRow? {
    try first(.latestOfKind, asker.uid, asker.app, person, kind, state)
  }

  func openUpdates(person: String, asker: AskerKey) throws(StoreError) -> [QuestionRow] {
    try rows(.openUpdates, asker.uid, asker.app, person)
  }

  func questions(
    _ filter: QuestionFilter, after seq: Int64?, limit: Int
  ) throws(StoreError) -> [QuestionRow] {
    let page = Page(after: seq ?? 0, app: filter.app, state: filter.state, limit: limit)
    var found: [QuestionRow] = []
    if let voices = filter.voices {
      for voice in voices { found += try questions(ofVoice: voice, page) }
    } else if let people = filter.people {
      for person in people { found += try questions(of: person, page) }
    } else {
      return try questions(of: nil, page)
    }
    let ordered = found.sorted { $0.seq < $1.seq }
    let repeated = zip(ordered, ordered.dropFirst()).map { $0.seq == $1.seq }
    return Array(zip(ordered, repeated + [false]).filter { !$1 }.map(\.0).prefix(max(limit, 0)))
  }

  private struct Page {
    let after: Int64
    let app: String?
    let state: String?
    let limit: Int
  }

  private func questions(ofVoice voice: String, _ page: Page) throws(StoreError) -> [QuestionRow] {
    page.state == QuestionRow.pending
      ? try rows(.openQuestionsOfVoice, page.after, page.app, page.limit, voice)
      : try rows(.questionsOfVoice, page.after, page.app, page.limit, voice, page.state)
  }

  private func questions(of person: String?, _ page: Page) throws(StoreError) -> [QuestionRow] {
    switch (person, page.state) {
    case (let person?, QuestionRow.pending):
      try rows(.openQuestionsOfPerson, page.after, page.app, page.limit, person)
    case (let person?, let state): try rows(.questionsOfPerson, page.after, page.app, page.limit, person, state)
    case (nil, QuestionRow.pending): try rows(.openQuestions, page.after, page.app, page.limit)
    case (nil, let state): try rows(.questions, page.after, page.app, page.limit, state)
    }
  }

  func openQuestionCount(person: String, uid: UInt32, unexpiredAt now: Int64) throws(StoreError) -> Int {
    try first(.openQuestionCount, person, uid, now) ?? 0
  }

  func topicKeys(of person: String, asker: AskerKey, kind: String) throws(StoreError) -> [String] {
    try rows(.topicKeys, asker.uid, asker.app, person, kind)
  }

  func hasAsked(about person: String, asker: AskerKey) throws(StoreError) -> Bool {
    let any: Int64? = try first(.hasAsked, asker.uid, asker.app, person)
    return any != nil
  }

  func dueQuestions(at now: Int64, limit: Int) throws(StoreError) -> [QuestionRow] {
    try rows(.dueQuestions, now, limit)
  }

  func earliestDeadline() throws(StoreError) -> Int64? {
    let earliest: Int64?? = try first(.earliestDeadline)
    return earliest ?? nil
  }

  func dueReminders(at now: Int64, limit: Int) throws(StoreError) -> [QuestionRow] {
    try rows(.dueReminders, now, limit)
  }

  func earliestReminder() throws(StoreError) -> Int64? {
    let earliest: Int64?? = try first(.earliestReminder)
    return earliest ?? nil
  }

  func answer(question: String, guardian: String) throws(StoreError) -> AnswerRow? {
    try first(.answer, question, guardian)
  }

  func answers(question: String) throws(StoreError) -> [AnswerRow] {
    try rows(.answers, question)
  }
}
