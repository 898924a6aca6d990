// SPDX-License-Identifier: Apache-2.0
//
// What a client sends, and which replies it believes.

import StrictJSON
import Testing
import Varlink

@Suite struct ClientSessionTests {
  @Test func `a call carries only what it says`() {
    var session = ClientSession()
    session.call("a.b.A")
    session.call("a.b.B", ["n": 1])
    session.call("a.b.C", more: true)
    session.call("a.b.D", ["n": .null], oneway: true)
    session.call("a.b.E", more: true, oneway: true)
    #expect(
      session.sendAll() == #"{"method":"a.b.A"}␀{"method":"a.b.B","parameters":{"n":1}}␀"#
        + #"{"method":"a.b.C","more":true}␀{"method":"a.b.D","parameters":{"n":null},"oneway":true}␀"#
        + #"{"method":"a.b.E","oneway":true}␀"#)
    #expect(session.outstanding == 3)
  }

  @Test func `replies are matched to calls in order`() throws {
    var session = ClientSession()
    session.call("a.b.A")
    session.call("a.b.B", more: true)
    session.call("a.b.C")
    session.receive(#"{"parameters":{"n":1}}␀{"continues":true}␀{"continues":true,"parameters":{"n":2}}␀"#)
    #expect(try session.next() == Reply(["n": 1]))
    #expect(session.outstanding == 2)
    #expect(try session.next() == Reply(continues: true))
    #expect(try session.next() == Reply(["n": 2], continues: true))
    #expect(session.outstanding == 2)
    #expect(try session.next() == nil)
    session.receive(#"{"error":"a.b.Gone","parameters":{"why":"x"}}␀{"parameters":null}␀"#)
    #expect(try session.next() == Reply(error: "a.b.Gone", ["why": "x"]))
    #expect(try session.next() == Reply())
    #expect(session.outstanding == 0)
  }

  @Test(arguments: [
    "{}", #"{"parameters":{}}"#, #"{"parameters":null}"#, #"{"continues":false}"#, #"{"org.example":{"x":1}}"#, " { } ",
  ])
  func `an empty reply may be written in many ways`(text: String) throws {
    var session = ClientSession()
    session.call("a.b.A")
    session.receive(text + "␀")
    #expect(try session.next() == Reply())
  }

  @Test(
    arguments: [
      (#"{"parameters":[]}"#, .parametersNotObject), (#"{"error":null}"#, .errorNotString),
      (#"{"error":1}"#, .errorNotString),
      (#"{"continues":1}"#, .flagNotBoolean("continues")), (#"{"continues":true}"#, .continuesNotAsked),
      (#"{"continues":true,"error":"a.b.E"}"#, .errorContinues), (#"{"upgraded":false}"#, .unknownMember("upgraded")),
      (#"{"id":1}"#, .unknownMember("id")), (#"{"org.example":1}"#, .vendorMemberNotObject("org.example")),
    ] as [(String, ProtocolViolation)])
  func `a reply that breaks the protocol is refused`(text: String, violation: ProtocolViolation) {
    var session = ClientSession()
    session.call("a.b.A")
    session.receive(text + "␀")
    for _ in 0..<2 {
      #expect(throws: violation) { try session.next() }
    }
  }

  @Test func `a reply that no call waits for is refused`() throws {
    var session = ClientSession()
    session.call("a.b.A", oneway: true)
    session.receive("{}␀")
    #expect(throws: ProtocolViolation.replyWithoutCall) { try session.next() }
    session = ClientSession()
    session.call("a.b.A")
    session.receive("{}␀{}␀")
    #expect(try session.next() == Reply())
    #expect(throws: ProtocolViolation.replyWithoutCall) { try session.next() }
  }

  @Test func `an oversized reply is refused`() {
    var limits = SessionLimits()
    limits.messageBytes = 10
    var session = ClientSession(limits: limits)
    session.call("a.b.A")
    session.receive(#"{"parameters":{}}"#)
    #expect(throws: ProtocolViolation.messageTooLong(limit: 10)) { try session.next() }
  }

  @Test func `a hundred thousand pipelined calls are matched in linear time`() throws {
    let service = try EchoService()
    var client = ClientSession()
    var server = ServerSession()
    var replies: Int64 = 0
    for number in 0..<100_000 {
      client.call("org.example.echo.Echo", ["number": .integer(Int64(number))])
    }
    client.withUnsent { server.receive($0) }
    client.sent(client.unsent)
    while client.outstanding > 0 {
      _ = try service.answerAll(&server)
      server.withUnsent { client.receive($0) }
      server.sent(server.unsent)
      while let reply = try client.next() {
        #expect(reply.parameters["number"] == .integer(replies))
        replies += 1
      }
    }
    #expect(replies == 100_000)
  }
}
