// SPDX-License-Identifier: Apache-2.0
//
// What `journalctl -x` explains: every kind of line, and nothing else.

import Foundation
import TestSupport
import Testing

@testable import ConsentDaemon

@Suite struct CatalogTests {
  private let text: String
  /// Each entry without its `-- `.
  private let entries: [Substring]

  init() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../config/consentd.catalog").standardizedFileURL
    text = try String(contentsOf: path, encoding: .utf8)
    entries = Array(text.split(separator: "\n-- ").dropFirst())
  }

  @Test func `every kind of line has one entry, and every entry a kind`() {
    #expect(entries.map { String($0.prefix(32)) }.sorted() == LogKind.allCases.map(\.rawValue).sorted())
    #expect(Set(LogKind.allCases.map(\.rawValue)).count == LogKind.allCases.count)
    for kind in LogKind.allCases { #expect(kind.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil) }
  }

  @Test func `every entry says what it is, where more is to be read, what happened and what to do`() {
    for entry in entries {
      let parts = entry.split(separator: "\n\n", omittingEmptySubsequences: true)
      let header = parts[0].split(separator: "\n").dropFirst().map { $0.prefix { $0 != ":" } }
      #expect(header == ["Subject", "Defined-By", "Support", "Documentation"], "\(entry)")
      #expect(parts.count >= 3, "\(entry)")
    }
  }

  @Test func `what an entry quotes of a line is a field that lines have`() {
    let known = ["CONSENT_QUESTION", "CONSENT_PERSON", "CONSENT_APP", "CONSENT_TOPIC", "CONSENT_UID"]
    for match in text.matches(of: /@([A-Z_]+)@/) { #expect(known.contains(String(match.output.1))) }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl"), "journalctl is not there"))
  func `systemd reads the catalog and finds every entry`() throws {
    let root = try TemporaryDirectory()
    for folder in ["usr/lib/systemd/catalog", "var/lib/systemd/catalog"] {
      try FileManager.default.createDirectory(atPath: root.file(folder), withIntermediateDirectories: true)
    }
    try root.write(text, to: "usr/lib/systemd/catalog/consentd.catalog")
    let update = try Program.run("journalctl", ["--root=\(root.path)", "--update-catalog"])
    #expect(update.exit == .status(0))
    #expect(update.errors == "")
    let list = try Program.run("journalctl", ["--root=\(root.path)", "--list-catalog"])
    for kind in LogKind.allCases { #expect(list.output.contains(kind.rawValue)) }
    #expect(list.output.split(separator: "\n").count == LogKind.allCases.count)
  }
}
