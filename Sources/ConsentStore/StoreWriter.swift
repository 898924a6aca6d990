// SPDX-License-Identifier: Apache-2.0
//
// Every change the broker makes to the store, by name. Whether a change is allowed is the broker's to decide inside the
// same transaction; what must hold whoever decides (one open question per topic, one end per question) is in the
// schema and the conditions below. All functions throw `StoreError`, `constraint` where a row breaks the schema.

/// What can be read and changed inside a transaction. Not to be kept beyond it.
package protocol StoreWriter: StoreReader {
  // MARK: People

  /// Adds a person, or changes the names of one: a name that is absent stays as it is, and so does `addedAt`.
  func put(_ person: PersonRow) throws(StoreError)
  /// Removes a person with their guardians, declarations, settings and cool-downs. Questions, grants and the audit stay.
  /// False: there was none.
  func removePerson(_ person: String) throws(StoreError) -> Bool
  /// Adds a guardian, or changes the names of one, like `put` of a person.
  func put(_ guardian: GuardianRow) throws(StoreError)
  /// False: there was no such guardian.
  func removeGuardian(_ guardian: String, of person: String) throws(StoreError) -> Bool
  /// Adds a declaration. At most one of each (person, source, declarer) lives.
  func insert(_ declaration: DeclarationRow) throws(StoreError)
  /// Ends the declaration of this declarer that lives, and gives how many ended.
  @discardableResult
  func endDeclarations(
    person: String, source: String, declaredBy: String, at: Int64, reason: String
  ) throws(StoreError) -> Int

  /// Stores the login name of a local user (`uid:1001`), as a person and as a guardian, in place of what was there.
  func setLoginName(_ name: String, of principal: String) throws(StoreError)
  /// Puts `other`, of whom nothing may be known, in the place of a person everywhere, without the login name.
  /// What questions asked stays as it was put.
  func movePerson(_ person: String, to other: String) throws(StoreError)
  /// Puts the uid `other`, of whom nothing may be known, in the place of `uid` as an asker, guardian and declarer.
  func moveUser(_ uid: UInt32, to other: UInt32) throws(StoreError)
  /// Erases what an asker has about a person, all of which must have ended: what was asked and answered, keys, what
  /// grants covered, cool-downs and the app's settings. Ids, states, times and sequences stay.
  func erase(_ person: String, for asker: AskerKey, at instant: Int64) throws(StoreError)

  // MARK: Questions

  /// Adds a question, and its asker where new; gives the `seq` it was assigned. `question.seq` is not read.
  @discardableResult
  func insert(_ question: QuestionRow) throws(StoreError) -> Int64
  /// Ends a question. False, and nothing changes, unless it is pending and, where `now` is given, its deadline lies
  /// after `now`: the first end wins.
  func endQuestion(_ id: String, _ ending: EndingRow, unexpiredAt now: Int64?) throws(StoreError) -> Bool
  /// Moves the deadline of a pending question to `expiresAt` where that is later. False: the question is not pending.
  @discardableResult
  func extendQuestion(_ id: String, expiresAt: Int64) throws(StoreError) -> Bool
  /// Notes that a pending question was delivered. False: it already was, or it is not pending.
  func markDelivered(_ id: String, at: Int64) throws(StoreError) -> Bool
  /// Notes that a pending question was seen. False: it already was, or it is not pending.
  func markSeen(_ id: String, at: Int64) throws(StoreError) -> Bool
  /// Sets when a pending question's decider is reminded next; `nil`: not again. False: it is not pending.
  @discardableResult
  func setReminder(_ question: String, at: Int64?) throws(StoreError) -> Bool
  /// Stores a guardian's answer, in place of the one they gave to this question before.
  func put(_ answer: AnswerRow) throws(StoreError)
  /// False: this guardian gave none.
  func deleteAnswer(question: String, guardian: String) throws(StoreError) -> Bool

  // MARK: Grants

  /// Adds a grant with what it covers.
  func insert(_ grant: GrantRow, items: [GrantItemRow]) throws(StoreError)
  /// Ends a grant. False: it had ended, or there is none.
  func endGrant(_ id: String, at: Int64, reason: String, by: String?, note: String?) throws(StoreError) -> Bool

  // MARK: Askers

  /// Adds an event under the asker's next sequence, and gives that. `event.sequence` is not read.
  @discardableResult
  func appendEvent(_ event: EventRow) throws(StoreError) -> Int64
  /// Sets the asker's cursor, which may not pass its newest event. False: this asker never asked.
  @discardableResult
  func acknowledge(_ asker: AskerKey, sequence: Int64) throws(StoreError) -> Bool
  /// Binds an asker's key to a question, in place of what it stood for.
  func put(_ askKey: AskKeyRow) throws(StoreError)
  /// Forgets the keys of asks before `instant`, and gives how many.
  @discardableResult
  func deleteAskKeys(before instant: Int64) throws(StoreError) -> Int

  /// Forgets the keys that stand for a question about a person.
  func deleteAskKeys(of question: String, about person: String) throws(StoreError)

  /// Notes the version of an app at the first thing this asker says of it about a person; a later one changes nothing.
  func recordFirstVersion(person: String, asker: AskerKey, version: String, at: Int64) throws(StoreError)

  // MARK: Manners and settings

  /// Stores a cool-down in place of what was there of its subject.
  func put(_ coolDown: CoolDownRow) throws(StoreError)
  /// Forgets a person's cool-downs: of one scope or all, of one subject or all.
  func deleteCoolDowns(person: String, scope: String?, subject: String?) throws(StoreError)
  /// Counts a new question of a scope about a person.
  func insertRecentQuestion(person: String, scope: String, askedAt: Int64, question: String) throws(StoreError)
  /// Forgets the counted questions before `instant`, and gives how many.
  @discardableResult
  func deleteRecentQuestions(before instant: Int64) throws(StoreError) -> Int
  /// Stores a setting in place of what was there.
  func put(_ setting: SettingRow) throws(StoreError)
  /// False: it was not set.
  func deleteSetting(person: String, app: String, name: String) throws(StoreError) -> Bool

  // MARK: Evidence and retention

  /// Adds the next audit entry. `constraint`: its `seq` is not the next.
  func append(_ audit: AuditRow) throws(StoreError)
  /// Erases what these audit entries say and whom they name. They keep their places in the chain.
  func eraseAudit(seqs: [Int64]) throws(StoreError)
  /// Deletes events before `instant`, of each asker from its oldest on and never one behind another that is kept, at
  /// most `limit`, and gives how many.
  func deleteEvents(before instant: Int64, limit: Int) throws(StoreError) -> Int
  /// Erases, as of `now`, questions that ended before `instant` and gave no grant that still lives, at most `limit`, and
  /// gives how many.
  func eraseQuestions(endedBefore instant: Int64, at now: Int64, limit: Int) throws(StoreError) -> Int
  /// Deletes grants that ended before `instant` and whose question, where there is one, is erased; at most `limit`, and
  /// gives how many. Questions and events that named one stay.
  func deleteGrants(endedBefore instant: Int64, limit: Int) throws(StoreError) -> Int

  // MARK: The store itself

  /// Stores a value under a key, in place of what was there.
  func setMeta(_ key: String, _ value: [UInt8]) throws(StoreError)
  /// Where the store is a copy that was put in place: lets every asker's sequences go on beyond any that may have been
  /// handed out since it was made, and makes it a store like any other. `nil`: it is one.
  func takeUpCopy(nowUSec: Int64) throws(StoreError) -> TakenUpCopy?
}
