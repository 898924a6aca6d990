// SPDX-License-Identifier: Apache-2.0
//
// What everybody holds: never more and never less than the charges that live, whatever happens in whatever order.

import TestSupport
import Testing

@testable import ConsentDaemon

@Suite struct LedgerTests {
  /// Limits that a test meets soon.
  private static func limits(_ change: (inout Limits) -> Void = { _ in }) -> Limits {
    let allowance = Limits.Allowance(
      connections: 4, waiting: 2, openQuestions: 5, queuedBytes: 1_000, callsPerSecond: 10, callBurst: 20)
    var limits = Limits(perUser: allowance, perService: allowance, total: allowance)
    limits.perService.connections = 8
    limits.total = Limits.Allowance(
      connections: 400, waiting: 400, openQuestions: 50, queuedBytes: 100_000, callsPerSecond: 1_000, callBurst: 1_000)
    change(&limits)
    return limits
  }

  /// One connection of a user.
  private static func connected(_ ledger: Ledger, _ account: Account) -> Charge {
    let charge = Charge(ledger, account)
    charge.hold { $0.connections = 1 }
    return charge
  }

  @Test func `whatever is charged, changed and released, the counts are the sum of what lives`() {
    let ledger = Ledger(Self.limits(), at: 0)
    var chance = SeededGenerator(seed: 37)
    var charges: [Charge] = []
    for step in 0..<20_000 {
      switch Int.random(in: 0..<4, using: &chance) {
      case 0:
        let account = ledger.account(of: .random(in: 0..<9, using: &chance), .user, at: Int64(step))
        charges.append(Charge(ledger, account))
      case 1 where !charges.isEmpty: charges.remove(at: .random(in: 0..<charges.count, using: &chance)).release()
      default:
        guard let charge = charges.randomElement(using: &chance) else { continue }
        charge.hold { held in
          held.connections = .random(in: 0...1, using: &chance)
          held.waiting = .random(in: 0...1, using: &chance)
          held.queuedBytes = .random(in: 0...5_000, using: &chance)
        }
        if Bool.random(using: &chance) { charge.release() }
      }
      if step % 100 == 0 { check(ledger, charges) }
    }
    for charge in charges + charges { charge.release() }
    #expect(ledger.total == Holdings())
    #expect(charges.allSatisfy { $0.account.held == Holdings() })
  }

  private func check(_ ledger: Ledger, _ charges: [Charge]) {
    func sum(_ charges: [Charge]) -> Holdings {
      charges.reduce(into: Holdings()) { $0.replace(Holdings(), by: $1.held) }
    }
    #expect(ledger.total == sum(charges))
    for uid in Set(charges.map(\.account.uid)) {
      let own = charges.filter { $0.account.uid == uid }
      #expect(own.allSatisfy { $0.account === own[0].account })
      #expect(own[0].account.held == sum(own))
    }
  }

  @Test func `a user has its own room and everybody's, an administrator the reserve`() {
    let ledger = Ledger(Self.limits { $0.total.connections = 12 }, at: 0)
    var charges: [Charge] = []
    func connect(_ uid: UInt32, _ rank: Rank, _ count: Int) -> Account {
      let account = ledger.account(of: uid, rank, at: 0)
      charges += (0..<count).map { _ in Self.connected(ledger, account) }
      return account
    }
    let user = connect(1, .user, 4)
    #expect(!ledger.hasRoomForConnection(of: user) && !ledger.isTableFull(for: user))
    let service = connect(2, .service, 5)
    #expect(ledger.hasRoomForConnection(of: service))
    #expect(ledger.isTableFull(for: service))
    let root = connect(0, .administrator, 2)
    #expect(ledger.hasRoomForConnection(of: root) && !ledger.isTableFull(for: root))
    _ = connect(0, .administrator, 1)
    #expect(ledger.isTableFull(for: root))
  }

