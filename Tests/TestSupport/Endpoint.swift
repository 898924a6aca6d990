// SPDX-License-Identifier: Apache-2.0
//
// One end of a socket that a test holds. Everything waits with a deadline and nothing else: no thread, no
// sleep. Descriptors are close-on-exec, so that no spawned program inherits the connection of another test.

internal import Glibc

/// A descriptor the test owns, non-blocking, read and written under a deadline.
package final class Endpoint {
  let descriptor: Int32
  private var isClosed = false

  /// Takes over `descriptor`, which is closed at the latest with this object.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close() }

  /// Connects to the Unix stream socket at `path`. Throws what `connect(2)` said.
  package convenience init(connectingTo path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure(call: "socket", errno: errno) }
    let outcome = try withSocketAddress(path) { connect(descriptor, $0, $1) }
    guard outcome == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw TestFailure(call: "connect to \(path)", errno: code)
    }
    self.init(owning: descriptor)
  }

  /// Whether bytes, or the end of the stream, are there to be read at this instant.
  package var isReadable: Bool { ready(POLLIN, within: 0) }

  /// The next bytes; empty at the end of the stream. Throws when the deadline passes first.
  package func read(before deadline: Deadline = Deadline()) throws -> [UInt8] {
    guard ready(POLLIN, within: deadline.milliseconds) else { throw TestFailure("nothing to read before the deadline") }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0 {
      // The kernel throws away what a peer sent when that peer closed with our bytes unread.
      if errno == ECONNRESET { return [] }
      throw TestFailure(call: "read", errno: errno)
    }
    return Array(bytes.prefix(count))
  }

  /// Writes every byte. Returns false where the peer has closed; throws when the deadline passes first.
  @discardableResult
  package func write(_ bytes: [UInt8], before deadline: Deadline = Deadline()) throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard ready(POLLOUT, within: deadline.milliseconds) else { throw TestFailure("the peer reads nothing") }
      let count = writeSome(rest)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE || errno == ECONNRESET {
        return false
      } else if errno != EAGAIN {
        throw TestFailure(call: "write", errno: errno)
      }
    }
    return true
  }

  /// Writes what the kernel takes at this instant and returns how many bytes that was: fewer than given where the
  /// peer does not read, none where it has closed.
  package func writeWithoutWaiting(_ bytes: [UInt8]) -> Int { max(0, writeSome(bytes[...])) }

  /// Half-close: the peer sees the end of the stream and may still answer.
  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the descriptor. Closing twice is no error.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    Glibc.close(descriptor)
  }

  /// Waits until one of `endpoints` is readable, and gives its place.
  static func firstReadable(of endpoints: [Endpoint], before deadline: Deadline) throws -> Int {
    var entries = endpoints.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    poll(&entries, nfds_t(entries.count), deadline.milliseconds)
    guard let place = entries.firstIndex(where: { $0.revents != 0 }) else { throw TestFailure("nobody says anything") }
    return place
  }

  private func ready(_ events: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  private func writeSome(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { buffer in
      send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    }
  }
}

/// Calls `body` with the address of the Unix socket at `path`, which has to be short enough for one.
func withSocketAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
) throws -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let name = Array(path.utf8)
  guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw TestFailure("\(path) is too long") }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
  return try withUnsafePointer(to: &address) { pointer in
    try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
