// SPDX-License-Identifier: Apache-2.0
//
// What becomes of whoever takes more than its share: always the least that protects the others, and never silence
// where a word is possible.

import ConsentInterface
import ConsentModel
import HostRuntime
import Varlink

extension Server {
  /// Makes room for one more connection of a user; the limit it meets where there is none.
  func makeRoom(for account: Account) -> Limit? {
    guard ledger.takeCall(of: account, at: now) else { return .calls }
    if !ledger.hasRoomForConnection(of: account) {
      // Somebody who has to set things right gets in, at the cost of what the same user left lying about.
      guard account.rank == .administrator, closeLongestIdle(of: account) else { return .connections }
    }
    return !ledger.isTableFull(for: account) || closeLongestIdle() ? nil : .connections
  }

  /// Closes the longest idle connection of the user who has the most connections, or of `account`; `false` where every
  /// connection has a call in progress.
  private func closeLongestIdle(of account: Account? = nil) -> Bool {
    var worst: Connection?
    for connection in connections.values where connection.isIdle {
      if let account, connection.charge.account !== account { continue }
      guard let known = worst else {
        worst = connection
        continue
      }
      let (held, most) = (connection.charge.account.held.connections, known.charge.account.held.connections)
      if held > most || (held == most && connection.usedAt < known.usedAt) { worst = connection }
    }
    guard let worst else { return false }
    note(.idle, of: worst.charge.account)
    worst.close()
    return true
  }

  /// Carries out a call, or says why not.
  func serve(_ exchange: Exchange, on connection: Connection) {
    if let refusal = connection.refusal {
      connection.place.dispatcher.refuse(exchange, refusal)
      return connection.closeWhenSent()
    }
    guard ledger.takeCall(of: connection.charge.account, at: now) else {
      note(.calls, of: connection.charge.account)
      connection.place.dispatcher.refuse(exchange, .calls)
      return connection.throttle()
    }
    connection.place.dispatcher.serve(exchange)
  }

  /// Lets one more call wait; `false` where too many do.
  func beginWaiting(_ charge: Charge) -> Bool {
    guard ledger.hasRoomForWait(of: charge.account) else { return false }
    charge.hold { $0.waiting = 1 }
    return true
  }

  /// Whether a user has had more than it may, so that nothing is read from it for now.
  func isInDebt(_ account: Account) -> Bool { ledger.callsLeft(of: account, at: now) < 0 }

  /// Bytes went over a user's connection.
  func spend(bytes: Int, of account: Account) { ledger.spend(bytes: bytes, of: account) }

  /// Whether what a connection has queued may stay: not where its user has too much, nor where everybody has and this
  /// is the connection that holds the most. Another that does is closed.
  func maySpare(_ connection: Connection) -> Bool {
    let account = connection.charge.account
    guard connection.charge.held.queuedBytes > 0 else { return true }
    if ledger.isOverweight(account) {
      note(.queuedBytes, of: account)
      return false
    }
    guard ledger.isOverweight else { return true }
    let heaviest = connections.values.max { $0.charge.held.queuedBytes < $1.charge.held.queuedBytes } ?? connection
    note(.queuedBytes, of: heaviest.charge.account)
    guard heaviest !== connection else { return false }
    heaviest.close()
    return true
  }
}

extension Limit {
  /// What the caller is told who met it at a connection or a call.
  fileprivate var unavailability: Unavailability { self == .calls ? .tooManyCalls : .tooManyConnections }
}

extension Dispatcher {
  /// Answers a call that met a limit: as its own interface says it, or as the socket's first.
  func refuse(_ exchange: Exchange, _ limit: Limit) {
    exchange.finish(
      Refusal.notAvailable(reason: limit.unavailability, retryable: true).reply(on: interface(of: exchange.call)))
  }
}

extension Authority {
  /// How much a user is allowed.
  func rank(of uid: UserID) -> Rank {
    isAdministrator(uid) ? .administrator : apps.isService(uid) ? .service : .user
  }
}
