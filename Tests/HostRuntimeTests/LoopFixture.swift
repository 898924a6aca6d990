// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the loop share: the process's one loop on a thread of its own, something to wait for, and pairs of
// connected sockets. Tests that need the process to themselves (signals, limits, the environment) run in another
// process, as exit tests, where `Loop.run` takes the thread.

import Glibc
import HostRuntime
import Testing

/// The loop all tests of this process share.
enum LoopFixture {
  /// Sees to it that the loop turns.
  static func start() throws {
    try Loop.start { fault in Issue.record(fault) }
  }
}

/// Things that happen on the loop, for a test to wait for one by one.
@Loop
final class Mailbox<Item: Sendable> {
  private var items: [Item] = []
  private var reader: CheckedContinuation<Item, Never>?

  func post(_ item: Item) {
    if let reader = self.reader.take() {
      reader.resume(returning: item)
    } else {
      items.append(item)
    }
  }

  func next() async -> Item {
    if !items.isEmpty { return items.removeFirst() }
    return await withCheckedContinuation { reader = $0 }
  }

  var isEmpty: Bool { items.isEmpty }
}

/// A number that handlers count up.
@Loop
final class Counter {
  var count = 0
}

/// Watches whose handlers know each other.
@Loop
final class WatchList {
  private var watches: [Watch] = []

  func add(_ socket: StreamSocket, handler: @escaping @Loop () -> Void) throws {
    watches.append(try Watch(socket.descriptor, interest: .readable) { _ in handler() })
  }

  func wantNothing() {
    for watch in watches { watch.interest = [] }
  }

  func cancelAll() {
    for watch in watches { watch.cancel() }
  }
}

extension StreamSocket {
  /// Two connected sockets.
  static func pair() throws -> (StreamSocket, StreamSocket) {
    var numbers: (Int32, Int32) = (-1, -1)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let result = withUnsafeMutablePointer(to: &numbers) { pointer in
      pointer.withMemoryRebound(to: Int32.self, capacity: 2) { socketpair(AF_UNIX, kind, 0, $0) }
    }
    try #require(result == 0)
    return (StreamSocket(Descriptor(owning: numbers.0)), StreamSocket(Descriptor(owning: numbers.1)))
  }

  /// Sends a short text in one piece.
  @discardableResult
  func send(_ text: String) -> Transfer {
    Array(text.utf8).withUnsafeBytes { send($0) }
  }

  /// Receives what is there, up to 1,000 bytes; `nil` where the transfer brought no bytes.
  func receiveText() -> String? {
    withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 1) { room in
      guard case .bytes(let count) = receive(into: room) else { return nil }
      return String(decoding: room.prefix(count), as: UTF8.self)
    }
  }

  /// Receives into a small buffer and tells only what came of it.
  func receiveOutcome() -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { receive(into: $0) }
  }

  /// Sends no more; what the peer sends is still received.
  func finishSending() {
    shutdown(descriptor.number, Int32(SHUT_WR))
  }

  /// Waits, outside the loop, until there is something to receive or the peer is gone.
  func awaitReadable() {
    var question = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    poll(&question, 1, 10_000)
  }
}

/// Ends an exit test's process: 0 where the condition holds.
func finish(passing condition: Bool) -> Never {
  exit(condition ? EXIT_SUCCESS : EXIT_FAILURE)
}

/// Ends an exit test's process with what `body` finds, when all that `body` made is gone again.
func finish(_ body: () throws -> Bool) rethrows -> Never {
  finish(passing: try body())
}

/// Sets how many descriptors this process may have; gives how many it might have before. For exit tests.
@discardableResult
func limitOpenFiles(to count: UInt) -> UInt {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  let before = limit.rlim_cur
  limit.rlim_cur = count
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  return before
}

/// The system error that `body` ends with, if it does.
func systemError(_ body: () throws -> Void) -> SystemError? {
  do { try body() } catch { return error as? SystemError }
  return nil
}
