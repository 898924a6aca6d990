// SPDX-License-Identifier: Apache-2.0
//
// consentd as a machine runs it: installed, started by systemd under a user that exists only while it runs, asked by one
// user and answered by another.

import StrictJSON
import TestSupport
import Testing

/// The installed service under a real systemd.
@Suite(PreparedRoots.boot, .serialized)
struct ServiceTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
  }

  @Test func `one user asks, another answers, the first goes on`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let waiting = try machine.starting("await", question, as: .mia)
    for somebody in [Machine.User.mia, .otto, .chat] {
      try machine.consentctl("approve", question, as: somebody, status: 1)
    }
    try machine.consentctl("approve", question, as: .anna)
    let answer = try waiting.outcome()
    #expect(answer.exit == .status(0), "\(answer.errors)")
    #expect(answer.output.contains("approved"))
    try machine.consentctl("deny", question, as: .ben, status: 5)
  }

  @Test func `a restart keeps the sockets and what was asked`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let before = try socketFiles()
    try machine.container.output(of: ["systemctl", "restart", "consentd.service"])
    #expect(try socketFiles() == before)
    #expect(try machine.pending(as: .ben) == [question])
    try machine.consentctl("deny", question, as: .ben)
    try machine.consentctl("await", question, as: .mia, status: 3)
  }

  @Test func `anybody may connect, and nobody but root may move the sockets`() throws {
    try machine.startWithFamily()
    #expect(try socketFiles().allSatisfy { $0.hasPrefix("666 root ") })
    #expect(try machine.container.output(of: ["stat", "--format=%a %U", "/run/consentd"]) == "755 root")
  }

  @Test func `the service manager and the journal know how it stands`() throws {
    try machine.startWithFamily()
    _ = try machine.ask("2.0")
    #expect(try machine.property("ActiveState") == "active")
    try machine.settle("StatusText", "1 open question, 0 callers waiting, 0 companions connected")
    #expect(try machine.journal() == ["serving /run/consentd"])
    #expect(try machine.consentctl("status").contains("open questions: 1"))
  }

  @Test func `the service never starts with one socket alone`() throws {
    try machine.container.output(of: ["systemctl", "start", "consentd.service"])
    for socket in ["consentd-apps.socket", "consentd-guardians.socket"] {
      #expect(try machine.property("ActiveState", of: socket) == "active")
    }
    try machine.startWithFamily()
    _ = try machine.ask("2.0")
  }

  @Test func `a store that is no store stops the service for good and stays as it is`() throws {
    let store = "/var/lib/private/consentd/consentd.db"
    try machine.container.shell(
      """
      systemctl start consentd.service
      systemctl stop consentd.service
      rm -f \(store)*
      echo 'This is no database.' > \(store)
      """)
    #expect(try machine.container.run(["systemctl", "start", "consentd.service"]).exit != .status(0))
    #expect(try machine.property("ExecMainStatus") == "65")
    #expect(try machine.property("NRestarts") == "0")
    #expect(try machine.container.output(of: ["cat", store]) == "This is no database.")
  }

  /// Mode, owner and inode of the two sockets.
  private func socketFiles() throws -> [String] {
    let names = ["org.consentd.Permission", "org.consentd.Guardian"].map { "/run/consentd/\($0)" }
    return try machine.container.output(of: ["stat", "--format=%a %U %i"] + names)
      .split(separator: "\n").map(String.init)
  }
}
