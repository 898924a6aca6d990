// SPDX-License-Identifier: Apache-2.0
//
// The daemon's two listening sockets: handed over by the service manager by name, or made here.

import ConsentInterface
import HostRuntime

/// Finds or makes the sockets.
enum Sockets {
  /// One listening socket for each role: all handed over, or all our own below `directory`.
  static func open(below directory: String) throws(Fault) -> [SocketRole: ListeningSocket] {
    let inherited: [String: Descriptor]
    do {
      inherited = try SocketActivation.listeners()
    } catch {
      throw Fault(code: 71, message: "\(error)")
    }
    var sockets: [SocketRole: ListeningSocket] = [:]
    for role in SocketRole.allCases {
      sockets[role] = inherited.isEmpty ? try own(role, below: directory) : try handedOver(role, inherited)
    }
    return sockets
  }

  private static func handedOver(
    _ role: SocketRole, _ inherited: [String: Descriptor]
  ) throws(Fault) -> ListeningSocket {
    guard inherited.count == SocketRole.allCases.count, let descriptor = inherited[role.rawValue] else {
      let names = inherited.keys.sorted().joined(separator: ", ")
      throw Fault(
        code: 71, message: "handed over: \(names); needed: apps and guardians (FileDescriptorName= of the socket units)"
      )
    }
    do {
      return try ListeningSocket(inherited: descriptor)
    } catch {
      throw .system(error)
    }
  }

  private static func own(_ role: SocketRole, below directory: String) throws(Fault) -> ListeningSocket {
    do {
      return try ListeningSocket(path: "\(directory)/\(role.fileName)")
    } catch {
      throw Fault(code: 71, message: "\(error)")
    }
  }
}
