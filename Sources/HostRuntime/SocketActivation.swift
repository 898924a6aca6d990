// SPDX-License-Identifier: Apache-2.0
//
// Descriptors handed over by the service manager (sd_listen_fds(3)): the sockets of the service's socket units, each by
// the name its unit gives it (FileDescriptorName=), and whatever an earlier process of the service left in the manager's
// keeping. Only listening Unix stream sockets are told apart here. A pipe on standard input has no peer whose uid the
// kernel vouches for: such a way of being started is refused with a sentence, never served.

internal import CSystemd
internal import Glibc

/// Why handed-over sockets are refused.
package enum ActivationError: Error, Equatable, CustomStringConvertible {
  /// `$SYSTEMD_VARLINK_LISTEN` asks to serve something that is not handed over by name.
  case varlinkListen
  /// Two sockets have this name.
  case duplicate(name: String)
  case system(SystemError)

  package var description: String {
    switch self {
    case .varlinkListen: "SYSTEMD_VARLINK_LISTEN is set: only listening sockets handed over by name are served"
    case .duplicate(let name): "two sockets named \"\(PrintableText.escaping(name))\" are handed over"
    case .system(let error): error.description
    }
  }
}

/// What the service manager hands over.
package struct HandedDescriptors: Sendable {
  /// The listening Unix stream sockets, by name.
  package fileprivate(set) var listeners: [String: Descriptor] = [:]
  /// Everything else, with its name, which may stand there more than once.
  package fileprivate(set) var others: [(name: String, descriptor: Descriptor)] = []

  /// Whether nothing is handed over.
  package var isEmpty: Bool { listeners.isEmpty && others.isEmpty }
}

/// Asks for what the service manager hands over.
package enum SocketActivation {
  /// What is handed to this process; nothing where it was meant for another.
  ///
  /// To be asked once, before other threads start: the variables are taken out of the environment.
  package static func descriptors() throws(ActivationError) -> HandedDescriptors {
    guard getenv("SYSTEMD_VARLINK_LISTEN") == nil else { throw .varlinkListen }
    var handed = HandedDescriptors()
    var refusal: ActivationError?
    for (name, descriptor) in try handedOver() {
      if sd_is_socket_unix(descriptor.number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) <= 0 {
        handed.others.append((name, descriptor))
      } else if handed.listeners.updateValue(descriptor, forKey: name) != nil {
        refusal = refusal ?? .duplicate(name: name)
      }
    }
    if let refusal { throw refusal }
    return handed
  }

  private static func handedOver() throws(ActivationError) -> [(name: String, descriptor: Descriptor)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count >= 0 else { throw .system(SystemError(call: "sd_listen_fds_with_names", errno: -count)) }
    guard let names else { return [] }
    defer { free(names) }
    return (0..<Int(count)).map { index in
      defer { free(names[index]) }
      let name = names[index].map { String(cString: $0) } ?? ""
      return (name, Descriptor(owning: SD_LISTEN_FDS_START + Int32(index)))
    }
  }
}
