// SPDX-License-Identifier: Apache-2.0
//
// A copy made by root of a store that belongs to a user who exists only while the daemon runs, and put back: as the
// guide for administrators (docs/operating.md) tells it.

import TestSupport
import Testing

/// `consentctl backup`, `restore` and `store check` beside the installed service.
@Suite(PreparedRoots.boot)
struct BackupTests {
  private static let copy = "/root/copy.db"
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.startWithFamily()
  }

  @Test func `what was asked is there again after a restore, and what came later is not`() throws {
    let question = try machine.ask("2.0")
    try machine.consentctl("backup", Self.copy)
    #expect(try machine.container.output(of: ["stat", "--format=%U %a", Self.copy]) == "root 600")
    try machine.consentctl("store", "check", Self.copy)
    try machine.consentctl("approve", question, as: .anna)
    try machine.container.output(of: ["systemctl", "stop", "consentd.target", "consentd.service"])
    try machine.consentctl("restore", Self.copy)
    try machine.container.output(of: ["systemctl", "start", "consentd.target"])
    #expect(try machine.pending(as: .ben) == [question])
    try machine.consentctl("approve", question, as: .ben)
    try machine.consentctl("await", question, as: .mia)
    try machine.consentctl("store", "check")
    let owners = try machine.container.shell("stat --format=%U /var/lib/private/consentd/* | sort -u")
    #expect(owners == (try machine.container.output(of: ["stat", "--format=%U", "/var/lib/private/consentd"])))
    #expect(try machine.container.shell("ls /var/lib/private/consentd | wc -l") != "1")
    #expect(try machine.property("NRestarts") == "0")
  }

  @Test func `nobody but root takes a copy, and nothing is restored under a daemon that runs`() throws {
    try machine.consentctl("backup", "/tmp/copy.db", as: .anna, status: 1)
    try machine.container.shell("test ! -e /tmp/copy.db")
    try machine.consentctl("backup", Self.copy)
    let question = try machine.ask("2.0")
    try machine.consentctl("restore", Self.copy, status: 1)
    #expect(try machine.pending(as: .anna) == [question])
  }
}
