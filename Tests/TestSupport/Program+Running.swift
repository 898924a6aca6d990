// SPDX-License-Identifier: Apache-2.0
//
// Running a program from start to end, how it may be wrapped, and where the programs under test lie.

internal import Foundation
internal import Glibc

extension Program {
  /// A program put in front of another that it executes in its own place, so that the pid stays the same.
  package enum Wrapper: Sendable {
    /// Runs as this uid and the gid of the same number, without further groups. Needs root.
    case user(UInt32)
    /// Runs with at most this many open descriptors.
    case openFiles(Int)
    /// Runs on this processor alone.
    case processor(Int)
    /// Runs before everything of a usual priority. Needs root.
    case urgent
    /// Runs with `LISTEN_PID` set to its own pid, as a program does that systemd hands sockets to.
    case listening
    /// Runs as the leader of a session of its own, which ends with it: for a pipeline of programs.
    case session
    /// Runs with the journal's socket from this directory, and its standard error as that journal knows it. Needs root.
    case journal(String)
    /// Runs where the file at this path is the machine's password file. Needs root; stands behind `user`.
    case accounts(String)
    /// Runs in a mount namespace of its own, where `path` is an empty disk of this many bytes. Needs root.
    case disk(at: String, bytes: Int)

    var arguments: [String] {
      switch self {
      case .user(let id): ["setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups", "--"]
      case .openFiles(let count): ["prlimit", "--nofile=\(count):\(count)", "--"]
      case .processor(let number): ["taskset", "--cpu-list", "\(number)"]
      case .urgent: ["nice", "--adjustment=-15"]
      case .listening: ["sh", "-c", "export LISTEN_PID=$$; exec \"$@\"", "sh"]
      case .session: ["setsid", "--"]
      case .disk(let path, let bytes):
        [
          "unshare", "--mount", "--propagation", "private", "sh", "-c",
          "mount -t tmpfs -o mode=0700,size=\(bytes) tmpfs \"$0\" && exec \"$@\"", path,
        ]
      case .journal(let directory):
        [
          "unshare", "--mount", "sh", "-c",
          """
          mount -t tmpfs none /run && mkdir -p /run/systemd/journal && mount --bind "$0" /run/systemd/journal &&
          JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@"
          """,
          directory,
        ]
      case .accounts(let path):
        [
          "unshare", "--mount", "--propagation", "private", "sh", "-c",
          "mount --bind \"$0\" /etc/passwd && exec \"$@\"", path,
        ]
      }
    }

    var isUser: Bool { if case .user = self { true } else { false } }
    var isSession: Bool { if case .session = self { true } else { false } }
  }

  /// What a finished program left behind.
  package struct Outcome: Sendable {
    package let exit: Exit
    package let output: String
    package let errors: String
  }

  /// Runs a program to its end with `input` on its standard input.
  package static func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    wrappers: [Wrapper] = [], input: String = ""
  ) throws -> Outcome {
    let program = try Program(executable, arguments, environment: environment, wrappers: wrappers)
    if !input.isEmpty { try program.write(input) }
    program.input.close()
    return try program.outcome()
  }

  /// Waits for its end and gives everything it wrote.
  package func outcome(before deadline: Deadline = Deadline()) throws -> Outcome {
    let text = try readToEnd(before: deadline)
    return Outcome(exit: try waitForExit(before: deadline), output: text, errors: errors)
  }

  /// The processor time it has used so far, in all its threads, to a hundredth of a second.
  package var processorTime: Duration {
    get throws {
      let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Int64($0) } ?? []
      guard fields.count > 12 else { throw TestFailure("unreadable: \(text)") }
      return .milliseconds((fields[10] + fields[11]) * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }
  }

  /// How much memory it holds now, in KiB, and how many descriptors.
  package var footprint: (kibibytes: Int, descriptors: Int) {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      guard let size = line.split(separator: " ").compactMap({ Int($0) }).first else { throw TestFailure("no \(pid)") }
      return (size, try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count)
    }
  }

  /// Whether this process may run programs as other users.
  package static var isRoot: Bool { geteuid() == 0 }

  /// The path of one of this package's own programs, built beside the tests.
  /// - Parameter isForAnyone: another user than the one who built it will execute it.
  package static func path(of name: String, forAnyone isForAnyone: Bool = false) throws -> String {
    let path = try pathBesideTheTests(name)
    return isForAnyone ? try PublicCopy.path(of: path) : path
  }

  /// In `CONSENTD_PROGRAMS`, where that names a directory: so that a release build can be put to the same test.
  private static func pathBesideTheTests(_ name: String) throws -> String {
    if let directory = getenv("CONSENTD_PROGRAMS") { return "\(String(cString: directory))/\(name)" }
    guard let tests = realpath("/proc/self/exe", nil) else { throw TestFailure(call: "realpath", errno: errno) }
    defer { free(tests) }
    let parts = String(cString: tests).split(separator: "/").dropLast() + [name[...]]
    return parts.map { "/\($0)" }.joined()
  }
}
