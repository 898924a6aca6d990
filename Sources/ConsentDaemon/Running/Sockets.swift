// SPDX-License-Identifier: Apache-2.0
//
// The daemon's two listening sockets: handed over by the service manager by name, or made here.

import ConsentInterface
import HostRuntime

/// Finds or makes the sockets.
enum Sockets {
  /// What the service manager hands over.
  static func handed() throws(Fault) -> HandedDescriptors {
    do {
      return try SocketActivation.descriptors()
    } catch {
      throw Fault(code: 71, message: "\(error)")
    }
  }

  /// One listening socket for each role: all handed over, or, where nothing is, all our own below `directory`.
  static func open(_ handed: HandedDescriptors, below directory: String) throws(Fault) -> [SocketRole: ListeningSocket] {
    var sockets: [SocketRole: ListeningSocket] = [:]
    for role in SocketRole.allCases {
      sockets[role] = handed.isEmpty ? try own(role, below: directory) : try handedOver(role, handed.listeners)
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
