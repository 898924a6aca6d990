// SPDX-License-Identifier: Apache-2.0
//
// The service manager's side of sd_notify(3), held by a test: a datagram socket that keeps everything a daemon says
// about itself, in order. A thread of its own reads it at all times, as a service manager does: sd_notify waits for
// room, and a daemon that says much would stand still before a test that does not look. Descriptors that come along are
// kept where the test says how many, as a unit does with FileDescriptorStoreMax=, else closed.

internal import Foundation
internal import Glibc
internal import Synchronization

/// A socket for `NOTIFY_SOCKET`, and what arrived on it.
package final class NotifySocket {
  package let path: String
  private let inbox: Inbox
  /// Readable when something has arrived.
  private let bell: Endpoint
  private var read = 0
  private var isDeaf = false

  /// Binds the socket at `path`, which any user may write to.
  package init(path: String) throws {
    self.path = path
    let channel = try Channel()
    bell = Endpoint(owning: channel.near)
    let inbox = try Inbox(boundTo: path, ringing: channel.far)
    self.inbox = inbox
    Thread.detachNewThread { inbox.receive() }
  }

  deinit {
    if isDeaf { inbox.attention.unlock() }
    inbox.stop()
  }

  /// The descriptors kept for the next process, oldest first.
  package var store: DescriptorKeep { inbox.store }

  /// Reads no more from now on, but for one message at the most.
  package func stopListening() {
    isDeaf = true
    inbox.attention.lock()
  }

  /// Every assignment that has arrived, oldest first (`READY=1`, `STATUS=…`).
  package var assignments: [String] { messages.flatMap { $0 } }

  /// The same, by the datagram that they came in.
  var messages: [[String]] { inbox.messages.withLock { $0 } }

  /// Waits for the next assignment that satisfies `isAwaited`, counted from the last one waited for, and gives it.
  /// Throws when `program` ends without it or the deadline passes first.
  @discardableResult
  package func wait(
    for program: Program, before deadline: Deadline = Deadline(), until isAwaited: (String) -> Bool
  ) throws -> String {
    while true {
      if let found = next(isAwaited) { return found }
      guard try program.waitUntilReadable(bell, before: deadline) else { break }
      _ = try bell.read()
    }
    try collect()
    if let found = next(isAwaited) { return found }
    throw TestFailure("ended with \(try program.waitForExit()); it said: \(program.errors)")
  }

  /// Returns when everything that was sent by now has arrived.
  package func collect(before deadline: Deadline = Deadline()) throws {
    let mark = "MARK=\(UInt64.random(in: 0 ... .max))"
    try inbox.send(mark)
    while !assignments.contains(mark) { _ = try bell.read(before: deadline) }
    inbox.messages.withLock { $0.removeAll { $0 == [mark] } }
  }

  /// Counts everything that has arrived as waited for.
  package func forget() { read = assignments.count }

  private func next(_ isAwaited: (String) -> Bool) -> String? {
    let news = assignments.dropFirst(read)
    guard let place = news.firstIndex(where: isAwaited) else { return nil }
    read = place + 1
    return news[place]
  }
}

/// What the reading thread and the test share.
private final class Inbox: Sendable {
  let messages = Mutex<[[String]]>([])
  let store = DescriptorKeep()
  /// Held while nothing is to be read.
  let attention = NSLock()
  private let ringing: Int32
  private let socket: Int32
  private let path: String

  /// Binds the socket. A byte goes to `ringing`, which is closed in the end, whenever something has arrived.
  init(boundTo path: String, ringing: Int32) throws {
    self.path = path
    self.ringing = ringing
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let socket = socket
    guard try withSocketAddress(path, { bind(socket, $0, $1) }) == 0 else {
      throw TestFailure(call: "bind \(path)", errno: errno)
    }
    chmod(path, 0o666)
  }

  deinit {
    close(ringing)
    close(socket)
  }

  /// Reads until `stop` is called.
  func receive() {
    while let (message, descriptors) = receiveDatagram(from: socket) {
      attention.withLock {}
      let lines = message.split(separator: "\n").map(String.init)
      store.hear(lines, descriptors)
      messages.withLock { $0.append(lines) }
      Glibc.send(ringing, [1], 1, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
  }

  /// Sends to the socket itself.
  func send(_ message: String) throws {
    let socket = socket
    let bytes = Array(message.utf8)
    _ = try withSocketAddress(path) { sendto(socket, bytes, bytes.count, 0, $0, $1) }
  }

  /// Ends the reading.
  func stop() { shutdown(socket, Int32(SHUT_RDWR)) }
}
