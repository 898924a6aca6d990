// SPDX-License-Identifier: Apache-2.0
//
// The one buffer that all connections receive into: what they keep, they keep for themselves.

import HostRuntime
import Varlink

/// Room for what arrives at once.
@Loop
final class ReceiveBuffer {
  static let shared = ReceiveBuffer()
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// Takes what has arrived, at most one buffer of it, into a session.
  func receive(from socket: StreamSocket, into session: inout ServerSession) -> StreamSocket.Transfer {
    let transfer = socket.receive(into: bytes)
    if case .bytes(let count) = transfer { session.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    return transfer
  }
}
