// SPDX-License-Identifier: Apache-2.0
//
// Our Varlink module against everybody else's, both ways: it is certified when their clients pass our server and our
// client passes their servers.

import TestSupport
import Testing

/// `org.varlink.certification` between implementations.
@Suite(Peers.areThere)
struct CertificationTests {
  @Test(arguments: Certifier.allCases)
  func `our server passes everybody's client`(client: Certifier) throws {
    try certify(server: .ours, client: client)
  }

  @Test(arguments: [Certifier.go, .python])
  func `everybody's server passes our client`(server: Certifier) throws {
    try certify(server: server, client: .ours)
  }

  private func certify(server: Certifier, client: Certifier) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("certification")
    let running = try server.serve(at: path)
    let outcome = try client.certify(path)
    #expect(client.isContent(with: outcome), "\(outcome)")
    #expect(running.isRunning, "\(running.errors)")
  }
}
