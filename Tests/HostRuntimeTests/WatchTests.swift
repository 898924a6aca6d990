// SPDX-License-Identifier: Apache-2.0
//
// Watches on real sockets: what is reported, and above all what is not.

import Glibc
import HostRuntime
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WatchTests {
  init() throws { try LoopFixture.start() }

  @Test @Loop func `bytes make a socket readable`() async throws {
    let (near, far) = try StreamSocket.pair()
    let events = Mailbox<Watch.Readiness>()
    let watch = try Watch(near.descriptor, interest: .readable) { events.post(drained(near, $0)) }
    far.send("hello")
    #expect(await events.next() == .readable)
    watch.cancel()
  }

  @Test @Loop func `room makes a socket writable, but only for who wants to write`() async throws {
    let (near, far) = try StreamSocket.pair()
    let events = Mailbox<Watch.Readiness>()
    let watch = try Watch(near.descriptor, interest: .readable) { events.post(drained(near, $0)) }
    far.send("1")
    #expect(await events.next() == .readable)
    watch.interest = .writable
    #expect(await events.next() == .writable)
    watch.cancel()
  }

  @Test @Loop func `a peer that has finished sending is told from one that is gone`() async throws {
    let (near, far) = try StreamSocket.pair()
    let events = Mailbox<Watch.Readiness>()
    var watch: Watch?
    watch = try Watch(near.descriptor, interest: .readable) { readiness in
      events.post(readiness)
      watch?.interest = []
    }
    far.finishSending()
    #expect(await events.next() == [.readable, .peerFinished])
    #expect(near.receiveOutcome() == .ended)
    #expect(near.send("still heard") == .bytes(11))
    #expect(far.receiveText() == "still heard")
    watch?.cancel()
  }

  @Test @Loop func `a hang-up is reported to who wants nothing`() async throws {
    let events = Mailbox<Watch.Readiness>()
    var watch: Watch?
    do {
      let (near, far) = try StreamSocket.pair()
      watch = try Watch(near.descriptor, interest: []) { readiness in
        watch?.cancel()
        events.post(readiness)
      }
      withExtendedLifetime(far) {}
    }
    #expect(await events.next() == .hangUp)
  }

  @Test @Loop func `a half-closed peer costs nothing once reading is unwanted`() async throws {
    let (near, far) = try StreamSocket.pair()
    let calls = Counter()
    let watch = try Watch(near.descriptor, interest: .readable) { _ in calls.count += 1 }
    far.finishSending()
    try await exchangeMessages(rounds: 20)
    #expect(calls.count >= 20, "readiness is level-triggered: wanting it still would spin")
    watch.interest = []
    let before = calls.count
    try await exchangeMessages(rounds: 20)
    #expect(calls.count == before)
    watch.cancel()
  }

  @Test @Loop func `a watch cancelled by another's handler is not called for the same batch`() async throws {
    let sockets = try (0..<2).map { _ in try StreamSocket.pair() }
    let calls = Mailbox<Int>()
    let watches = WatchList()
    for index in 0..<2 {
      try watches.add(sockets[index].0) {
        watches.cancelAll()
        calls.post(index)
      }
    }
    for (_, far) in sockets { far.send("!") }
    _ = await calls.next()
    try await exchangeMessages(rounds: 3)
    #expect(calls.isEmpty)
  }

  @Test func `what was reported for a closed descriptor never reaches the next owner of its number`() async {
    await #expect(processExitsWith: .success) {
      let calls = try Loop.run { () -> Int? in
        let trap = try ReuseTrap()
        try await exchangeMessages(rounds: 3)
        return trap.callsOfNewOwner
      }
      finish(passing: calls == 0)
    }
  }

  @Test @Loop func `readiness unwanted by another's handler is not reported from the same batch`() async throws {
    let sockets = try (0..<2).map { _ in try StreamSocket.pair() }
    let calls = Counter()
    let watches = WatchList()
    for (near, _) in sockets {
      try watches.add(near) {
        calls.count += 1
        watches.wantNothing()
      }
    }
    for (_, far) in sockets { far.send("!") }
    try await exchangeMessages(rounds: 3)
    #expect(calls.count == 1)
    watches.cancelAll()
  }

  @Test @Loop func `a watch that is let go is not called, and keeps neither handler nor descriptor`() async throws {
    let (near, far) = try StreamSocket.pair()
    weak var held: Counter?
    do {
      let calls = Counter()
      held = calls
      let watch = try Watch(near.descriptor, interest: .readable) { _ in calls.count += 1 }
      #expect(held != nil)
      _ = watch
    }
    far.send("!")
    try await exchangeMessages(rounds: 3)
    #expect(held == nil)
  }

  @Test @Loop func `a handler may let its own watch go`() async throws {
    let (near, far) = try StreamSocket.pair()
    let calls = Mailbox<Int>()
    var watch: Watch?
    watch = try Watch(near.descriptor, interest: .readable) { _ in
      watch = nil
      calls.post(1)
    }
    far.send("!")
    #expect(await calls.next() == 1)
    #expect(watch == nil)
  }

  @Test @Loop func `cancelling twice is cancelling once`() throws {
    let (near, _) = try StreamSocket.pair()
    let watch = try Watch(near.descriptor, interest: .readable) { _ in }
    watch.cancel()
    watch.cancel()
    watch.interest = .writable
    let again = try Watch(near.descriptor, interest: .readable) { _ in }
    again.cancel()
  }

  @Test @Loop func `what cannot be waited for is refused`() throws {
    let directory = try TemporaryDirectory()
    let file = Descriptor(owning: open(directory.file("file"), O_RDWR | O_CREAT, 0o600))
    #expect(throws: SystemError(call: "epoll_ctl", errno: EPERM)) {
      try Watch(file, interest: .readable) { _ in }
    }
  }

  @Test @Loop func `one descriptor has one watch`() throws {
    let (near, _) = try StreamSocket.pair()
    let watch = try Watch(near.descriptor, interest: .readable) { _ in }
    #expect(throws: SystemError(call: "epoll_ctl", errno: EEXIST)) {
      try Watch(near.descriptor, interest: .readable) { _ in }
    }
    watch.cancel()
  }

  @Test func `ten thousand readable sockets are served in well under two seconds`() async {
    await #expect(processExitsWith: .success) {
      let count = openFilesAllowed(20_100) ? 10_000 : 400
      let usec = try Loop.run { try await microsecondsToServe(count) }
      finish(passing: usec < 2_000_000)
    }
  }
}

