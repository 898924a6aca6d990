// SPDX-License-Identifier: Apache-2.0
//
// Finding and reading one file among several directories.

import Foundation
import TestSupport
import Testing

@testable import ConsentDaemon

@Suite struct SettingsFileTests {
  @Test func `of files with one name the first directory's is read`() throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    for directory in [first, second] {
      try FileManager.default.createDirectory(atPath: directory.file("apps.d"), withIntermediateDirectories: false)
      try directory.write("{}", to: "apps.d/b.json5")
    }
    try second.write("{}", to: "apps.d/a.json5")
    try second.write("{}", to: "apps.d/c.json5.old")
    #expect(
      try SettingsFile.paths(of: "apps.d", in: [first.path, second.path])
        == [second.file("apps.d/a.json5"), first.file("apps.d/b.json5")])
    #expect(try SettingsFile.paths(of: "policies.d", in: [first.path, second.path]) == [])
  }

  @Test func `a file that is no file is a fault`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: Fault.configuration("\(directory.path): cannot be read")) {
      try SettingsFile.read([String].self, at: directory.path)
    }
    #expect(try SettingsFile.read([String].self, at: directory.file("none")) == nil)
  }
}
