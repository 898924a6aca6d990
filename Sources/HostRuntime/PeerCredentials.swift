// SPDX-License-Identifier: Apache-2.0
//
// Who is at the other end of a connection, as the kernel recorded it when it was made. The uid is the identity. There
// is no default: a peer that cannot be identified is refused, for whatever reason it cannot.
//
// Of the process the pidfd speaks, never the bare pid, which the next process may have. It is asked of the socket, which
// remembers the process for as long as it is open, each time somebody wants to know: kept, it would cost every
// connection a second descriptor. A kernel before 6.5 has none to give (ENOPROTOOPT); a peer that has ended meanwhile
// has none on some kernels (EINVAL), and a pidfd on others that says so.

internal import CLinux
internal import CSystemd
internal import Glibc

/// The identity of a connection's peer.
package struct PeerCredentials: Sendable {
  /// What is known of the peer's process.
  package enum Process: Sendable {
    /// The process, running or not.
    case held(Descriptor)
    /// It has ended and been reaped.
    case ended
    /// The kernel cannot tell (before Linux 6.5).
    case unknown
  }

  package let uid: UInt32
  package let gid: UInt32
  /// The process's number when it connected, for a log line. 0 where it lives in another namespace.
  package let pid: Int32
  private weak let socket: Descriptor?

  /// Identifies the peer of a connected Unix socket. Any error means: refuse the connection.
  package init(of socket: StreamSocket) throws(SystemError) {
    var peer = linux_peer()
    try SystemError.check(linux_peer_credentials(socket.descriptor.number, &peer), "getsockopt SO_PEERCRED")
    guard peer.uid != .max else { throw SystemError(call: "getsockopt SO_PEERCRED", errno: ENODATA) }
    uid = peer.uid
    gid = peer.gid
    pid = peer.pid
    self.socket = socket.descriptor
  }

  /// The peer's process, as the kernel holds it now. One that cannot be had counts as ended, and so does that of a
  /// connection that is closed.
  package var process: Process { socket.map(Process.init(atOtherEndOf:)) ?? .ended }

  /// The system unit the peer's process runs in; `nil` where it runs in none, has ended, or cannot be looked up.
  package func systemUnit() -> String? {
    guard pid > 0 else { return nil }
    let process = process
    var name: UnsafeMutablePointer<CChar>?
    let result = sd_pid_get_unit(pid, &name)
    defer { free(name) }
    // Only a process that still runs kept its pid from being another's while that was looked up.
    guard result >= 0, let name, !process.hasEnded else { return nil }
    return String(cString: name)
  }
}

extension PeerCredentials.Process {
  fileprivate init(atOtherEndOf socket: Descriptor) {
    let number = linux_peer_pidfd(socket.number)
    if number >= 0 {
      self = .held(Descriptor(owning: number))
    } else {
      self = errno == ENOPROTOOPT ? .unknown : .ended
    }
  }

  /// Whether the process is known to have ended.
  package var hasEnded: Bool {
    switch self {
    case .unknown: return false
    case .ended: return true
    case .held(let descriptor):
      var question = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      return poll(&question, 1, 0) != 0
    }
  }
}
