// SPDX-License-Identifier: Apache-2.0
//
// As much of a Unix stream socket as the certification needs. Calls wait; the server polls before it calls.

import Glibc

/// A system call that failed.
struct SystemFailure: Error {
  let call: String
  let number: Int32

  /// The failure that `errno` tells of.
  init(_ call: String) {
    self.call = call
    number = errno
  }
}

/// An open socket, closed when nothing refers to it any more.
final class UnixSocket {
  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  convenience init(listeningOn path: String) throws {
    try self.init(path: path, bind)
    guard listen(descriptor, 16) == 0 else { throw SystemFailure("listen") }
  }

  convenience init(connectedTo path: String) throws {
    try self.init(path: path, connect)
  }

  /// Makes a socket and gives it the address `path` by `bind` or `connect`.
  private convenience init(
    path: String, _ attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws {
    self.init(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { target in
      target.copyBytes(from: path.utf8.prefix(target.count - 1))
      return path.utf8.count < target.count
    }
    let attached = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        attach(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard fits, attached == 0 else { throw SystemFailure("bind or connect \(path)") }
  }

  /// The next connection to a listening socket.
  func accept() throws -> UnixSocket {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { throw SystemFailure("accept") }
    return UnixSocket(accepted)
  }

  /// Some bytes; none when the peer sends no more.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw SystemFailure("recv") }
    return Array(buffer.prefix(count))
  }

  /// Sends what the socket takes, and says how much that was: none, where the socket is full and this must not wait.
  func send(_ bytes: UnsafeRawBufferPointer, waits: Bool) throws -> Int {
    guard !bytes.isEmpty else { return 0 }
    let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
    let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    if count < 0, errno == EAGAIN { return 0 }
    guard count >= 0 else { throw SystemFailure("send") }
    return count
  }
}
