// SPDX-License-Identifier: Apache-2.0
//
// How bytes become messages and messages bytes, wherever the socket cuts them.

import StrictJSON
import Testing
import Varlink

/// A call of `a.b.<name>`.
private func call(_ name: String) -> String {
  #"{"method":"a.b.\#(name)"}␀"#
}

@Suite struct ServerSessionFramingTests {
  @Test(arguments: [1, 2, 3, 7, 64, 4_096])
  func `messages may be cut anywhere`(size: Int) throws {
    let service = try EchoService()
    let calls = #"{"method":"org.example.echo.Echo","parameters":{"text":"é😀\ud83d\ude00"}}␀"# + getInfo
    let whole = try service.replies(to: calls)
    #expect(whole == #"{"parameters":{"text":"é😀😀"}}␀"# + info)
    var session = ServerSession()
    let bytes = wire(calls)
    for start in stride(from: 0, to: bytes.count, by: size) {
      Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { session.receive($0) }
      _ = try service.answerAll(&session)
    }
    #expect(session.sendAll() == whole)
  }

  @Test func `output may be sent in any pieces`() throws {
    let service = try EchoService()
    var session = ServerSession()
    session.receive(String(repeating: getInfo, count: 20))
    _ = try service.answerAll(&session)
    var sent = ""
    while session.unsent > 0 {
      sent += session.withUnsent { text(UnsafeRawBufferPointer(rebasing: $0.prefix(7))) }
      session.sent(min(7, session.unsent))
    }
    #expect(sent == String(repeating: info, count: 20))
  }

  @Test func `more bytes than were unsent are never sent`() throws {
    var session = ServerSession()
    session.receive(call("A") + call("B"))
    _ = try session.nextCall()
    session.send(Reply())
    session.sent(-5)
    #expect(session.unsent == 3)
    session.sent(100)
    #expect(session.unsent == 0)
    _ = try session.nextCall()
    session.send(Reply())
    #expect(session.sendAll() == "{}␀")
  }

  @Test func `a reply longer than a read is intact`() throws {
    let text = String(repeating: "😀", count: 5_000)
    let service = try EchoService()
    for padding in 0..<4 {
      let echoed = String(repeating: "x", count: padding) + text
      let calls = #"{"method":"org.example.echo.Echo","parameters":{"text":"\#(echoed)"}}␀"#
      #expect(try service.replies(to: calls) == #"{"parameters":{"text":"\#(echoed)"}}␀"#)
    }
  }

  @Test func `an empty message closes the connection`() {
    var session = ServerSession()
    session.receive("␀")
    #expect(throws: ProtocolViolation.self) { try session.next() }
  }

  @Test func `a violation is final`() throws {
    var session = ServerSession()
    session.receive("foo␀" + call("A"))
    for _ in 0..<3 {
      #expect(throws: ProtocolViolation.self) { try session.next() }
    }
  }

  @Test func `what came before a violation is answered`() throws {
    var session = ServerSession()
    session.receive(call("A") + "foo␀")
    #expect(try session.nextCall()?.method == "a.b.A")
    #expect(try session.next() == .idle)
    session.send(Reply())
    #expect(throws: ProtocolViolation.self) { try session.next() }
    #expect(session.sendAll() == "{}␀")
  }

  @Test(.timeLimit(.minutes(5)))
  func `a long message that trickles in is searched once`() throws {
    var limits = SessionLimits()
    limits.messageBytes = 64 << 20
    var session = ServerSession(limits: limits)
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 64)
    var idle = 0
    for _ in 0..<(1 << 20) {
      piece.withUnsafeBytes { session.receive($0) }
      if try session.next() == .idle { idle += 1 }
    }
    #expect(idle == 1 << 20)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a connection that always holds a part of the next message does not slow down`() throws {
    var session = ServerSession()
    let stream = wire(String(repeating: call("A"), count: 100_000))
    var answered = 0
    for start in stride(from: 0, to: stream.count, by: 1_009) {
      stream[start..<min(start + 1_009, stream.count)].withUnsafeBytes { session.receive($0) }
      while case .call = try session.next() {
        session.send(Reply())
        session.sent(session.unsent)
        answered += 1
      }
    }
    #expect(answered == 100_000)
  }
}
