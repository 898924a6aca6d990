// SPDX-License-Identifier: Apache-2.0
//
// A person gets another name here: another uid, another account of the same service. Everything follows, in one
// transaction. What stands open ends: its content names the person as they were called and cannot change, so it is
// asked anew under the new name.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Puts `other` in the place of a person: enrolment, guardians, declarations, ended questions, grants; of a local user
  /// the askers, cursors and guardianships too. A local user who stays where they are is accepted under the present login
  /// name of the uid. Waiters of open questions go on with `moot`.
  /// Throws `unknownPerson`, and `invalidValue(to)` where the name has another form or is known here already.
  package func movePerson(_ person: Person, to other: Person, by peer: UserID) async throws(Refusal) {
    do {
      try MoveRule.check(person, to: other)
    } catch {
      throw .invalidValue(field: error.field, rule: error.rule)
    }
    let login = try other.user.map { uid throws(Refusal) in try enrollingLogin(of: uid) } ?? nil
    try await commit { transaction in
      try transaction.rows.requireEnrolled(person)
      if person != other { try transaction.move(person, to: other) }
      if let login { try transaction.rows.setLoginName(login, of: other.description) }
      try transaction.audit(.personMoved(from: person, to: other, login: login, by: peer))
    }
  }
}

extension Transaction {
  fileprivate mutating func move(_ person: Person, to other: Person) throws {
    guard try !rows.isKnown(other.description, uid: other.user) else {
      throw Refusal.invalidValue(field: "to", rule: "somebody of whom nothing is stored here")
    }
    let open = try openQuestions(about: person)
    try endQuestions(about: person, reason: .personMoved)
    for question in open { try rows.deleteAskKeys(of: question.id, about: person.description) }
    try rows.movePerson(person.description, to: other.description)
    guard let uid = person.user, let another = other.user else { return }
    try rows.moveUser(uid, to: another)
    for question in open where question.asker.uid == uid {
      ring(Asker(uid: another, app: try Asker(question.asker).app))
    }
    let guarded = try rows.people(ofVoices: [other.description], after: nil, limit: .max)
    for row in guarded { try touchOpenQuestions(about: try Person(stored: row.person)) }
  }
}
