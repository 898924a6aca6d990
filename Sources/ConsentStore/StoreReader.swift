// SPDX-License-Identifier: Apache-2.0
//
// Every question the broker puts to the store, by name. Texts are compared byte by byte. All functions throw
// `StoreError`; an absent row is `nil` or an empty list, an unreadable one never is.

/// What can be read inside a transaction. Not to be kept beyond it.
package protocol StoreReader {
  // MARK: People

  /// The person, where enrolled.
  func person(_ person: String) throws(StoreError) -> PersonRow?
  /// People ordered by their text, those after `after`, at most `limit`.
  func people(after: String?, limit: Int) throws(StoreError) -> [PersonRow]
  /// The same of those whose text begins with `prefix`, which is ASCII.
  func people(withPrefix prefix: String, after: String?, limit: Int) throws(StoreError) -> [PersonRow]
  /// The same of those with a guardian of one of these voices: the guardian's text, up to its slash where it has one.
  func people(ofVoices voices: [String], after: String?, limit: Int) throws(StoreError) -> [PersonRow]
  /// The guardians of a person in the order in which they were enrolled.
  func guardians(of person: String) throws(StoreError) -> [GuardianRow]
  /// The declarations about a person that have not ended, the oldest first.
  func declarations(of person: String) throws(StoreError) -> [DeclarationRow]
  /// All declarations about a person, ended or not, the oldest first.
  func allDeclarations(of person: String) throws(StoreError) -> [DeclarationRow]
  /// The login names that are stored for a local user (`uid:1001`), as a person and as a guardian.
  func loginNames(of principal: String) throws(StoreError) -> [String]
  /// Whether anything is stored of somebody in whatever part: person, guardian, declarer, or, as `uid`, asker.
  func isKnown(_ principal: String, uid: UInt32?) throws(StoreError) -> Bool

  // MARK: Questions

  /// The question with this id.
  func question(_ id: String) throws(StoreError) -> QuestionRow?
  /// The ids that begin with `prefix` (hex digits), ordered, at most `limit`.
  func questionIDs(withPrefix prefix: String, limit: Int) throws(StoreError) -> [String]
  /// The pending question of this topic; the schema allows one.
  func openQuestion(person: String, asker: AskerKey, topicKey: String) throws(StoreError) -> QuestionRow?
  /// The newest question of this topic, pending or not.
  func latestQuestion(person: String, asker: AskerKey, topicKey: String) throws(StoreError) -> QuestionRow?
  /// The newest question of a kind that is in a state.
  func latestQuestion(
    person: String, asker: AskerKey, kind: String, state: String
  ) throws(StoreError) -> QuestionRow?
  /// The pending significant updates of an asker about a person, the oldest first.
  func openUpdates(person: String, asker: AskerKey) throws(StoreError) -> [QuestionRow]
  /// Questions in the order in which they were asked, those after `seq`, at most `limit`.
  func questions(_ filter: QuestionFilter, after seq: Int64?, limit: Int) throws(StoreError) -> [QuestionRow]
  /// How many pending questions of the uid's askers about a person have a deadline after `now`.
  func openQuestionCount(person: String, uid: UInt32, unexpiredAt now: Int64) throws(StoreError) -> Int
  /// The pending questions whose deadline is not after `now`, the longest overdue first, at most `limit`.
  func dueQuestions(at now: Int64, limit: Int) throws(StoreError) -> [QuestionRow]
  /// The earliest deadline of a pending question.
  func earliestDeadline() throws(StoreError) -> Int64?
  /// The keys of the topics of a kind that an asker ever put about a person. Those of erased questions are gone.
  func topicKeys(of person: String, asker: AskerKey, kind: String) throws(StoreError) -> [String]
  /// Whether an asker ever put a question about a person that is still kept.
  func hasAsked(about person: String, asker: AskerKey) throws(StoreError) -> Bool
  /// The pending questions whose reminder is not after `now`, the longest due first, at most `limit`.
  func dueReminders(at now: Int64, limit: Int) throws(StoreError) -> [QuestionRow]
  /// The earliest reminder of a pending question.
  func earliestReminder() throws(StoreError) -> Int64?
  /// What `guardian` answered to a question.
  func answer(question: String, guardian: String) throws(StoreError) -> AnswerRow?
  /// All answers to a question, ordered by guardian.
  func answers(question: String) throws(StoreError) -> [AnswerRow]

  // MARK: Grants

  /// The id of a live grant that covers `item`; of several, the one that lasts longest.
  func liveGrant(
    covering item: GrantItemRow, person: String, asker: AskerKey, kind: String, now: Int64
  ) throws(StoreError) -> String?
  /// The grant with this id, ended or not.
  func grant(_ id: String) throws(StoreError) -> GrantRow?
  /// All grants of a topic, ended or not, the oldest first.
  func grants(person: String, asker: AskerKey, topicKey: String) throws(StoreError) -> [GrantRow]
  /// The grants about a person that have not ended, the oldest first.
  func liveGrants(of person: String) throws(StoreError) -> [GrantRow]
  /// A person's grants of one app or of all, ordered by when they were given, those after `after`, at most `limit`;
  /// `onlyLive`: those that have not ended, whatever their expiry says.
  func grants(
    of person: String, app: String?, onlyLive: Bool, after: GrantPlace?, limit: Int
  ) throws(StoreError) -> [GrantRow]
  /// The grants that have not ended and whose expiry is not after `now`, the longest over first, at most `limit`.
  func dueGrants(at now: Int64, limit: Int) throws(StoreError) -> [GrantRow]
  /// The earliest expiry of a grant that has not ended.
  func earliestGrantEnd() throws(StoreError) -> Int64?
  /// What a grant covers.
  func items(ofGrant grant: String) throws(StoreError) -> [GrantItemRow]

  // MARK: Askers

  /// The asker; one that never asked stands where a new one starts.
  func asker(_ asker: AskerKey) throws(StoreError) -> AskerRow
  /// The asker's events with a sequence above `sequence`, in order, at most `limit`.
  func events(asker: AskerKey, after sequence: Int64, limit: Int) throws(StoreError) -> [EventRow]
  /// The version an app had when this asker first told one about a person.
  func firstVersion(person: String, asker: AskerKey) throws(StoreError) -> String?
  /// The apps that have asked, by their ids, those after `after`, at most `limit`; `nil`: from the nameless on.
  func askingApps(after: String?, limit: Int) throws(StoreError) -> [String]
  /// Everybody who has asked as this app, by uid.
  func askers(as app: String) throws(StoreError) -> [AskingRow]
  /// Everybody who ever asked about a person, ordered.
  func askers(about person: String) throws(StoreError) -> [AskerRow]
  /// The asker's events about a person with a sequence above `sequence`, in order, at most `limit`.
  func events(
    about person: String, asker: AskerKey, after sequence: Int64, limit: Int
  ) throws(StoreError) -> [EventRow]
  /// What the asker's `key` stands for.
  func askKey(asker: AskerKey, person: String, key: String) throws(StoreError) -> AskKeyRow?

  // MARK: Manners and settings

  /// What was turned down or came to nothing of a subject in a scope.
  func coolDown(person: String, scope: String, subject: String) throws(StoreError) -> CoolDownRow?
  /// Everything of that about a person, ordered by scope and subject.
  func coolDowns(of person: String) throws(StoreError) -> [CoolDownRow]
  /// The instants after `after` at which a scope asked something new about a person, ascending.
  func recentQuestions(person: String, scope: String, after: Int64) throws(StoreError) -> [Int64]
  /// A setting; `app` is `""` for what holds for every app.
  func setting(person: String, app: String, name: String) throws(StoreError) -> SettingRow?
  /// Everything that is set for a person, ordered by app and name.
  func settings(of person: String) throws(StoreError) -> [SettingRow]

  // MARK: Evidence

  /// The newest audit entry.
  func auditHead() throws(StoreError) -> AuditRow?
  /// The audit entries after `seq` in their order, at most `limit`.
  func auditEntries(after seq: Int64, limit: Int) throws(StoreError) -> [AuditRow]
  /// The same of those about a person, and where `app` is given of those about that app.
  func auditEntries(
    about person: String, app: String?, after seq: Int64, limit: Int
  ) throws(StoreError) -> [AuditRow]
  /// The first audit entries that still say something, in their order, at most `limit`, up to one of `instant` or later.
  func keptAuditEntries(before instant: Int64, limit: Int) throws(StoreError) -> [AuditRow]

  // MARK: The store itself

  /// How many people and pending questions there are.
  func counts() throws(StoreError) -> StoreCounts
  /// How many pending questions there are, without a look at anything else.
  func openQuestionCount() throws(StoreError) -> Int
  /// A value that `setMeta` stored.
  func meta(_ key: String) throws(StoreError) -> [UInt8]?
}
