// SPDX-License-Identifier: Apache-2.0
//
// The installed unit files, judged by systemd without running them.

import Foundation
import TestSupport
import Testing

/// The units as the package leaves them.
@Suite(PreparedRoots.areThere)
struct UnitFileTests {
  private static let units = [
    "consentd.target", "consentd.service", "consentd-apps.socket", "consentd-guardians.socket",
  ]

  @Test func `systemd has nothing to say against the units`() throws {
    let root = try PreparedRoots.installed()
    let verdict = try Program.run("systemd-analyze", ["verify", "--man=no", "--root=\(root)"] + Self.units)
    #expect(verdict.exit == .status(0))
    #expect(verdict.output + verdict.errors == "")
  }

  @Test func `the service is confined as far as systemd can see`() throws {
    let root = try PreparedRoots.installed()
    let verdict = try Program.run(
      "systemd-analyze",
      ["security", "--no-pager", "--offline=true", "--root=\(root)", "--threshold=7", "consentd.service"])
    #expect(verdict.exit == .status(0), "\(verdict.output)\(verdict.errors)")
  }

  /// Keys that were tried and broke something: the user behind every connection became nobody; a restart deleted the
  /// sockets; older releases of systemd complain.
  @Test(arguments: ["PrivateUsers", "RuntimeDirectory", "XAttr"])
  func `no unit has a key that does harm`(key: String) throws {
    for unit in Self.units {
      let path = "\(try PreparedRoots.installed())/usr/lib/systemd/system/\(unit)"
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix(key) }, "\(unit)")
    }
  }

  @Test func `an example is installed as an example alone`() throws {
    let root = try PreparedRoots.installed()
    let files = FileManager.default
    #expect(try files.contentsOfDirectory(atPath: "\(root)/usr/share/consentd/apps.d").isEmpty)
    #expect(try files.contentsOfDirectory(atPath: "\(root)/etc/consentd/apps.d").isEmpty)
    #expect(files.fileExists(atPath: "\(root)/usr/share/doc/consentd/examples/org.example.Chat.json5"))
  }
}
