// SPDX-License-Identifier: Apache-2.0
//
// What everybody holds, by uid and in all, and whether there is room for more.
//
// Nothing adds to or takes from what is held but a `Charge`, which knows what it has put in and takes exactly that out
// again. So a count cannot drift: it is the sum of the charges that live. The ledger closes nothing and reads no clock.

import ConsentModel

/// What a connection, a user or everybody holds.
struct Holdings: Equatable {
  /// Connections that are served.
  var connections = 0
  /// Connections above a limit that live until they have been told so.
  var refusals = 0
  /// Calls that wait, and streams.
  var waiting = 0
  /// Bytes that came in and are not taken up, or wait to be sent.
  var queuedBytes = 0

  /// What is held once `old` has become `new`.
  mutating func replace(_ old: Holdings, by new: Holdings) {
    connections += new.connections - old.connections
    refusals += new.refusals - old.refusals
    waiting += new.waiting - old.waiting
    queuedBytes += new.queuedBytes - old.queuedBytes
  }
}

/// How much a user is allowed.
enum Rank {
  case user
  case service
  /// As a service, and the reserve is there for it.
  case administrator
}

/// What one user holds.
final class Account {
  let uid: UserID
  fileprivate(set) var held = Holdings()
  /// Charges that may put something on it.
  fileprivate var charges = 0
  fileprivate(set) var rank: Rank
  fileprivate var calls: TokenBucket
  fileprivate var refusals: TokenBucket

  fileprivate init(_ uid: UserID, _ rank: Rank, _ limits: Limits, at now: Int64) {
    self.uid = uid
    self.rank = rank
    let allowance = limits.allowance(of: rank)
    calls = TokenBucket(perSecond: allowance.callsPerSecond, burst: allowance.callBurst, at: now)
    refusals = TokenBucket(perSecond: Limits.refusalsPerSecond, burst: Limits.refusalBurst, at: now)
  }

  /// Whether nothing would be lost if it were forgotten.
  fileprivate func isBlank(at now: Int64) -> Bool {
    charges == 0 && calls.isFull(at: now) && refusals.isFull(at: now)
  }
}

/// The accounts of all users.
final class Ledger {
  private(set) var limits: Limits
  private(set) var total = Holdings()
  private var accounts: [UserID: Account] = [:]
  private var calls: TokenBucket
  /// How often each limit was met.
  private(set) var met: [Limit: Int64] = [:]

  init(_ limits: Limits, at now: Int64) {
    self.limits = limits
    calls = TokenBucket(perSecond: limits.total.callsPerSecond, burst: limits.total.callBurst, at: now)
  }

  /// The user's account. One that is opened takes the place of those that say nothing more.
  func account(of uid: UserID, _ rank: Rank, at now: Int64) -> Account {
    if let known = accounts[uid] {
      if known.rank != rank { set(rank, of: known, at: now) }
      return known
    }
    accounts = accounts.filter { !$0.value.isBlank(at: now) }
    let account = Account(uid, rank, limits, at: now)
    accounts[uid] = account
    return account
  }

  /// Users whose account is kept.
  var users: Int { accounts.count }

  /// Puts other limits and ranks in force. What is held above them stays until it is given back.
  func adopt(_ limits: Limits, at now: Int64, rank: (UserID) -> Rank) {
    self.limits = limits
    calls.change(perSecond: limits.total.callsPerSecond, burst: limits.total.callBurst, at: now)
    for account in accounts.values { set(rank(account.uid), of: account, at: now) }
  }

  private func set(_ rank: Rank, of account: Account, at now: Int64) {
    account.rank = rank
    let allowance = limits.allowance(of: rank)
    account.calls.change(perSecond: allowance.callsPerSecond, burst: allowance.callBurst, at: now)
  }

  /// Notes that somebody met a limit.
  func note(_ limit: Limit) { met[limit, default: 0] += 1 }

  fileprivate func replace(_ old: Holdings, by new: Holdings, of account: Account) {
    account.held.replace(old, by: new)
    total.replace(old, by: new)
  }
}

// MARK: Room

extension Ledger {
  /// Whether the user may have one more connection.
  func hasRoomForConnection(of account: Account) -> Bool {
    account.held.connections < limits.allowance(of: account.rank).connections
  }

  /// Whether the table has room for one more connection of the user.
  func isTableFull(for account: Account) -> Bool {
    total.connections >= limits.inAll(limits.total.connections, account.rank)
  }

  /// Whether one more of the user's calls may wait.
  func hasRoomForWait(of account: Account) -> Bool {
    account.held.waiting < limits.allowance(of: account.rank).waiting
      && total.waiting < limits.inAll(limits.total.waiting, account.rank)
  }

  /// Whether the user has more bytes queued than it may.
  func isOverweight(_ account: Account) -> Bool {
    account.held.queuedBytes > limits.allowance(of: account.rank).queuedBytes
  }

  /// Whether everybody together has more bytes queued than there is room for.
  var isOverweight: Bool { total.queuedBytes > limits.total.queuedBytes }

  /// Whether one more connection above a limit may live until it has been told so.
  func mayTellRefusal(to account: Account, at now: Int64) -> Bool {
    total.refusals < Limits.refusalsAtOnce && account.refusals.take(at: now)
  }

  /// Takes one call, unless the user calls too often, or everybody does and the user more than others.
  func takeCall(of account: Account, at now: Int64) -> Bool {
    guard account.calls.left(at: now) > 0 else { return false }
    guard calls.take(at: now) || account.calls.isHalfFull(at: now) else { return false }
    return account.calls.take(at: now)
  }

  /// How many calls the user could make now; below 0 nothing more is read from it.
  func callsLeft(of account: Account, at now: Int64) -> Int { account.calls.left(at: now) }

  /// Bytes went over a user's connection.
  func spend(bytes: Int, of account: Account) {
    account.calls.spend(bytes, of: Limits.bytesPerCall)
  }
}

extension Limits {
  /// What a user of this rank may take.
  func allowance(of rank: Rank) -> Allowance { rank == .user ? perUser : perService }

  /// The part of a total that is there for a user of this rank.
  fileprivate func inAll(_ total: Int, _ rank: Rank) -> Int {
    rank == .administrator ? total : total - min(Self.reserve, total / 4)
  }
}

/// What one connection has put on its user's account.
final class Charge {
  let account: Account
  private let ledger: Ledger
  private(set) var held = Holdings()

  init(_ ledger: Ledger, _ account: Account) {
    self.ledger = ledger
    self.account = account
    account.charges += 1
  }

  deinit {
    release()
    account.charges -= 1
  }

  /// Holds this from now on, in place of what was held.
  func hold(_ change: (inout Holdings) -> Void) {
    let old = held
    change(&held)
    if held != old { ledger.replace(old, by: held, of: account) }
  }

  /// Gives everything back. May be repeated.
  func release() { hold { $0 = Holdings() } }
}
