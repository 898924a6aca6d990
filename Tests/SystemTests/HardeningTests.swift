// SPDX-License-Identifier: Apache-2.0
//
// The service in its whole confinement, under load. That nothing it does is refused by the confinement is proved by
// making every refused system call deadly: a daemon that lives did none.

import TestSupport
import Testing

/// `consentd.service` confined, at work.
@Suite(PreparedRoots.boot)
struct HardeningTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
  }

  @Test func `it works under load in the whole confinement, and nothing it does is refused`() throws {
    try machine.container.write(
      "[Service]\nSystemCallErrorNumber=kill\n", to: "/etc/systemd/system/consentd.service.d/deadly.conf")
    try machine.container.output(of: ["systemctl", "daemon-reload"])
    try machine.startWithFamily()
    let process = try machine.property("MainPID")
    let callers = try [Machine.User.mia, .anna, .ben, .otto, .chat].map { try machine.calling(1_500, as: $0) }
    try machine.container.output(
      of: ["systemd-analyze", "security", "--no-pager", "--threshold=7", "consentd.service"])
    for caller in callers {
      let outcome = try caller.outcome()
      #expect(outcome.output == "1500\n", "\(outcome.errors)")
    }
    try machine.container.output(of: ["systemctl", "restart", "consentd.service"])
    try machine.consentctl("status")
    #expect(try machine.property("NRestarts") == "0")
    #expect(try machine.property("Result") == "success")
    #expect(try machine.property("MainPID") != process)
    let complaints = try machine.container.run(
      ["journalctl", "--unit=consentd", "--priority=warning", "--output=cat", "--no-pager", "_COMM=consentd"])
    #expect(complaints.output.split(separator: "\n").allSatisfy { $0.hasPrefix("-- ") }, "\(complaints.output)")
  }

  @Test func `the process has no right, no network and no user of its own`() throws {
    try machine.startWithFamily()
    let process = try machine.property("MainPID")
    let status = try machine.container.output(of: ["cat", "/proc/\(process)/status"])
    for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] {
      #expect(status.contains("\n\(line)\n"), "\(line)")
    }
    let uid = try machine.container.output(of: ["stat", "--format=%u", "/proc/\(process)"])
    #expect((61_184...65_519).contains(try #require(Int(uid))))
    let sockets = try machine.container.shell(
      "ls -l /proc/\(process)/fd | sed -n 's/.*socket:\\[\\([0-9]*\\)\\]/\\1/p'")
    let known = try machine.container.shell("awk '{ print $7 }' /proc/\(process)/net/unix").split(separator: "\n")
    #expect(sockets.split(separator: "\n").allSatisfy { known.contains($0) || isHandedOver($0) })
    #expect(try machine.container.output(of: ["stat", "--format=%a", "/var/lib/private/consentd"]) == "700")
  }

  /// Sockets that systemd made, or its clients, live in the machine's own network namespace.
  private func isHandedOver(_ inode: Substring) -> Bool {
    (try? machine.container.shell("awk '{ print $7 }' /proc/net/unix"))?.split(separator: "\n").contains(inode) ?? false
  }
}
