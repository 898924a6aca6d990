// SPDX-License-Identifier: Apache-2.0
//
// Order, kinds of calls, and half-close on the server's half of a connection.

import StrictJSON
import Testing
import Varlink

/// A call of `a.b.<name>`.
private func call(_ name: String, _ rest: String = "") -> String {
  #"{"method":"a.b.\#(name)"\#(rest)}␀"#
}

@Suite struct ServerSessionOrderTests {
  @Test func `calls are handed out one at a time, in order`() throws {
    var session = ServerSession()
    session.receive(call("A") + call("B") + call("C"))
    for name in ["A", "B", "C"] {
      #expect(!session.callInProgress)
      #expect(try session.nextCall()?.method == "a.b.\(name)")
      #expect(session.callInProgress)
      #expect(try session.next() == .idle)
      session.send(Reply(["was": .string(name)]))
    }
    #expect(try session.next() == .idle)
    #expect(
      session.sendAll()
        == #"{"parameters":{"was":"A"}}␀{"parameters":{"was":"B"}}␀{"parameters":{"was":"C"}}␀"#)
  }

  @Test func `a stream holds back what was pipelined behind it`() throws {
    var session = ServerSession()
    session.receive(call("Stream", #","more":true"#) + call("Next"))
    #expect(try session.nextCall()?.more == true)
    for number in 0..<3 {
      session.send(Reply(["n": .integer(Int64(number))], continues: true))
      #expect(session.callInProgress)
      #expect(try session.next() == .idle)
    }
    session.send(Reply(["n": 3]))
    #expect(try session.nextCall()?.method == "a.b.Next")
    #expect(
      session.sendAll() == #"{"parameters":{"n":0},"continues":true}␀{"parameters":{"n":1},"continues":true}␀"#
        + #"{"parameters":{"n":2},"continues":true}␀{"parameters":{"n":3}}␀"#)
  }

  @Test func `an error ends a stream`() throws {
    var session = ServerSession()
    session.receive(call("Stream", #","more":true"#))
    _ = try session.nextCall()
    session.send(Reply(continues: true))
    var error = Reply(error: "a.b.Gone")
    error.continues = true
    session.send(error)
    #expect(!session.callInProgress)
    #expect(session.sendAll() == #"{"continues":true}␀{"error":"a.b.Gone"}␀"#)
  }

  @Test func `more may be answered with a single reply`() throws {
    var session = ServerSession()
    session.receive(call("A", #","more":true"#) + call("B"))
    _ = try session.nextCall()
    session.send(Reply())
    #expect(try session.nextCall()?.method == "a.b.B")
  }

  @Test func `continues is never sent to a call that did not ask for more`() throws {
    var session = ServerSession()
    session.receive(call("A") + call("B"))
    _ = try session.nextCall()
    session.send(Reply(["n": 1], continues: true))
    #expect(session.sendAll() == #"{"parameters":{"n":1}}␀"#)
    #expect(try session.nextCall()?.method == "a.b.B")
    session.send(encoded: Reply(continues: true).encoded(), continues: true)
    #expect(session.unsent == 0)
    #expect(session.callInProgress)
  }

  @Test func `a oneway call is never answered, not even with an error`() throws {
    var session = ServerSession()
    session.receive(
      call("A", #","oneway":true"#) + call("B", #","oneway":true"#) + call("C", #","oneway":true"#) + call("D"))
    _ = try session.nextCall()
    session.send(Reply(["n": 1]))
    _ = try session.nextCall()
    session.send(Reply(error: "a.b.E"))
    _ = try session.nextCall()
    session.send(encoded: Reply(["n": 1]).encoded(), continues: false)
    #expect(session.unsent == 0)
    #expect(try session.nextCall()?.method == "a.b.D")
    session.send(Reply(["d": 1]))
    #expect(session.sendAll() == #"{"parameters":{"d":1}}␀"#)
  }

  @Test func `a reply without a call goes nowhere`() throws {
    var session = ServerSession()
    session.send(Reply(["n": 1]))
    session.send(encoded: Reply().encoded(), continues: false)
    #expect(session.unsent == 0)
    session.receive(call("A"))
    _ = try session.nextCall()
    session.send(Reply())
    session.send(Reply(["late": true]))
    #expect(session.sendAll() == "{}␀")
  }

  @Test func `one encoded event serves many streams`() throws {
    let event = Reply(["event": "decided"], continues: true).encoded()
    for _ in 0..<3 {
      var session = ServerSession()
      session.receive(call("Stream", #","more":true"#))
      _ = try session.nextCall()
      session.send(encoded: event, continues: true)
      session.send(encoded: event, continues: true)
      #expect(session.callInProgress)
      #expect(
        session.sendAll() == String(repeating: #"{"parameters":{"event":"decided"},"continues":true}␀"#, count: 2))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a million tiny pipelined calls are answered in linear time`() throws {
    var session = ServerSession()
    let one = wire(#"{"method":"a.b"}␀"#)
    let burst = [[UInt8]](repeating: one, count: 1_000).flatMap { $0 }
    let answer = Reply().encoded()
    var answered = 0
    for _ in 0..<1_000 {
      burst.withUnsafeBytes { session.receive($0) }
    }
    while case .call = try session.next() {
      session.send(encoded: answer, continues: false)
      if session.unsent > 60_000 { session.sent(session.unsent) }
      answered += 1
    }
    #expect(answered == 1_000_000)
  }
}

@Suite struct ServerSessionEndTests {
  @Test func `after half-close queued calls are still answered`() throws {
    let service = try EchoService()
    var session = ServerSession()
    session.receive(getInfo + getInfo)
    session.endOfInput()
    #expect(!session.wantsInput)
    #expect(try service.answerAll(&session) == .finished)
    #expect(session.sendAll() == info + info)
  }

  @Test func `after half-close a call in progress is still answered`() throws {
    var session = ServerSession()
    session.receive(call("A"))
    _ = try session.nextCall()
    session.endOfInput()
    #expect(try session.next() == .idle)
    session.send(Reply(["n": 1]))
    #expect(try session.next() == .finished)
    #expect(session.sendAll() == #"{"parameters":{"n":1}}␀"#)
  }

  @Test func `an input that ends between messages is finished at once`() throws {
    var session = ServerSession()
    session.endOfInput()
    #expect(try session.next() == .finished)
  }

  @Test func `an input that ends inside a message is a violation, after what came before`() throws {
    var session = ServerSession()
    session.receive(call("A") + #"{"method":"#)
    session.endOfInput()
    _ = try session.nextCall()
    session.send(Reply())
    #expect(throws: ProtocolViolation.inputEndedInsideMessage) { try session.next() }
  }
}
