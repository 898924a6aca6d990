// SPDX-License-Identifier: Apache-2.0
//
// Who the kernel says a peer is, and that nobody else is ever let pass for one.

import Glibc
import TestSupport
import Testing

@testable import HostRuntime

struct PeerCredentialsTests {
  @Test func `a peer is the user and the process that connected`() throws {
    let (near, far) = try StreamSocket.pair()
    let peer = try PeerCredentials(of: near)
    #expect(peer.uid == geteuid())
    #expect(peer.gid == getegid())
    #expect(peer.pid == getpid())
    #expect(!peer.process.hasEnded)
    withExtendedLifetime(far) {}
  }

  @Test func `a process's descriptor is given where the kernel has it`() throws {
    let (near, far) = try StreamSocket.pair()
    switch try PeerCredentials(of: near).process {
    case .held(let descriptor): #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    case .unknown: #expect(kernelBefore65())
    case .ended: Issue.record("this process has not ended")
    }
    withExtendedLifetime(far) {}
  }

  @Test func `a peer whose process has ended is known by its uid, and in no unit`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("s")
    let listening = try ListeningSocket(path: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      _ = try StreamSocket.connect(path: path)
      exit(EXIT_SUCCESS)
    }
    let peer = try PeerCredentials(of: accept(listening))
    #expect(peer.uid == geteuid())
    #expect(peer.pid != getpid())
    #expect(peer.process.hasEnded || kernelBefore65())
    #expect(peer.systemUnit() == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "another user's process needs root"))
  func `a peer of another user is that user`() async throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    let path = directory.file("s")
    let listening = try ListeningSocket(path: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard setgid(54_321) == 0, setuid(54_322) == 0 else { exit(EXIT_FAILURE) }
      _ = try StreamSocket.connect(path: path)
      exit(EXIT_SUCCESS)
    }
    let peer = try PeerCredentials(of: accept(listening))
    #expect(peer.uid == 54_322)
    #expect(peer.gid == 54_321)
  }

  @Test func `a socket that is not connected has no peer`() {
    let socket = StreamSocket(Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)))
    #expect(throws: SystemError(call: "getsockopt SO_PEERCRED", errno: ENODATA)) { try PeerCredentials(of: socket) }
  }

  @Test func `a socket of the network has no peer`() {
    let socket = StreamSocket(Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
    #expect(throws: SystemError.self) { try PeerCredentials(of: socket) }
  }

  @Test func `what is not a socket has no peer`() {
    let file = StreamSocket(Descriptor(owning: open("/dev/null", O_RDONLY)))
    #expect(throws: SystemError(call: "getsockopt SO_PEERCRED", errno: ENOTSOCK)) { try PeerCredentials(of: file) }
  }

  @Test func `a peer costs no descriptor, and where none is left its process counts as ended`() async {
    await #expect(processExitsWith: .success) {
      let (near, far) = try StreamSocket.pair()
      limitOpenFiles(to: 0)
      let peer = try PeerCredentials(of: near)
      let isRight = peer.uid == geteuid() && peer.systemUnit() == nil && (peer.process.hasEnded || kernelBefore65())
      withExtendedLifetime((near, far)) {}
      finish(passing: isRight)
    }
  }

  @Test func `the process of a connection that is closed counts as ended`() throws {
    var pair: (near: StreamSocket, far: StreamSocket)? = try StreamSocket.pair()
    let peer = try pair.map { try PeerCredentials(of: $0.near) }
    #expect(peer?.process.hasEnded == false)
    pair = nil
    #expect(peer?.process.hasEnded == true)
  }

  private func accept(_ listening: HostRuntime.ListeningSocket) throws -> StreamSocket {
    let number = Glibc.accept(listening.descriptor.number, nil, nil)
    try #require(number >= 0)
    return StreamSocket(Descriptor(owning: number))
  }
}

/// Whether the running kernel has no SO_PEERPIDFD.
private func kernelBefore65() -> Bool {
  var name = utsname()
  uname(&name)
  let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
  return numbers.lexicographicallyPrecedes([6, 5])
}
