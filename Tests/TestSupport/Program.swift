// SPDX-License-Identifier: Apache-2.0
//
// A program that a test runs: spawned directly, without a shell, with an environment of its own, as another user or
// under a limit where the test says so. Its end is seen through a pidfd, so that waiting needs no polling. Whatever
// still runs when the test is over is killed.

internal import CLinux
internal import Glibc

/// How a program ended.
package enum Exit: Equatable, Sendable {
  /// It returned this status.
  case status(Int32)
  /// This signal ended it.
  case signal(Int32)
}

/// One running program with a channel each on its standard input and output. Its standard error goes to a file, so that a
/// program nobody listens to never blocks.
package final class Program {
  package let pid: Int32
  /// The writing end of its standard input.
  package let input: Endpoint
  /// The reading end of its standard output.
  package let output: Endpoint
  private let errorFile: Int32
  private let pidfd: Int32
  private let isSession: Bool
  private var unreadOutput: [UInt8] = []
  private var exit: Exit?

  /// Runs `executable` (a path, or a name looked up in `PATH`) with `arguments`.
  /// - Parameters:
  ///   - environment: added to the few variables every program gets.
  ///   - wrappers: how the program is started: as another user, under a limit.
  ///   - descriptors: handed over as descriptors 3, 4, … in this order.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    wrappers: [Wrapper] = [], handingOver descriptors: [Int32] = []
  ) throws {
    let input = try Channel()
    let output = try Channel()
    errorFile = try namelessFile()
    let command = wrappers.reduce([executable] + arguments) { $1.arguments + $0 }
    let streams = [input.far, output.far, errorFile] + descriptors
    pid = try spawn(command, environment: standardEnvironment.merging(environment) { $1 }, descriptors: streams)
    pidfd = linux_process(pid)
    isSession = wrappers.contains(where: \.isSession)
    Glibc.close(input.far)
    Glibc.close(output.far)
    self.input = Endpoint(owning: input.near)
    self.output = Endpoint(owning: output.near)
  }

  deinit {
    if exit == nil {
      kill(isSession ? -pid : pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    Glibc.close(pidfd)
    Glibc.close(errorFile)
  }

  /// Whether it has not ended yet.
  package var isRunning: Bool { exit == nil && !hasEnded(within: 0) }

  /// Everything it has written to its standard error so far.
  package var errors: String {
    var bytes = [UInt8](repeating: 0, count: Int(max(0, lseek(errorFile, 0, SEEK_END))))
    let count = pread(errorFile, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes `text` to its standard input.
  package func write(_ text: String) throws {
    try input.write(Array(text.utf8))
  }

  /// The next line of its standard output without the newline; `nil` at the end.
  package func readLine(before deadline: Deadline = Deadline()) throws -> String? {
    while true {
      if let end = unreadOutput.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unreadOutput.removeSubrange(...end) }
        return String(decoding: unreadOutput[..<end], as: UTF8.self)
      }
      let bytes = try output.read(before: deadline)
      if bytes.isEmpty { return takeUnreadOutput() }
      unreadOutput += bytes
    }
  }

  /// The rest of its standard output, up to the end.
  package func readToEnd(before deadline: Deadline = Deadline()) throws -> String {
    while true {
      let bytes = try output.read(before: deadline)
      if bytes.isEmpty { return takeUnreadOutput() ?? "" }
      unreadOutput += bytes
    }
  }

  /// Sends it `signal`.
  package func signal(_ signal: Int32) {
    if exit == nil { kill(pid, signal) }
  }

  /// Waits until it has ended. Throws, with what it wrote to its standard error, when the deadline passes first.
  @discardableResult
  package func waitForExit(before deadline: Deadline = Deadline()) throws -> Exit {
    if let exit { return exit }
    guard hasEnded(within: deadline.milliseconds) else { throw TestFailure("still running; it said: \(errors)") }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    let ended: Exit = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    exit = ended
    return ended
  }

  /// Waits until `other` can be read or the program has ended, and says which. `true`: readable.
  func waitUntilReadable(_ other: Endpoint, before deadline: Deadline) throws -> Bool {
    var entries = [pidfd, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, 2, deadline.milliseconds) > 0 else { throw TestFailure("silent; it said: \(errors)") }
    return entries[1].revents != 0
  }

  private func takeUnreadOutput() -> String? {
    defer { unreadOutput = [] }
    return unreadOutput.isEmpty ? nil : String(decoding: unreadOutput, as: UTF8.self)
  }

  private func hasEnded(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }
}
