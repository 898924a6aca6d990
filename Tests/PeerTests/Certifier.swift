// SPDX-License-Identifier: Apache-2.0
//
// The three implementations of `org.varlink.certification`, ours among them, each as a server and as a client.

import Glibc
import TestSupport

/// Somebody's certification program.
enum Certifier: String, CaseIterable, Sendable {
  case ours, go, python

  /// Starts its server on the socket at `path`. A client may connect when this returns.
  func serve(at path: String) throws -> Program {
    switch self {
    case .ours:
      return try announced(try Program(try Program.path(of: "varlink-certification"), ["--server", "unix:\(path)"]))
    case .python:
      return try announced(try Program(try Peers.python(), ["-u"] + Self.module + ["--varlink=unix:\(path)"]))
    case .go:
      // It says nothing when it serves, so it is given a socket that listens already.
      let listener = try listen(at: path)
      defer { close(listener) }
      return try Program(
        Peers.goCertification, ["-varlink", "unix:\(path)"], environment: ["LISTEN_FDS": "1"],
        wrappers: [.listening], handingOver: [listener])
    }
  }

  /// Runs its client against the server at `path`.
  func certify(_ path: String) throws -> Program.Outcome {
    switch self {
    case .ours: try Program.run(try Program.path(of: "varlink-certification"), ["--client", "unix:\(path)"])
    case .go: try Program.run(Peers.goCertification, ["-client", "-varlink", "unix:\(path)"])
    case .python: try Program.run(try Peers.python(), Self.module + ["--client", "--varlink=unix:\(path)"])
    }
  }

  /// Whether its client says that the server passed.
  func isContent(with outcome: Program.Outcome) -> Bool {
    let verdict =
      switch self {
      case .ours: #"End: {"all_ok":true}"#
      case .go: "End: 'true'"
      case .python: "Certification passed"
      }
    return outcome.exit == .status(0) && outcome.output.split(separator: "\n").last.map(String.init) == verdict
  }

  private static let module = ["-m", "varlink.tests.test_certification"]

  /// The server after its first line, which says that it serves.
  private func announced(_ server: Program) throws -> Program {
    guard try server.readLine() != nil else { throw TestFailure("the server ended: \(server.errors)") }
    return server
  }

  private func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, Glibc.listen(descriptor, 8) == 0 else { throw TestFailure("cannot listen at \(path)") }
    return descriptor
  }
}
