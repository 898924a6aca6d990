// SPDX-License-Identifier: Apache-2.0
//
// One end of a connected Unix stream socket: bytes in, bytes out, never waiting. It keeps no buffer, and it takes no
// descriptors: the kernel drops those that come along with bytes received here.
//
// What passes by itself (a signal in between, no memory for a buffer just now) reads as `wouldBlock`: the loop's
// readiness is level-triggered and comes again.

internal import CLinux
internal import CSystemd
internal import Glibc

/// A connected stream socket in non-blocking mode.
package struct StreamSocket: Sendable {
  /// What came of a transfer.
  package enum Transfer: Equatable, Sendable {
    /// So many bytes, at least one, went over.
    case bytes(Int)
    /// Not now; wait until the socket is ready.
    case wouldBlock
    /// The peer has sent all it will ever send (receiving only).
    case ended
    /// The connection is no more: an errno, `EPIPE` and `ECONNRESET` for a peer that left.
    case failed(Int32)
  }

  package let descriptor: Descriptor

  /// Wraps a connected socket that is in non-blocking mode.
  package init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Takes over a connected socket of an earlier process. Throws `ENOTSOCK` for anything else.
  package init(inherited descriptor: Descriptor) throws(SystemError) {
    guard sd_is_socket_unix(descriptor.number, Int32(SOCK_STREAM.rawValue), 0, nil, 0) > 0 else {
      throw SystemError(call: "sd_is_socket_unix", errno: ENOTSOCK)
    }
    try SystemError.check(fcntl(descriptor.number, F_SETFL, O_NONBLOCK), "fcntl O_NONBLOCK")
    self.init(descriptor)
  }

  /// The seconds a connect waits for a place in a listener's full queue.
  private static let connectPatience = 5

  /// Connects to whoever listens at `path`; waits at most five seconds, then throws `EAGAIN`.
  package static func connect(path: String) throws(SystemError) -> StreamSocket {
    let address = try UnixAddress(path: path)
    let number = linux_stream_socket(0)
    let descriptor = try Descriptor(opening: number, "socket")
    var patience = timeval(tv_sec: connectPatience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    try SystemError.check(setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, size), "setsockopt SO_SNDTIMEO")
    try address.connect(descriptor)
    try SystemError.check(fcntl(number, F_SETFL, O_NONBLOCK), "fcntl O_NONBLOCK")
    return StreamSocket(descriptor)
  }

  /// Receives into `buffer`, which must have room for at least a byte.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    let count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
    return count == 0 ? .ended : Self.outcome(of: count)
  }

  /// Sends as much of `bytes` as the kernel takes now. A peer that left raises no signal.
  package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    Self.outcome(of: Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
  }

  private static func outcome(of count: Int) -> Transfer {
    guard count < 0 else { return .bytes(count) }
    switch errno {
    case EAGAIN, EINTR, ENOBUFS, ENOMEM: return .wouldBlock
    case let failure: return .failed(failure)
    }
  }
}
