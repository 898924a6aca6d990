// SPDX-License-Identifier: Apache-2.0
//
// A daemon in miniature for the tests of socket activation, which need a process that begins with the descriptors it is
// handed. It prints what it was handed, or why it refuses it, and with the argument `serve` greets one client of each
// socket before it ends.

import Glibc
import HostRuntime

@main
enum Program {
  static func main() {
    do {
      let handed = try SocketActivation.descriptors()
      let sockets = handed.listeners
      for (name, socket) in sockets.sorted(by: { $0.key < $1.key }) { print("\(name) \(socket.number)") }
      for (name, other) in handed.others { print("\(name) \(other.number), not listening") }
      guard try SocketActivation.descriptors().isEmpty else { return print("handed over twice") }
      guard CommandLine.arguments.dropFirst().first == "serve" else { return }
      try Loop.run { try await greet(Array(sockets.values)) }
    } catch {
      print("\(error)")
      exit(EXIT_FAILURE)
    }
  }

  @Loop
  private static func greet(_ sockets: [Descriptor]) async throws {
    for socket in sockets {
      var listener: Listener?
      try await withCheckedThrowingContinuation { (greeted: CheckedContinuation<Void, any Error>) in
        do {
          listener = try Listener(ListeningSocket(inherited: socket)) { arrival in
            listener?.close()
            switch arrival {
            case .connected(let client, _):
              Array("welcome".utf8).withUnsafeBytes { _ = client.send($0) }
              greeted.resume()
            case .refused(let reason): greeted.resume(throwing: reason)
            }
          }
        } catch {
          greeted.resume(throwing: error)
        }
      }
    }
  }
}
