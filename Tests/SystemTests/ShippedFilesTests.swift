// SPDX-License-Identifier: Apache-2.0
//
// The files that are shipped to be read and changed by an administrator, judged by the daemon they are for.

import Foundation
import TestSupport
import Testing

/// What stands in `config/`.
struct ShippedFilesTests {
  private static let config = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../config").standardized.path

  private let directory: TemporaryDirectory

  /// Lays the shipped files out as they are installed.
  init() throws {
    directory = try TemporaryDirectory()
    for folder in ["apps.d", "policies.d"] {
      try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: false)
    }
    try directory.write(try Self.shipped("consentd.json5"), to: "consentd.json5")
    try directory.write(try Self.shipped("policies.d/baseline.json5"), to: "policies.d/baseline.json5")
  }

  @Test func `the configuration is good as it is`() throws {
    try check()
  }

  @Test func `every key that is commented out is good with its default`() throws {
    let whole = Self.uncommented(try Self.shipped("consentd.json5"))
    #expect(whole.contains("\n  administrators: [],\n") && whole.contains("\n  policy: \"baseline\",\n"))
    try directory.write(whole, to: "consentd.json5")
    try check()
  }

  @Test func `the example of an app is good once its users are there`() throws {
    let example = Self.uncommented(try Self.shipped("apps.d/org.example.Chat.json5"))
    let user = "\(getuid())"
    let entry = example.replacing("\"example-chat\"", with: user).replacing(
      "\"example-chat-bridge\"", with: "\(getuid() + 1)")
    try directory.write(entry, to: "apps.d/org.example.Chat.json5")
    try check()
  }

  @Test func `every link between the documents holds where they are installed`() throws {
    let binaries = URL(fileURLWithPath: try Program.path(of: "consentd")).deletingLastPathComponent().path
    let installed = try Program.run(
      "\(Self.config)/../scripts/install", [binaries],
      environment: ["DESTDIR": directory.file("root"), "PREFIX": "/usr"])
    #expect(installed.exit == .status(0), "\(installed.errors)")
    let documents = directory.file("root/usr/share/doc/consentd")
    for name in ["README.md", "NEWS.md", "docs/architecture.md", "docs/operating.md"] {
      let document = URL(fileURLWithPath: "\(documents)/\(name)")
      let links = try String(contentsOf: document, encoding: .utf8).matches(of: /\]\(([^):]+)\)/).map(\.output.1)
      for link in links {
        let target = document.deletingLastPathComponent().appendingPathComponent(String(link)).path
        #expect(FileManager.default.fileExists(atPath: target), "\(name): \(link)")
      }
    }
    #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(documents)/docs/decisions").isEmpty)
  }

  @Test func `the package has the version that its programs say`() throws {
    let changelog = try String(contentsOfFile: "\(Self.config)/../debian/changelog", encoding: .utf8)
    let version = try #require(changelog.firstMatch(of: /^consentd \((.+?)\)/)).output.1
    for program in ["consentd", "consentctl"] {
      let said = try Program.run(try Program.path(of: program), ["--version"])
      #expect(said.output == "\(program) \(version)\n")
    }
  }

  private func check() throws {
    let arguments = ["--check-config", "--config", directory.file("consentd.json5")]
    let verdict = try Program.run(try Program.path(of: "consentd"), arguments)
    #expect(verdict.exit == .status(0), "\(verdict.errors)")
  }

  private static func shipped(_ name: String) throws -> String {
    try String(contentsOfFile: "\(config)/\(name)", encoding: .utf8)
  }

  /// The text with each `// key: …` line in force.
  private static func uncommented(_ text: String) -> String {
    text.replacing(/\n  \/\/ ([A-Za-z]+: (?:\[|").*)/) { "\n  \($0.output.1)" }
  }
}
