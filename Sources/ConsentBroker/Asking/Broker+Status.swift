// SPDX-License-Identifier: Apache-2.0
//
// Where a topic stands. Looks, never asks, never writes.

package import ConsentModel
import ConsentStore

extension Broker {
  /// The status of a topic, and its key. Throws `notAvailable(personChanged)`.
  package func status(
    of subject: Subject, about person: Person, for asker: Asker
  ) throws(Refusal) -> (answer: StatusAnswer, topicKey: String) {
    let topicKey = subject.key(salt: rules.salt)
    let now = clock.now
    let today = clock.today
    let facts = try read { rows in
      if let uid = person.user { try rows.requireUnchanged(uid, self.login) }
      return StatusFacts(
        standing: try PersonRecord(of: person, in: rows, self.login).standing(towards: asker, on: today, self.rules),
        grant: try rows.grant(covering: subject, of: person, for: asker, at: now),
        latest: try rows.latestQuestion(
          person: person.description, asker: AskerKey(asker), topicKey: topicKey
        ).map { row in
          StatusFacts.Latest(
            question: try row.identity, state: try row.questionState, expiresAt: Instant(usec: row.expiresAt))
        })
    }
    return (StatusRule.answer(facts, now: now), topicKey)
  }
}
