// SPDX-License-Identifier: Apache-2.0
//
// An ask, complete before it meets the store.
//
// Everything random or costly (the ids, the canonical content and its hash) is made here, once, because the operation
// on the store may run twice and shares its thread with everybody's commits.

package import ConsentModel
import ConsentStore

/// Who asks what about whom.
package struct AskRequest: Sendable {
  let asker: Asker
  let provenance: Provenance
  let person: Person
  let topic: Topic
  let key: AskKey?
  /// How long the question may stay open, microseconds; absent: as the rules say.
  let expiresInUSec: Int64?
  let appVersion: String?

  package init(
    asker: Asker, provenance: Provenance, person: Person, topic: Topic, key: AskKey?, expiresInUSec: Int64?,
    appVersion: String?
  ) {
    self.asker = asker
    self.provenance = provenance
    self.person = person
    self.topic = topic
    self.key = key
    self.expiresInUSec = expiresInUSec
    self.appVersion = appVersion
  }
}

/// A question that may be put, should the rules say so.
struct Draft: Sendable {
  let request: AskRequest
  let id = QuestionID.random()
  let topicKey: String
  let topicHash: String
  /// What is asked, before it takes anything along.
  let content: Content
  let contentHash: String
  let expiresAt: Instant
  /// The civil date on which the ask is judged.
  let today: CivilDate

  init(_ request: AskRequest, salt: KeySalt, now: Instant, today: CivilDate) throws(ValueError) {
    self.request = request
    self.today = today
    topicKey = request.topic.subject.key(salt: salt)
    topicHash = request.topic.hash
    content = Content(
      person: request.person, asker: request.asker, provenance: request.provenance, topic: request.topic)
    contentHash = content.hash
    expiresAt = try DeadlineRules.question(expiresInUSec: request.expiresInUSec, now: now)
  }

  /// The row of the question, put at `now`, about the topic with what it took along.
  func row(about topic: Topic, askedAt now: Instant, timesAsked: Int) -> QuestionRow {
    let content = topic.earlier.isEmpty ? content : content.about(topic)
    return QuestionRow(
      id: id.description, person: request.person.description, asker: AskerKey(request.asker),
      provenance: request.provenance.rawValue, kind: request.topic.subject.kind.rawValue, topicKey: topicKey,
      content: String(decoding: content.bytes, as: UTF8.self),
      contentHash: topic.earlier.isEmpty ? contentHash : content.hash, decider: Decider.guardians.rawValue,
      timesAsked: timesAsked, appVersion: request.appVersion, askedAt: now.usec, expiresAt: expiresAt.usec)
  }
}
