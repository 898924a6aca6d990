// SPDX-License-Identifier: Apache-2.0
//
// Transfers over real sockets, and every way they end.

import Glibc
import TestSupport
import Testing

@testable import HostRuntime

struct StreamSocketTests {
  @Test func `bytes go over whole`() throws {
    let (near, far) = try StreamSocket.pair()
    #expect(near.send("hello") == .bytes(5))
    #expect(far.receiveText() == "hello")
  }

  @Test func `nothing to receive is not an end`() throws {
    let (near, far) = try StreamSocket.pair()
    #expect(near.receiveOutcome() == .wouldBlock)
    withExtendedLifetime(far) {}
  }

  @Test func `a full socket takes no more until it is read from`() throws {
    let (near, far) = try StreamSocket.pair()
    let block = String(repeating: "x", count: 100_000)
    var sent = 0
    while case .bytes(let count) = near.send(block), sent < 100_000_000 { sent += count }
    #expect(near.send(block) == .wouldBlock)
    while far.receiveText() != nil {}
    #expect(near.send("!") == .bytes(1))
  }

  @Test func `a peer that finished sending has ended, after its last bytes`() throws {
    let (near, far) = try StreamSocket.pair()
    far.send("last")
    far.finishSending()
    #expect(near.receiveText() == "last")
    #expect(near.receiveOutcome() == .ended)
    #expect(near.receiveOutcome() == .ended)
  }

  @Test func `sending to a peer that left fails, and raises no signal`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let near = try StreamSocket.pair().0
      finish(passing: near.send("!") == .failed(EPIPE))
    }
  }

  @Test func `a peer that left without reading resets the connection`() throws {
    let near: StreamSocket
    do {
      let pair = try StreamSocket.pair()
      near = pair.0
      near.send("unread")
    }
    near.awaitReadable()
    #expect(near.receiveOutcome() == .failed(ECONNRESET))
  }

  @Test func `connecting finds a listener, and does not wait afterwards`() throws {
    let directory = try TemporaryDirectory()
    let listening = try ListeningSocket(path: directory.file("s"))
    let client = try StreamSocket.connect(path: directory.file("s"))
    #expect(client.receiveOutcome() == .wouldBlock)
    #expect(fcntl(client.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    withExtendedLifetime(listening) {}
  }

  @Test(arguments: [
    ("/nonexistent/socket", ENOENT), ("/dev/null", ECONNREFUSED), ("", EINVAL), ("/tmp/a\0b", EINVAL),
    ("/" + String(repeating: "x", count: 107), ENAMETOOLONG),
  ])
  func `connecting where nobody can listen is an error that names the path`(_ path: String, _ errno: Int32) {
    let error = #expect(throws: SystemError.self) { try StreamSocket.connect(path: path) }
    #expect(error?.errno == errno)
    #expect(error?.call.hasSuffix(" \(path)") == true)
  }

  @Test func `the longest path is 107 bytes`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file(String(repeating: "x", count: 106 - directory.path.utf8.count))
    #expect(path.utf8.count == 107)
    let listening = try ListeningSocket(path: path)
    _ = try StreamSocket.connect(path: path)
    listening.removePath()
  }
}

struct DescriptorTests {
  @Test func `a descriptor is closed when nobody holds it any more`() throws {
    var (near, far): (StreamSocket?, StreamSocket) = try StreamSocket.pair()
    var other = near?.descriptor
    near = nil
    #expect(far.receiveOutcome() == .wouldBlock)
    #expect(other != nil)
    other = nil
    far.awaitReadable()
    #expect(far.receiveOutcome() == .ended)
  }
}

struct SystemErrorTests {
  @Test func `an error reads as the call and what the system says`() {
    #expect("\(SystemError(call: "open /x", errno: ENOENT))" == "open /x: No such file or directory")
  }
}

struct InheritedSocketTests {
  @Test func `a connected socket is taken over, and does not block`() throws {
    let (near, far) = try StreamSocket.pair()
    _ = fcntl(near.descriptor.number, F_SETFL, 0)
    let taken = try StreamSocket(inherited: near.descriptor)
    var room = [UInt8](repeating: 0, count: 9)
    #expect(room.withUnsafeMutableBytes { taken.receive(into: $0) } == .wouldBlock)
    withExtendedLifetime(far) {}
  }

  @Test func `what is no connected stream socket is refused`() throws {
    let file = Descriptor(owning: open("/dev/null", O_RDWR))
    #expect(systemError { _ = try StreamSocket(inherited: file) }?.errno == ENOTSOCK)
    let datagram = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    #expect(systemError { _ = try StreamSocket(inherited: datagram) }?.errno == ENOTSOCK)
    let other = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #expect(systemError { _ = try StreamSocket(inherited: other) }?.errno == ENOTSOCK)
  }
}
