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
    var reader = SettingsReader()
    #expect(
      reader.paths(of: "apps.d", in: [first.path, second.path])
        == [second.file("apps.d/a.json5"), first.file("apps.d/b.json5")])
    #expect(reader.paths(of: "policies.d", in: [first.path, second.path]) == [])
    #expect(reader.faults == [])
    #expect(
      reader.remarks == [
        "\(second.file("apps.d/c.json5.old")): not read, for its name does not end in .json5",
        "\(second.file("apps.d/b.json5")): not read, for \(first.file("apps.d/b.json5")) stands in its place",
      ])
  }

  @Test func `a file that is no file is a fault`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: SettingsFault(directory.path, "cannot be read: it is no regular file")) {
      try SettingsFile.read([String].self, at: directory.path)
    }
    try directory.write(String(repeating: " ", count: 1 << 20) + "[]", to: "long")
    #expect(throws: SettingsFault(directory.file("long"), "longer than 1048576 bytes")) {
      try SettingsFile.read([String].self, at: directory.file("long"))
    }
    #expect(try SettingsFile.read([String].self, at: directory.file("none")) == nil)
  }
}
