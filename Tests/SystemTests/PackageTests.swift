// SPDX-License-Identifier: Apache-2.0
//
// The life of the package on a machine, in a system that has never seen it: installed with apt, upgraded, removed,
// installed again, purged. What it leaves behind is told by lists of files from before and after.

import Foundation
import TestSupport
import Testing

/// The package in a booted Debian.
@Suite(PreparedRoots.boot, .serialized)
struct PackageTests {
  private static let units = [
    "consentd.target", "consentd-apps.socket", "consentd-guardians.socket", "consentd.service",
  ]

  private let machine: Machine

  /// Boots a system without the package and shows it the package as a file.
  init() throws {
    machine = try Machine(
      booting: try PreparedRoots.bare(),
      showing: [
        "/root/consentd.deb": try PreparedRoots.package(),
        "/root/consentd-desktop.deb": try PreparedRoots.desktopPackage(),
      ])
  }

  @Test func `an installation starts nothing and enables nothing`() throws {
    try install()
    for unit in Self.units { #expect(try machine.property("ActiveState", of: unit) == "inactive", "\(unit)") }
    let enabled = try machine.container.run(["systemctl", "is-enabled", "consentd.target"])
    #expect(enabled.output == "disabled\n")
    try machine.container.output(of: ["systemctl", "preset-all"])
    #expect(try machine.container.run(["systemctl", "is-enabled", "consentd.target"]).output == "disabled\n")
    try machine.consentctl("status", status: 1)
  }

  @Test func `one step starts it, one step stops it, and a boot starts it again`() throws {
    try install()
    try machine.start()
    try machine.consentctl("status")
    #expect(try states() == ["active", "active", "active", "active"])
    let wanted = try machine.container.output(of: ["systemctl", "show", "--property=Wants", "multi-user.target"])
    #expect(wanted.contains("consentd.target"))
    try machine.container.output(of: ["systemctl", "disable", "--now", "consentd.target"])
    #expect(try states() == ["inactive", "inactive", "inactive", "inactive"])
    #expect(try machine.container.shell("ls /run/consentd") == "")
    #expect(try machine.container.run(["systemctl", "is-enabled", "consentd.target"]).output == "disabled\n")
  }

  @Test func `an upgrade restarts what runs and keeps what was asked`() throws {
    try install()
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let before = try machine.property("MainPID")
    try machine.container.write("{ administrators: [\"anna\"] }\n", to: "/etc/consentd/consentd.json5")
    try machine.upgrade(to: "99.0")
    #expect(try states() == ["active", "active", "active", "active"])
    #expect(try machine.property("MainPID") != before)
    #expect(try machine.pending(as: .anna) == [question])
    #expect(try machine.container.shell("cat /etc/consentd/consentd.json5").contains("anna"))
    #expect(try machine.container.run(["systemctl", "is-enabled", "consentd.target"]).output == "enabled\n")
  }

  @Test func `an upgrade starts nothing that does not run`() throws {
    try install()
    try machine.upgrade(to: "99.0")
    #expect(try states() == ["inactive", "inactive", "inactive", "inactive"])
  }

  @Test func `a removal stops everything and keeps the state, which the next installation finds`() throws {
    try install()
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    try machine.container.output(of: ["apt-get", "-qq", "-y", "remove", "consentd"])
    #expect(try machine.container.run(["pidof", "consentd"]).exit != .status(0))
    try machine.container.shell("test ! -e /run/consentd && test -e /var/lib/private/consentd/consentd.db")
    try machine.container.shell("test -e /etc/consentd/consentd.json5 && test ! -e /usr/bin/consentd")
    try install()
    try machine.start()
    #expect(try machine.pending(as: .anna) == [question])
  }

  @Test func `a purge leaves the machine as it was`() throws {
    let before = try files()
    try install()
    try machine.startWithFamily()
    _ = try machine.ask("2.0")
    try machine.container.write("{ policy: \"baseline\" }\n", to: "/etc/consentd/consentd.json5.d/mine.json5")
    try machine.container.output(of: ["apt-get", "-qq", "-y", "purge", "consentd"])
    #expect(try files().symmetricDifference(before) == [])
  }

  @Test func `the desktop's companion comes and goes by itself`() throws {
    try install()
    let before = try files()
    // The bare system has no desktop, so not what the package needs of one.
    try machine.container.output(of: ["dpkg", "--force-depends", "--install", "/root/consentd-desktop.deb"])
    try machine.container.shell("grep -x Exec=/usr/bin/consentd-desktop /etc/xdg/autostart/consentd-desktop.desktop")
    try machine.container.shell("test -x /usr/bin/consentd-desktop && man -w 1 consentd-desktop")
    #expect(try machine.container.run(["consentd-desktop"]).exit == .status(69))
    try machine.container.output(of: ["dpkg", "--purge", "consentd-desktop"])
    #expect(try files().symmetricDifference(before) == [])
  }

  private func install() throws {
    try machine.container.output(of: ["apt-get", "-qq", "-y", "install", "/root/consentd.deb"])
  }

  private func states() throws -> [String] { try Self.units.map { try machine.property("ActiveState", of: $0) } }

  /// The paths of everything that lasts, without what the system itself keeps about packages and runs.
  private func files() throws -> Set<String> {
    let paths = try machine.container.shell(
      """
      find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /dev -o -path /tmp -o -path /var/log \\
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/backups -o -path /var/tmp \\) -prune -o -print
      """)
    return Set(paths.split(separator: "\n").map(String.init))
  }
}
