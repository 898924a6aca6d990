// SPDX-License-Identifier: Apache-2.0
//
// Looks after the connections that wait for something that no byte announces: a peer's deadline, room for a user's next
// call, the next turn. None needs precision, so each kind shares one timer that runs only while somebody waits.

import ConsentModel
import HostRuntime

/// The peers that owe something, looked at once a second.
@Loop
final class Patience {
  private static let pauseUSec: Int64 = 1_000_000

  private let now: () -> Int64
  private var owing: [ObjectIdentifier: Connection] = [:]
  private var timer: Timer?

  init(now: @escaping () -> Int64) throws(SystemError) {
    self.now = now
    timer = try Timer(.boot) { [weak self] in self?.look() }
  }

  /// Notes when a connection's peer has to have done what it owes.
  func deadlineChanged(of connection: Connection) {
    let wasEmpty = owing.isEmpty
    owing[ObjectIdentifier(connection)] = connection.deadline == nil ? nil : connection
    if wasEmpty, !owing.isEmpty { arm() }
  }

  /// Ends the connections whose peer's time is up.
  func look() {
    let instant = now()
    for connection in Array(owing.values) { connection.expire(at: instant) }
    if !owing.isEmpty { arm() }
  }

  private func arm() { timer?.arm(at: HostClock.bootUSec() + Self.pauseUSec) }
}

/// The connections whose calls others' turn keeps waiting.
@Loop
final class Turns {
  private var waiting: [Connection] = []
  private var timer: Timer?

  init() throws(SystemError) {
    timer = try Timer(.boot) { [weak self] in self?.begin() }
  }

  /// Lets a connection go on when everybody else has had a turn.
  func add(_ connection: Connection) {
    if waiting.isEmpty { timer?.arm(at: 0) }
    waiting.append(connection)
  }

  private func begin() {
    let due = waiting
    waiting = []
    for connection in due { connection.resume() }
  }
}

/// The connections that are not read because their user called too often, each user's in the order they came to it.
@Loop
final class Throttle {
  private static let pauseUSec: Int64 = 20_000

  private let callsLeft: (Account) -> Int
  private var queues: [UserID: [Connection]] = [:]
  private var timer: Timer?

  init(callsLeft: @escaping (Account) -> Int) throws(SystemError) {
    self.callsLeft = callsLeft
    timer = try Timer(.boot) { [weak self] in self?.look() }
  }

  /// Holds a connection back until its user may call again.
  func add(_ connection: Connection) {
    if queues.isEmpty { arm() }
    queues[connection.peer.uid, default: []].append(connection)
  }

  /// Resumes of each user as many connections as it may make calls now.
  private func look() {
    var due: [Connection] = []
    for (user, queue) in queues {
      let waiting = queue.filter(\.isOpen)
      let count = min(max(waiting.first.map { callsLeft($0.charge.account) } ?? 0, 0), waiting.count)
      due += waiting[..<count]
      queues[user] = count == waiting.count ? nil : Array(waiting[count...])
    }
    if !queues.isEmpty { arm() }
    for connection in due { connection.resume() }
  }

  private func arm() { timer?.arm(at: HostClock.bootUSec() + Self.pauseUSec) }
}
