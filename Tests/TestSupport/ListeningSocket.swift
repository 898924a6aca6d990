// SPDX-License-Identifier: Apache-2.0
//
// A socket as the service manager makes it before a daemon starts and hands over to it.

internal import Glibc

/// A Unix stream socket that listens at a path, or, to try what a daemon must refuse, only is bound to it.
package final class ListeningSocket: Sendable {
  package let path: String
  package let descriptor: Int32

  /// Binds a socket at `path`, which any user may connect to, and listens unless told not to.
  package init(path: String, listens: Bool = true) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure(call: "socket", errno: errno) }
    let descriptor = descriptor
    guard try withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
      throw TestFailure(call: "bind \(path)", errno: errno)
    }
    chmod(path, 0o666)
    if listens && listen(descriptor, 128) != 0 { throw TestFailure(call: "listen", errno: errno) }
  }

  deinit { close(descriptor) }
}
