// SPDX-License-Identifier: Apache-2.0
//
// Taking out of the store what was asked about a person and answered. What stands open ends first, and is announced like
// any other end; then what was asked is gone, in the same transaction. Ids, states and sequences stay, so that whoever
// waits or follows still learns that it is over.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Erases what an app, as whatever uid, has about a person: its next ask is its first. The person stays enrolled.
  /// Throws `unknownPerson` where nothing is stored about the person.
  package func forget(_ person: Person, app: AppID, by peer: UserID) async throws(Refusal) {
    try await commit { transaction in
      try transaction.rows.requireStored(person)
      try transaction.endEverything(about: person, of: app, reason: .forgotten)
      try transaction.erase(person, for: app)
      try transaction.eraseAudit(about: person, of: app, by: peer)
    }
  }

  /// Erases everything about a person, who is not enrolled any more then. That they are somebody's guardian, and what
  /// they answered and declared as such, is those persons' and stays. Of the audit there stays that there were entries.
  /// Throws `unknownPerson` where nothing is stored about the person.
  package func erase(_ person: Person, by peer: UserID) async throws(Refusal) {
    try await commit { transaction in
      try transaction.rows.requireStored(person)
      try transaction.endEverything(about: person, reason: .personRemoved)
      try transaction.erase(person, for: nil)
      _ = try transaction.rows.removePerson(person.description)
      try transaction.eraseAudit(about: person, by: peer)
    }
  }
}

extension Transaction {
  fileprivate func erase(_ person: Person, for app: AppID?) throws {
    for row in try rows.askers(about: person.description) where app == nil || row.asker.app == app?.text {
      try rows.erase(person.description, for: row.asker, at: now.usec)
    }
  }
}

extension StoreReader {
  /// Throws `unknownPerson` unless the person is enrolled, was asked about, or is in the audit.
  func requireStored(_ person: Person) throws {
    let name = person.description
    guard try self.person(name) == nil, try askers(about: name).isEmpty,
      try auditEntries(about: name, app: nil, after: 0, limit: 1).isEmpty
    else { return }
    throw Refusal.unknownPerson(name)
  }
}
