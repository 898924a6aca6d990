// SPDX-License-Identifier: Apache-2.0
//
// The Varlink target put to the test every Varlink library is put to: `org.varlink.certification`, as a server for the
// clients of others and as a client for their servers. It has sockets of its own, so that it proves the sessions alone.

import Glibc
import Varlink

@main
struct Program {
  static func main() {
    guard CommandLine.arguments.count == 3, let path = path(in: CommandLine.arguments[2]) else { usage() }
    do {
      switch CommandLine.arguments[1] {
      case "--server": try serve(path)
      case "--client": try certify(path)
      default: usage()
      }
    } catch {
      print("varlink-certification: \(error)")
      exit(1)
    }
  }

  /// Serves until it is killed.
  private static func serve(_ path: String) throws {
    let server = PollingServer(listener: try UnixSocket(listeningOn: path), service: try CertificationService())
    print("serving \(CertificationInterface.name) on \(path)")
    fflush(nil)
    try server.run()
  }

  /// Goes through the certification once.
  private static func certify(_ path: String) throws {
    var client = try CertificationClient(path: path)
    try client.run()
  }

  private static func path(in address: String) -> String? {
    address.hasPrefix("unix:/") ? String(address.dropFirst("unix:".count)) : nil
  }

  private static func usage() -> Never {
    print("usage: varlink-certification --server unix:/PATH | --client unix:/PATH")
    exit(64)
  }
}
