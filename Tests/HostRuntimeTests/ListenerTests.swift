// SPDX-License-Identifier: Apache-2.0
//
// Accepting: in bounded batches, from anybody, and whatever goes wrong with one connection or with the machine.

import Glibc
import TestSupport
import Testing

@testable import HostRuntime

@Suite(.timeLimit(.minutes(1)))
struct ListenerTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("socket") }

  init() throws {
    directory = try TemporaryDirectory()
    try LoopFixture.start()
  }

  @Test @Loop func `each connection arrives with who made it`() async throws {
    let arrivals = Mailbox<Listener.Arrival>()
    let listener = try Listener(try ListeningSocket(path: path)) { arrivals.post($0) }
    let client = try StreamSocket.connect(path: path)
    guard case .connected(let served, let peer) = await arrivals.next() else {
      Issue.record("refused")
      return
    }
    #expect(peer.uid == geteuid())
    served.send("welcome")
    #expect(client.receiveText() == "welcome")
    #expect(fcntl(served.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    listener.close()
  }

  @Test @Loop func `a flood of connections leaves room for a job after each batch`() async throws {
    let socket = try ListeningSocket(path: path)
    let clients = try (0..<200).map { _ in try StreamSocket.connect(path: path) }
    let taken = Counter()
    let done = Mailbox<Bool>()
    let jobSaw = Counter()
    let listener = try Listener(socket) { _ in
      taken.count += 1
      if taken.count == 1 { Task { @Loop in jobSaw.count = taken.count } }
      if taken.count == 200 { done.post(true) }
    }
    #expect(await done.next())
    #expect(jobSaw.count == Listener.acceptsPerTurn)
    listener.close()
    withExtendedLifetime(clients) {}
  }

  @Test @Loop func `a closed listener is gone, with its path`() async throws {
    let listener = try Listener(try ListeningSocket(path: path)) { _ in }
    listener.close()
    #expect(throws: SystemError(call: "connect \(path)", errno: ENOENT)) { try StreamSocket.connect(path: path) }
  }

  @Test @Loop func `a closed listener keeps nothing that its handler held`() throws {
    weak var held: Counter?
    let listener: Listener
    do {
      let calls = Counter()
      held = calls
      listener = try Listener(try ListeningSocket(path: path)) { _ in calls.count += 1 }
    }
    #expect(held != nil)
    listener.close()
    #expect(held == nil)
  }

  @Test @Loop func `a listener closed by its own handler takes no more of the batch`() async throws {
    let socket = try ListeningSocket(path: path)
    let clients = try (0..<3).map { _ in try StreamSocket.connect(path: path) }
    let arrivals = Mailbox<Int>()
    var listener: Listener?
    listener = try Listener(socket) { _ in
      arrivals.post(1)
      listener?.close()
    }
    _ = await arrivals.next()
    await Task.yield()
    #expect(arrivals.isEmpty)
    withExtendedLifetime(clients) {}
  }

  @Test @Loop func `a peer that cannot be identified is refused`() async throws {
    let (listening, client) = try loopbackConnection()
    let arrivals = Mailbox<Listener.Arrival>()
    let listener = try Listener(ListeningSocket(inherited: listening)) { arrivals.post($0) }
    guard case .refused(let reason) = await arrivals.next() else {
      Issue.record("a peer without a uid was let in")
      return
    }
    #expect(reason.call == "getsockopt SO_PEERCRED")
    client.awaitReadable()
    #expect(client.receiveOutcome() == .ended)
    listener.close()
  }

  @Test func `without descriptors the newest are refused, and the others are served on`() async throws {
    await #expect(processExitsWith: .success) { [path = path as String] in
      finish(passing: try Loop.run { try await servesOnWithoutDescriptors(path: path) })
    }
  }

  @Test func `a machine that can take no connection at all is tried again later`() async throws {
    await #expect(processExitsWith: .success) { [path = path as String] in
      finish(passing: try Loop.run { try await recoversFromNothing(path: path) })
    }
  }
}

/// A TCP listener of this machine's own, and a client that has connected to it.
private func loopbackConnection() throws -> (Descriptor, StreamSocket) {
  let listening = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
  let client = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  try withUnsafeMutablePointer(to: &address) { pointer in
    try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      try #require(bind(listening.number, address, size) == 0)
      try #require(listen(listening.number, 1) == 0)
      try #require(getsockname(listening.number, address, &size) == 0)
      try #require(connect(client.number, address, size) == 0)
    }
  }
  return (listening, StreamSocket(client))
}

/// One client is served, the descriptors run out, two more are refused, the first is served on; with descriptors again,
/// a fourth is served.
@Loop
private func servesOnWithoutDescriptors(path: String) async throws -> Bool {
  try await settleDispatch()
  let arrivals = Mailbox<Listener.Arrival>()
  let listener = try Listener(try ListeningSocket(path: path)) { arrivals.post($0) }
  defer { listener.close() }
  let first = try StreamSocket.connect(path: path)
  guard case .connected(let served, _) = await arrivals.next() else { return false }

  let late = [try StreamSocket.connect(path: path), try StreamSocket.connect(path: path)]
  let allowed = limitOpenFiles(to: lowestFreeNumber())
  for client in late {
    guard case .refused(let reason) = await arrivals.next(), reason.errno == EMFILE else { return false }
    guard client.receiveOutcome() == .ended else { return false }
  }
  served.send("still here")
  guard first.receiveText() == "still here" else { return false }

  limitOpenFiles(to: allowed)
  let last = try StreamSocket.connect(path: path)
  guard case .connected(let again, _) = await arrivals.next() else { return false }
  again.send("welcome")
  return last.receiveText() == "welcome"
}

/// Not even the reserve helps; the listener holds off, and serves the waiting client when descriptors are back.
@Loop
private func recoversFromNothing(path: String) async throws -> Bool {
  try await settleDispatch()
  let arrivals = Mailbox<Listener.Arrival>()
  let listener = try Listener(try ListeningSocket(path: path)) { arrivals.post($0) }
  defer { listener.close() }
  let client = try StreamSocket.connect(path: path)
  let allowed = limitOpenFiles(to: 0)
  guard case .refused(let reason) = await arrivals.next(), reason.errno == EMFILE else { return false }
  for _ in 0..<100 { await Task.yield() }
  guard arrivals.isEmpty else { return false }

  limitOpenFiles(to: allowed)
  guard case .connected(let served, _) = await arrivals.next() else { return false }
  served.send("welcome")
  return client.receiveText() == "welcome"
}

/// Has libdispatch, on which the runtime's timers stand, take its descriptors: it stops the process when it wants one
/// and there is none.
private func settleDispatch() async throws {
  try await Task.sleep(for: .nanoseconds(1))
}

/// The number the next descriptor would get.
private func lowestFreeNumber() -> UInt {
  UInt(Descriptor(owning: dup(0)).number)
}
