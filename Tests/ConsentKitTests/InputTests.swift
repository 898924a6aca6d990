// SPDX-License-Identifier: Apache-2.0
//
// Lines from standard input, and commands of the user's: nothing waits that should not, and nothing is lost.

import Foundation
import HostRuntime
import StrictJSON
import TestSupport
import Testing

@testable import consentctl

@Suite struct LineReaderTests {
  @Test(arguments: [
    ("", []), ("a\n", ["a"]), ("a", ["a"]), ("a\nb", ["a", "b"]), ("\n\n", ["", ""]), ("a\n\nb\n", ["a", "", "b"]),
    ("a\r\n\r\nb\r\r\n", ["a", "", "b\r"]),
  ])
  func `a file is read line by line`(content: String, lines: [String]) async throws {
    let directory = try TemporaryDirectory()
    try content.write(toFile: directory.file("input"), atomically: false, encoding: .utf8)
    let input = Descriptor(owning: open(directory.file("input"), O_RDONLY))
    #expect(try await read(input) == lines.map { .text(Array($0.utf8)) })
  }

  @Test func `a pipe is read as it is written`() async throws {
    let pipe = Pipe()
    let reader = try await reader(pipe)
    pipe.fileHandleForWriting.write(Data("first\nsec".utf8))
    #expect(try await reader.next() == .text(Array("first".utf8)))
    async let second = reader.next()
    pipe.fileHandleForWriting.write(Data("ond\n".utf8))
    #expect(try await second == .text(Array("second".utf8)))
    pipe.fileHandleForWriting.closeFile()
    #expect(try await reader.next() == nil)
    #expect(try await reader.next() == nil)
  }

  @Test(arguments: ["\n", ""])
  func `a line without measure is reported and skipped`(end: String) async throws {
    let pipe = Pipe()
    let reader = try await reader(pipe)
    let writer = Thread {
      pipe.fileHandleForWriting.write(Data("short\n".utf8))
      for _ in 0..<20 { pipe.fileHandleForWriting.write(Data(repeating: 0x78, count: 100_000)) }
      pipe.fileHandleForWriting.write(Data("\(end)\(end.isEmpty ? "" : "last\n")".utf8))
      pipe.fileHandleForWriting.closeFile()
    }
    writer.start()
    #expect(try await reader.next() == .text(Array("short".utf8)))
    #expect(try await reader.next() == .tooLong)
    #expect(try await reader.next() == (end.isEmpty ? nil : .text(Array("last".utf8))))
  }

  private func reader(_ pipe: Pipe) async throws -> LineReader {
    try Loop.start { Issue.record("the loop ended: \($0)") }
    return await LineReader(Descriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor)))
  }

  private func read(_ input: Descriptor) async throws -> [LineReader.Line] {
    try Loop.start { Issue.record("the loop ended: \($0)") }
    let reader = await LineReader(input)
    var lines: [LineReader.Line] = []
    while let line = try await reader.next() { lines.append(line) }
    return lines
  }
}

@Suite struct ShellCommandTests {
  @Test func `a command reads the object, however long it is`() async throws {
    let directory = try TemporaryDirectory()
    let object: JSONObject = ["text": .string(String(repeating: "x", count: 500_000))]
    #expect(try await run("cat > \(directory.file("output"))", object) == nil)
    let written = try Data(contentsOf: URL(fileURLWithPath: directory.file("output")))
    #expect(Array(written) == object.encoded() + [UInt8(ascii: "\n")])
  }

  @Test(arguments: ["exit 3", "kill -9 $$", "exec /nonexistent", "exec <&-"])
  func `a command that fails or does not read changes nothing`(command: String) async throws {
    let failure = try await run(command, ["text": .string(String(repeating: "x", count: 500_000))])
    #expect((failure == nil) == (command == "exec <&-"))
  }

  /// What went wrong with a run.
  private func run(_ command: String, _ object: JSONObject) async throws -> String? {
    try Loop.start { Issue.record("the loop ended: \($0)") }
    return await ShellCommand(command).run(input: object)
  }
}
