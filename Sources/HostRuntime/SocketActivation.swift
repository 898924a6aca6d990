// SPDX-License-Identifier: Apache-2.0
//
// Sockets handed over by the service manager (sd_listen_fds(3)). Only listening Unix stream sockets are taken, each by
// the name its unit gives it (FileDescriptorName=). A connected socket, or a pipe on standard input, has no peer whose
// uid the kernel vouches for: such a way of being started is refused with a sentence, never served.

internal import CSystemd
internal import Glibc

/// Why handed-over sockets are refused.
package enum ActivationError: Error, Equatable, CustomStringConvertible {
  /// `$SYSTEMD_VARLINK_LISTEN` asks to serve something that is not handed over by name.
  case varlinkListen
  /// What has this name is not a listening Unix stream socket.
  case notListening(name: String)
  /// Two sockets have this name.
  case duplicate(name: String)
  case system(SystemError)

  package var description: String {
    switch self {
    case .varlinkListen: "SYSTEMD_VARLINK_LISTEN is set: only listening sockets handed over by name are served"
    case .notListening(let name): "the socket \"\(PrintableText.escaping(name))\" handed over is not a listening one"
    case .duplicate(let name): "two sockets named \"\(PrintableText.escaping(name))\" are handed over"
    case .system(let error): error.description
    }
  }
}

/// The sockets the service manager hands over.
package enum SocketActivation {
  /// The listening sockets handed to this process, by name; none where they were meant for another process.
  ///
  /// To be asked once, before other threads start: the variables are taken out of the environment.
  package static func listeners() throws(ActivationError) -> [String: Descriptor] {
    guard getenv("SYSTEMD_VARLINK_LISTEN") == nil else { throw .varlinkListen }
    var found: [String: Descriptor] = [:]
    var refusal: ActivationError?
    for (name, descriptor) in try handedOver() {
      if sd_is_socket_unix(descriptor.number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) <= 0 {
        refusal = refusal ?? .notListening(name: name)
      } else if found.updateValue(descriptor, forKey: name) != nil {
        refusal = refusal ?? .duplicate(name: name)
      }
    }
    if let refusal { throw refusal }
    return found
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
