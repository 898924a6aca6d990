// SPDX-License-Identifier: Apache-2.0
//
// A booted Debian with the real systemd as its first process, in systemd-nspawn. Everything it writes is thrown away
// with it, so that each test starts from the same root. Nothing is registered with the machine's own service manager.

import Glibc
import TestSupport

/// One running system, and commands run in it.
final class Container {
  private let directory: TemporaryDirectory
  private let nspawn: Program
  private let firstProcess: String

  /// Boots `root` and returns when its systemd says that it is up.
  /// - Parameter files: files of this machine that can be read there, by the path they have there.
  init(booting root: String, showing files: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    let notify = try NotifySocket(path: directory.file("notify"))
    var arguments = [
      "--quiet", "--boot", "--directory=\(root)", "--volatile=overlay", "--private-network", "--register=no",
      "--link-journal=no", "--console=pipe", "--notify-ready=yes",
    ]
    // Without a service manager of its own, the machine has nobody who could give the container a unit.
    if access("/run/systemd/system", F_OK) != 0 { arguments.append("--keep-unit") }
    arguments += files.map { "--bind-ro=\($0.value):\($0.key)" }
    nspawn = try Program("systemd-nspawn", arguments, environment: ["NOTIFY_SOCKET": notify.path])
    let field = "X_NSPAWN_LEADER_PID="
    firstProcess = String(try notify.wait(for: nspawn) { $0.hasPrefix(field) }.dropFirst(field.count))
    try notify.wait(for: nspawn) { $0 == "READY=1" }
  }

  deinit {
    nspawn.signal(SIGTERM)
    _ = try? nspawn.waitForExit()
  }

  /// Runs `command` in the container to its end, as root or as the user with this login name.
  func run(_ command: [String], as login: String? = nil, input: String = "") throws -> Program.Outcome {
    try Program.run("nsenter", entering(as: login) + command, input: input)
  }

  /// Starts `command` in the container and leaves it running.
  func start(_ command: [String], as login: String? = nil) throws -> Program {
    try Program("nsenter", entering(as: login) + command)
  }

  /// Runs `command` and gives what it printed, without the newline at the end. Throws unless it exits with 0.
  @discardableResult
  func output(of command: [String], as login: String? = nil, input: String = "") throws -> String {
    let outcome = try run(command, as: login, input: input)
    guard outcome.exit == .status(0) else {
      throw TestFailure("\(command) ended with \(outcome.exit): \(outcome.errors)\(outcome.output)")
    }
    return outcome.output.hasSuffix("\n") ? String(outcome.output.dropLast()) : outcome.output
  }

  /// Runs a shell's `script` and gives what it printed.
  @discardableResult
  func shell(_ script: String, as login: String? = nil) throws -> String {
    try output(of: ["sh", "-euc", script], as: login)
  }

  /// Writes `text` to the file at `path`, making its directory.
  func write(_ text: String, to path: String) throws {
    try output(of: ["sh", "-euc", "mkdir -p \"$(dirname \"$0\")\" && cat > \"$0\"", path], input: text)
  }

  private func entering(as login: String?) -> [String] {
    let entering = ["--target=\(firstProcess)", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--"]
    guard let login else { return entering }
    return entering + ["setpriv", "--reuid=\(login)", "--regid=\(login)", "--init-groups", "--"]
  }
}
