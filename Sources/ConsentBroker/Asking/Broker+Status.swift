// SPDX-License-Identifier: Apache-2.0
//
// Where a topic stands. Looks, never asks, never writes.

package import ConsentModel
import ConsentStore

/// Who wants to know how what stands.
package struct StatusRequest: Sendable {
  let asker: Asker
  let provenance: Provenance
  let person: Person
  let subject: Subject
  /// A significant update's first version, where it is known.
  let sinceVersion: String?

  package init(
    asker: Asker, provenance: Provenance, person: Person, subject: Subject, sinceVersion: String? = nil
  ) {
    self.asker = asker
    self.provenance = provenance
    self.person = person
    self.subject = subject
    self.sinceVersion = sinceVersion
  }
}

extension Broker {
  /// The status of a topic, and its key. Throws `notAvailable(personChanged)`.
  package func status(_ request: StatusRequest) throws(Refusal) -> (answer: StatusAnswer, topicKey: String) {
    let topicKey = request.subject.key(salt: rules.salt)
    let facts = try read { rows in
      if let uid = request.person.user { try rows.requireUnchanged(uid, self.login) }
      return try self.statusFacts(request, topicKey, in: rows)
    }
    return (StatusRule.answer(facts, now: clock.now), topicKey)
  }

  private func statusFacts(
    _ request: StatusRequest, _ topicKey: String, in rows: any StoreReader
  ) throws -> StatusFacts {
    let (asker, person, subject, now) = (request.asker, request.person, request.subject, clock.now)
    var facts = StatusFacts(
      standing: try PersonRecord(of: person, in: rows, login).standing(towards: asker, on: clock.today, rules))
    facts.isInstalledAfter = try rows.isInstalledAfter(
      request.sinceVersion, subject.kind, of: person, for: asker, request.provenance, rules)
    facts.coverage = try rows.coverage(of: subject, of: person, for: asker, at: now)
    facts.settled = try rows.settled(subject, of: person, for: asker)
    facts.latest = try rows.latest(subject, topicKey: topicKey, of: person, for: asker)
    let overdue = try rows.open(of: asker, about: person, subject.kind, topicKey: topicKey, at: now).overdue
    let manners = try rows.manners(
      of: (asker, request.provenance), about: person, subject, topicKey: topicKey, overdue: overdue, rules, at: now)
    facts.coolingUntil = manners?.coolingUntil(now)
    return facts
  }
}

extension AskFacts.Manners {
  /// Until when a cool-down holds the asker back; a spent budget does not show.
  fileprivate func coolingUntil(_ now: Instant) -> Instant? {
    guard case .cooling(let until) = CoolDownRule.verdict(coolDown, isNews: isNews, numbers, now: now) else {
      return nil
    }
    return until
  }
}

extension StoreReader {
  /// The latest question that asks a topic; the last that took its place, where one did.
  fileprivate func latest(
    _ subject: Subject, topicKey: String, of person: Person, for asker: Asker
  ) throws -> StatusFacts.Latest? {
    let key = AskerKey(asker)
    var first = try latestQuestion(person: person.description, asker: key, topicKey: topicKey)
    if subject.kind == .significantUpdate, first?.isPending == false {
      // A change that was denied is asked again with a later one.
      first = try openUpdates(person: person.description, asker: key).last { try $0.asks(subject) } ?? first
    }
    guard let first else { return nil }
    let row = try first.lastSuccessor(in: self) ?? first
    var latest = StatusFacts.Latest(
      question: try row.identity, state: try row.questionState, expiresAt: Instant(usec: row.expiresAt))
    latest.isAboutTopic = try row.id == first.id || row.asks(subject)
    latest.isRevoked =
      try row.ending?.grant.flatMap { try grant($0) }?.endedReason == Reason.revoked.rawValue
    return latest
  }
}
