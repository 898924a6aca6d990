// SPDX-License-Identifier: Apache-2.0
//
// Whose a uid is now. The system's name service may be slow, so each uid is asked for at most once in ten seconds, only
// where somebody was enrolled as it, and only on the broker's own thread: what a transaction needs is looked up before
// and handed to it.

package import ConsentModel
import ConsentStore

/// The machine's accounts.
package protocol AccountDirectory {
  /// What the machine says now about the account of a uid.
  func login(ofUID uid: UserID) -> PresentLogin
}

/// A machine on which no uid has an account, as in a sandbox, where people are made up.
package struct NoAccounts: AccountDirectory {
  package init() {}

  package func login(ofUID uid: UserID) -> PresentLogin { .none }
}

/// Says whose a uid is now.
typealias LoginLookUp = (UserID) -> PresentLogin

/// The login names that were looked up lately.
struct LoginCache {
  /// How long a look-up counts, microseconds of boot time.
  private static let lifetimeUSec: Int64 = 10_000_000
  /// The uids that are kept at the most.
  private static let limit = 4_096

  private let accounts: any AccountDirectory
  private var found: [UserID: (login: PresentLogin, atBootUSec: Int64)] = [:]

  init(_ accounts: any AccountDirectory) { self.accounts = accounts }

  /// Whose the uid is; as of the last look-up, where that is no older than its lifetime and `isFresh` is not wanted.
  mutating func login(of uid: UserID, atBootUSec now: Int64, isFresh: Bool = false) -> PresentLogin {
    let known = found[uid]
    if !isFresh, let known, now - known.atBootUSec < Self.lifetimeUSec { return known.login }
    let login = accounts.login(ofUID: uid)
    if found.count >= Self.limit { found = [:] }
    found[uid] = (login, now)
    return login
  }
}

extension Broker {
  /// Whose a uid is, as of the last ten seconds.
  func login(of uid: UserID) -> PresentLogin { logins.login(of: uid, atBootUSec: clock.bootUSec) }

  /// The login name under which a uid is enrolled now; `nil` where it has no account.
  /// Throws `notAvailable(accounts)` where that cannot be found out.
  func enrollingLogin(of uid: UserID) throws(Refusal) -> String? {
    switch logins.login(of: uid, atBootUSec: clock.bootUSec, isFresh: true) {
    case .name(let name): name
    case .none: nil
    case .unknown: throw .notAvailable(reason: .accounts, retryable: true)
    }
  }

  /// Throws `notAvailable(personChanged)` where the uid belongs to another login name than when it was enrolled, and
  /// `notAvailable(accounts)` where that cannot be found out.
  package func requireUnchanged(_ uid: UserID) throws(Refusal) {
    try read { try $0.requireUnchanged(uid, self.login) }
  }

  /// The same for the guardian a caller speaks for.
  package func requireUnchanged(_ viewer: Viewer) throws(Refusal) {
    if let uid = viewer.user { try requireUnchanged(uid) }
  }

  /// Whose the uids are of everybody who was enrolled under a login name and counts when a person is asked about, for
  /// use in a transaction. Who is enrolled in between is enrolled under the name the uid has then.
  func logins(concerning person: Person) throws(Refusal) -> [UserID: PresentLogin] {
    try read { rows in
      let guardians = try rows.guardians(of: person.description).map { try Guardian(stored: $0.guardian).user }
      return try self.logins(of: ([person.user] + guardians).compactMap(\.self), in: rows)
    }
  }

  /// Whose these uids are, those that were enrolled under a login name.
  func logins(of uids: [UserID], in rows: any StoreReader) throws -> [UserID: PresentLogin] {
    var logins: [UserID: PresentLogin] = [:]
    for uid in uids {
      let isEnrolled = try !rows.loginNames(of: Guardian.user(uid).description).isEmpty
      if isEnrolled { logins[uid] = login(of: uid) }
    }
    return logins
  }
}

extension StoreReader {
  /// Throws `notAvailable` where something stands against acting for the uid: it belongs to somebody else.
  func requireUnchanged(_ uid: UserID, _ login: LoginLookUp) throws {
    for stored in try loginNames(of: Guardian.user(uid).description) {
      if let objection = LoginRule.objection(enrolledAs: stored, present: login(uid)) { throw objection }
    }
  }
}
