// SPDX-License-Identifier: Apache-2.0
//
// Sockets at a path, and everything that may stand there already.

import Foundation
import TestSupport
import Testing

@testable import HostRuntime

struct ListeningSocketTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("socket") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func `everybody may connect`() throws {
    let listening = try ListeningSocket(path: path)
    _ = try StreamSocket.connect(path: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o666)
    withExtendedLifetime(listening) {}
  }

  // Two tests close a listener and look at once. They have a process to themselves: one that is being started beside
  // them would hold their descriptors for a moment.

  @Test func `a socket nobody serves any more is replaced`() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      _ = try ListeningSocket(path: path)
      let refusal = systemError { _ = try StreamSocket.connect(path: path) }
      let listening = try ListeningSocket(path: path)
      let accepted = systemError { _ = try StreamSocket.connect(path: path) }
      withExtendedLifetime(listening) {}
      finish(passing: refusal?.errno == ECONNREFUSED && accepted == nil)
    }
  }

  @Test func `a socket that is served is left to who serves it`() throws {
    let first = try ListeningSocket(path: path)
    #expect(throws: ListenError.inUse(path: path)) { try ListeningSocket(path: path) }
    _ = try StreamSocket.connect(path: path)
    withExtendedLifetime(first) {}
  }

  @Test func `a socket whose queue is full is served`() throws {
    let first = try ListeningSocket(path: path)
    listen(first.descriptor.number, 0)
    let waiting = try StreamSocket.connect(path: path)
    #expect(throws: ListenError.inUse(path: path)) { try ListeningSocket(path: path) }
    withExtendedLifetime((first, waiting)) {}
  }

  @Test func `what is not a socket is left alone`() throws {
    try "precious".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: ListenError.notASocket(path: path)) { try ListeningSocket(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `a link is not followed`() throws {
    try "precious".write(toFile: directory.file("target"), atomically: true, encoding: .utf8)
    symlink(directory.file("target"), path)
    #expect(throws: ListenError.notASocket(path: path)) { try ListeningSocket(path: path) }
    #expect(try String(contentsOfFile: directory.file("target"), encoding: .utf8) == "precious")
  }

  @Test func `of many that start together on a stale socket one serves`() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      for round in 0..<100 {
        let path = "\(path)\(round)"
        _ = try ListeningSocket(path: path)
        let winners = await withTaskGroup { group in
          for _ in 0..<4 { group.addTask { try? ListeningSocket(path: path) } }
          return await group.reduce(into: []) { winners, socket in if let socket { winners.append(socket) } }
        }
        guard winners.count == 1 else { exit(EXIT_FAILURE) }
        _ = try StreamSocket.connect(path: path)
      }
      finish(passing: true)
    }
  }

  @Test func `the path goes with the socket, unless another has taken it`() throws {
    let first = try ListeningSocket(path: path)
    first.removePath()
    #expect(!FileManager.default.fileExists(atPath: path))
    let second = try ListeningSocket(path: path)
    first.removePath()
    _ = try StreamSocket.connect(path: path)
    withExtendedLifetime(second) {}
  }

  @Test func `an inherited socket keeps its path`() throws {
    let first = try ListeningSocket(path: path)
    try ListeningSocket(inherited: Descriptor(owning: dup(first.descriptor.number))).removePath()
    _ = try StreamSocket.connect(path: path)
  }

  @Test func `a folder that is not there is an error that names the path`() {
    let error = #expect(throws: ListenError.self) { try ListeningSocket(path: "/nonexistent/socket") }
    #expect(error.map { "\($0)" } == "open /nonexistent/socket.lock: No such file or directory")
  }

  @Test func `peers cannot send descriptors, where the kernel can refuse them`() throws {
    let listening = try ListeningSocket(path: path)
    let client = try StreamSocket.connect(path: path)
    let served = Descriptor(owning: accept(listening.descriptor.number, nil, nil))
    var passes: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let isKnown = getsockopt(served.number, SOL_SOCKET, 83, &passes, &size) == 0
    #expect(passes == 0 || !isKnown)
    withExtendedLifetime(client) {}
  }
}
