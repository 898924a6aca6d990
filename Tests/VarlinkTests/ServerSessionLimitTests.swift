// SPDX-License-Identifier: Apache-2.0
//
// Every bound of a session, one byte below it and one beyond.

import StrictJSON
import Testing
import Varlink

@Suite struct ServerSessionLimitTests {
  /// A call whose message is `length` bytes long, without its NUL.
  private func call(length: Int) -> [UInt8] {
    let shell = #"{"method":"a.b.C","parameters":{"p":""}}"#.utf8.count
    return wire(#"{"method":"a.b.C","parameters":{"p":"\#(String(repeating: "x", count: length - shell))"}}␀"#)
  }

  @Test func `a message of one mebibyte is accepted`() throws {
    var session = ServerSession()
    call(length: 1 << 20).withUnsafeBytes { session.receive($0) }
    #expect(try session.nextCall()?.method == "a.b.C")
  }

  @Test func `a longer message is refused`() {
    var session = ServerSession()
    call(length: 1 << 20 + 1).withUnsafeBytes { session.receive($0) }
    #expect(throws: ProtocolViolation.messageTooLong(limit: 1 << 20)) { try session.next() }
  }

  @Test func `a message that never ends is refused before it ends`() throws {
    var session = ServerSession()
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
    for _ in 0..<16 {
      #expect(session.wantsInput)
      piece.withUnsafeBytes { session.receive($0) }
      #expect(try session.next() == .idle)
    }
    piece.withUnsafeBytes { session.receive($0) }
    #expect(throws: ProtocolViolation.messageTooLong(limit: 1 << 20)) { try session.next() }
  }

  @Test func `reading stops behind a parked call`() throws {
    var session = ServerSession()
    session.receive(#"{"method":"a.b.Wait"}␀"#)
    _ = try session.nextCall()
    let pipelined = call(length: 1_023)
    for _ in 0..<63 { pipelined.withUnsafeBytes { session.receive($0) } }
    #expect(session.wantsInput)
    pipelined.withUnsafeBytes { session.receive($0) }
    #expect(!session.wantsInput)
    session.send(Reply())
    #expect(session.wantsInput)
  }

  @Test func `a peer that does not read is read no more, and gets no more calls carried out`() throws {
    var session = ServerSession()
    session.receive(#"{"method":"a.b.A"}␀{"method":"a.b.B"}␀"#)
    _ = try session.nextCall()
    session.send(Reply(["p": .string(String(repeating: "x", count: 64 << 10))]))
    #expect(!session.wantsInput)
    #expect(!session.isOverLimit)
    #expect(try session.next() == .idle)
    session.sent(session.unsent - (64 << 10) + 1)
    #expect(session.wantsInput)
    #expect(try session.nextCall()?.method == "a.b.B")
  }

  @Test func `a thousand pipelined calls of a peer that does not read cost little`() throws {
    let service = try EchoService()
    var session = ServerSession()
    let describe =
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.varlink.service"}}␀"#
    session.receive(String(repeating: describe, count: 1_000))
    #expect(try service.answerAll(&session) == .idle)
    #expect(session.unsent < 128 << 10)
    var replies = 0
    while session.unsent > 0 {
      replies += session.withUnsent { $0.filter { $0 == 0 }.count }
      session.sent(session.unsent)
      _ = try service.answerAll(&session)
    }
    #expect(replies == 1_000)
  }

  @Test func `a stream that nobody reads goes over its limit`() throws {
    var session = ServerSession()
    session.receive(#"{"method":"a.b.Watch","more":true}␀"#)
    _ = try session.nextCall()
    let event = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 10)
    for _ in 0..<1_024 { session.send(encoded: event, continues: true) }
    #expect(!session.isOverLimit)
    session.send(encoded: [0], continues: true)
    #expect(session.isOverLimit)
    session.sent(1)
    #expect(!session.isOverLimit)
  }

  @Test func `the bounds are those that were given`() throws {
    var limits = SessionLimits()
    limits.messageBytes = 20
    var session = ServerSession(limits: limits)
    session.receive(#"{"method":"a.b"}␀{"method":"a.b.Longer"}␀"#)
    #expect(try session.nextCall()?.method == "a.b")
    session.send(Reply())
    #expect(throws: ProtocolViolation.messageTooLong(limit: 20)) { try session.next() }
  }

  @Test func `a quiet session is small`() {
    #expect(MemoryLayout<ServerSession>.size <= 96)
  }
}
