// SPDX-License-Identifier: Apache-2.0
//
// A path as the kernel wants it for a Unix socket. A path that does not fit, or would be cut at a NUL, is refused here
// and never shortened.

internal import Glibc

/// The address of a Unix socket in the file system.
struct UnixAddress {
  let path: String
  private var address: sockaddr_un
  private var length = socklen_t(MemoryLayout<sockaddr_un>.size)

  /// Makes the address; `ENAMETOOLONG` beyond 107 bytes, `EINVAL` for an empty path or one that holds a NUL.
  init(path: String) throws(SystemError) {
    self.path = path
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else { throw SystemError(call: "socket \(path)", errno: EINVAL) }
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw SystemError(call: "socket \(path)", errno: ENAMETOOLONG) }
  }

  /// The address in `$NOTIFY_SOCKET`: a path, or after an `@` a name outside the file system.
  init(notify text: String) throws(SystemError) {
    try self.init(path: text)
    guard text.hasPrefix("@") else { return }
    address.sun_path.0 = 0
    length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + socklen_t(text.utf8.count)
  }

  /// Gives the address to a socket of ours; makes the file.
  func bind(_ socket: Descriptor) throws(SystemError) {
    try SystemError.check(withPointer { Glibc.bind(socket.number, $0, $1) }, "bind \(path)")
  }

  /// Connects a socket of ours to whoever listens there.
  func connect(_ socket: Descriptor) throws(SystemError) {
    try SystemError.check(withPointer { Glibc.connect(socket.number, $0, $1) }, "connect \(path)")
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
