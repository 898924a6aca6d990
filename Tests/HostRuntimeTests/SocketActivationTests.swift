// SPDX-License-Identifier: Apache-2.0
//
// Sockets handed over as the service manager does it: from descriptor 3 on, named by the environment, to a process that
// begins with them.

import Foundation
import TestSupport
import Testing

@testable import HostRuntime

struct SocketActivationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `listening sockets are taken by their names`() throws {
    let sockets = [try listening("a"), try listening("b")]
    #expect(try probe(handing: sockets, names: "guardians:apps") == "apps 4\nguardians 3\n")
  }

  @Test func `an inherited socket is served, and keeps its path`() throws {
    let socket = try listening("a")
    let client = try StreamSocket.connect(path: directory.file("a"))
    #expect(try probe("serve", handing: [socket], names: "apps") == "apps 3\n")
    #expect(client.receiveText() == "welcome")
    _ = try StreamSocket.connect(path: directory.file("a"))
  }

  @Test func `sockets meant for another process are ignored`() throws {
    #expect(try probe(handing: [try listening("a")], names: "apps", pid: "1") == "")
  }

  @Test func `nothing handed over is nothing`() throws {
    #expect(try probe() == "")
  }

  @Test func `a connected socket is no listener`() throws {
    let (near, far) = try StreamSocket.pair()
    #expect(
      try probe(handing: [try listening("a"), near.descriptor], names: "apps:varlink")
        == "apps 3\nvarlink 4, not listening\n")
    withExtendedLifetime(far) {}
  }

  @Test(arguments: [(AF_UNIX, SOCK_SEQPACKET), (AF_INET, SOCK_STREAM)])
  func `a listening socket of another kind is no listener`(_ family: Int32, _ kind: __socket_type) throws {
    let socket = Descriptor(owning: socket(family, Int32(kind.rawValue), 0))
    listen(socket.number, 1)
    #expect(try probe(handing: [socket], names: "apps") == "apps 3, not listening\n")
  }

  @Test func `a file is no listener`() throws {
    let file = Descriptor(owning: open("/dev/null", O_RDONLY))
    #expect(try probe(handing: [file], names: "apps") == "apps 3, not listening\n")
  }

  @Test func `what is no listener may have one name several times`() throws {
    let files = (0..<2).map { _ in Descriptor(owning: open("/dev/null", O_RDONLY)) }
    #expect(try probe(handing: files, names: "stored:stored") == "stored 3, not listening\nstored 4, not listening\n")
  }

  @Test func `two sockets of one name are refused`() throws {
    let sockets = [try listening("a"), try listening("b")]
    #expect(try probe(handing: sockets, names: "apps:apps") == "two sockets named \"apps\" are handed over\n")
  }

  @Test func `names that do not match the sockets are refused`() throws {
    #expect(
      try probe(handing: [try listening("a")], names: "apps:guardians")
        == "sd_listen_fds_with_names: Invalid argument\n")
  }

  @Test func `being started as a Varlink service on any descriptor is refused`() throws {
    #expect(
      try probe(environment: "SYSTEMD_VARLINK_LISTEN=-")
        == "SYSTEMD_VARLINK_LISTEN is set: only listening sockets handed over by name are served\n")
  }

  private func listening(_ name: String) throws -> Descriptor {
    try ListeningSocket(path: directory.file(name)).descriptor
  }

  /// Starts the probe with sockets from descriptor 3 on, and gives what it printed. The shell between knows the pid that
  /// the probe will have.
  private func probe(
    _ argument: String = "list", handing sockets: [Descriptor] = [], names: String? = nil, pid: String = "$$",
    environment: String = ""
  ) throws -> String {
    let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("activation-probe")
    let output = directory.file("output")
    let handed = names.map { "LISTEN_PID=\(pid) LISTEN_FDS=\(sockets.count) LISTEN_FDNAMES=\($0)" } ?? ""
    let script = "\(handed) \(environment) exec \"$0\" \(argument) >\(output)"
    try spawn(["/bin/sh", "-c", script, try #require(program).path], handing: sockets)
    return try String(contentsOfFile: output, encoding: .utf8)
  }

  /// Runs a command to its end with descriptors from 3 on.
  private func spawn(_ command: [String], handing sockets: [Descriptor]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Twice: a socket may itself have one of the numbers that others are moved to.
    for (index, socket) in sockets.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, socket.number, 5_000 + Int32(index))
    }
    for index in sockets.indices {
      posix_spawn_file_actions_adddup2(&actions, 5_000 + Int32(index), 3 + Int32(index))
      posix_spawn_file_actions_addclose(&actions, 5_000 + Int32(index))
    }
    let arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    try #require(posix_spawn(&pid, command[0], &actions, nil, arguments, environ) == 0)
    var status: Int32 = 0
    #expect(waitpid(pid, &status, 0) == pid)
  }
}