  @Test func `calls that wait are counted for the user and for all`() {
    let ledger = Ledger(Self.limits { $0.total.waiting = 3 }, at: 0)
    let (one, other) = (ledger.account(of: 1, .user, at: 0), ledger.account(of: 2, .user, at: 0))
    let charges = (0..<2).map { _ in Charge(ledger, one) }
    for charge in charges { charge.hold { $0.waiting = 1 } }
    #expect(!ledger.hasRoomForWait(of: one) && ledger.hasRoomForWait(of: other))
    let last = Charge(ledger, other)
    last.hold { $0.waiting = 1 }
    #expect(!ledger.hasRoomForWait(of: other))
    charges[0].release()
    #expect(ledger.hasRoomForWait(of: one) && ledger.hasRoomForWait(of: other))
  }

  @Test func `where everybody calls too often, those are refused who called most`() {
    let ledger = Ledger(Self.limits { $0.total.callBurst = 15 }, at: 0)
    let (loud, quiet) = (ledger.account(of: 1, .user, at: 0), ledger.account(of: 2, .user, at: 0))
    #expect((0..<20).count { _ in ledger.takeCall(of: loud, at: 0) } == 15)
    #expect((0..<20).count { _ in ledger.takeCall(of: quiet, at: 0) } == 11)
  }

  @Test func `an account is forgotten only when it says nothing more`() {
    let ledger = Ledger(Self.limits(), at: 0)
    let minute: Int64 = 60_000_000
    let busy = ledger.account(of: 1, .user, at: 0)
    var charge: Charge? = Charge(ledger, busy)
    charge?.hold { $0.connections = 1 }
    #expect(ledger.takeCall(of: ledger.account(of: 2, .user, at: 0), at: 0))
    _ = ledger.account(of: 4, .user, at: 0)
    _ = ledger.account(of: 5, .user, at: 1)
    #expect(ledger.users == 3)
    _ = ledger.account(of: 6, .user, at: minute)
    #expect(ledger.users == 2)
    #expect(ledger.account(of: 1, .user, at: minute) === busy)
    charge = nil
    #expect(busy.held == Holdings())
    _ = ledger.account(of: 7, .user, at: minute)
    #expect(ledger.users == 1)
  }

  @Test func `other limits and ranks hold at once for those who are there`() {
    let ledger = Ledger(Self.limits(), at: 0)
    let account = ledger.account(of: 1, .user, at: 0)
    let charges = (0..<4).map { _ in Self.connected(ledger, account) }
    #expect(!ledger.hasRoomForConnection(of: account))
    ledger.adopt(Self.limits { $0.perService.connections = 5 }, at: 0) { _ in .service }
    #expect(ledger.hasRoomForConnection(of: account))
    ledger.adopt(Self.limits { $0.perUser.callBurst = 1 }, at: 0) { _ in .user }
    #expect(!ledger.hasRoomForConnection(of: account))
    #expect(ledger.takeCall(of: account, at: 0) && !ledger.takeCall(of: account, at: 0))
    #expect(account.held.connections == charges.count)
  }

  @Test func `few are told that they are refused, and the others find out`() {
    let ledger = Ledger(Self.limits(), at: 0)
    let account = ledger.account(of: 1, .user, at: 0)
    #expect((0..<100).count { _ in ledger.mayTellRefusal(to: account, at: 0) } == Limits.refusalBurst)
    let refused = (10..<UInt32(10 + Limits.refusalsAtOnce)).map { uid in
      let charge = Charge(ledger, ledger.account(of: uid, .user, at: 0))
      charge.hold { $0.refusals = 1 }
      return charge
    }
    #expect(ledger.total.refusals == refused.count)
    #expect(!ledger.mayTellRefusal(to: ledger.account(of: 2, .user, at: 0), at: 0))
  }

  @Test func `ranks are given by the configuration`() {
    let authority = Authority.of()
    #expect(authority.rank(of: 0) == .administrator && authority.rank(of: 1000) == .administrator)
    #expect(authority.rank(of: 990) == .service && authority.rank(of: 991) == .service)
    #expect(authority.rank(of: 1001) == .user)
    #expect(Authority.of(isSandbox: true).rank(of: 1001) == .administrator)
  }
}
