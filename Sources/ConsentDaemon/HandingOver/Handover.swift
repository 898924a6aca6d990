// SPDX-License-Identifier: Apache-2.0
//
// What one process leaves to the next: the connections with a call under way. Their sockets go into the service manager's
// descriptor store, one by one, each under its role and its place in this list (`apps-17`); the list goes there as one
// sealed memory file named `handover`.
//
// It is made and read only by us, and still nothing in it is believed that could widen a right: who a peer is the kernel
// says of the socket. Connections without their words, and words without their connection, end.

import ConsentInterface
import Varlink

/// The connections on their way from one process to the next.
struct Handover: Equatable, Sendable {
  /// One connection without its socket.
  struct Entry: Equatable, Sendable {
    var role: SocketRole
    var remainder: ServerSession.Remainder
    /// Where the first call of the remainder has come to.
    var resumption: Resumption?
  }

  /// The name of the memory file among the descriptors.
  static let fileName = "handover"
  /// The most connections that are left to the next process: `FileDescriptorStoreMax=` of the unit is one more. The
  /// manager hands the names over in one variable, which can hold some eight thousand, and compares each descriptor it
  /// gets with all it has. Companions come first; whoever finds no place comes back by id.
  static let limit = 4_096
  /// The most that is left to the next process, in bytes. What does not fit ends here.
  static let limitBytes = 64 << 20

  /// In the order in which the next process goes on with them.
  var entries: [Entry] = []

  /// The name of a socket among the descriptors: its role and its place in `entries`.
  static func name(_ role: SocketRole, _ place: Int) -> String { "\(role.rawValue)-\(place)" }
}