/// Takes what is there to read, and passes the readiness on.
private func drained(_ socket: StreamSocket, _ readiness: Watch.Readiness) -> Watch.Readiness {
  _ = socket.receiveText()
  return readiness
}

/// Sends a byte to and fro between two sockets of the loop's, so that the loop turns at least that often.
@Loop
private func exchangeMessages(rounds: Int) async throws {
  let (near, far) = try StreamSocket.pair()
  let echoes = Mailbox<String?>()
  let watch = try Watch(near.descriptor, interest: .readable) { _ in echoes.post(near.receiveText()) }
  for _ in 0..<rounds {
    far.send("!")
    #expect(await echoes.next() == "!")
  }
  watch.cancel()
}

/// Two sockets ready in one batch: whichever is served first closes the other and gives its number to a silent socket.
@Loop
private final class ReuseTrap {
  private let silent: (StreamSocket, StreamSocket)
  private var pairs: [(near: StreamSocket, far: StreamSocket)?]
  private var watches: [Watch?] = [nil, nil]
  private var newOwner: Watch?
  /// How often the new owner of a closed socket's number was called; `nil` while there is none.
  private(set) var callsOfNewOwner: Int?

  init() throws {
    silent = try StreamSocket.pair()
    pairs = [try StreamSocket.pair(), try StreamSocket.pair()]
    for index in 0..<2 {
      guard let pair = pairs[index] else { continue }
      watches[index] = try Watch(pair.near.descriptor, interest: .readable) { [unowned self] _ in spring(index) }
      pair.far.send("!")
    }
  }

  private func spring(_ index: Int) {
    let other = 1 - index
    guard newOwner == nil, let number = pairs[other]?.near.descriptor.number else { return }
    watches[index]?.cancel()
    watches[other] = nil
    pairs[other] = nil
    guard fcntl(number, F_GETFD) < 0, dup2(silent.0.descriptor.number, number) == number else { return }
    callsOfNewOwner = 0
    newOwner = try? Watch(Descriptor(owning: number), interest: .readable) { [unowned self] _ in
      callsOfNewOwner? += 1
    }
  }
}

/// Raises the process's limit of open files; false where the system does not allow so many.
private func openFilesAllowed(_ count: UInt) -> Bool {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = count
  limit.rlim_max = max(count, limit.rlim_max)
  return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
}

/// Makes so many sockets readable at once and waits until each was served.
@Loop
private func microsecondsToServe(_ count: Int) async throws -> Int64 {
  let pairs = try (0..<count).map { _ in try StreamSocket.pair() }
  let served = Mailbox<Int64>()
  let watches = WatchList()
  let calls = Counter()
  for (near, far) in pairs {
    try watches.add(near) {
      _ = near.receiveText()
      calls.count += 1
      if calls.count == count { served.post(HostClock.bootUSec()) }
    }
    far.send("!")
  }
  let start = HostClock.bootUSec()
  return await served.next() - start
}
