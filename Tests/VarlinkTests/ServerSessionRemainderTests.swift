// SPDX-License-Identifier: Apache-2.0
//
// A session that ends in one process and goes on in another: nothing is lost, nothing is done twice.

import StrictJSON
import Testing
import Varlink

struct ServerSessionRemainderTests {
  private let call = #"{"method":"a.b.C","parameters":{"text":"ü"},"more":true}␀"#

  @Test func `a session that owes nothing leaves nothing`() throws {
    var session = ServerSession()
    session.receive(getInfo)
    _ = try session.next()
    session.send(Reply(["n": 1]))
    _ = session.sendAll()
    #expect(session.remainder(puttingBack: nil).isEmpty)
  }

  @Test func `the call in progress is handed out again, before what was pipelined behind it`() throws {
    var session = ServerSession()
    session.receive(call + getInfo + #"{"met"#)
    let first = try session.nextCall()
    var next = ServerSession(goingOnWith: session.remainder(puttingBack: first))
    #expect(try next.nextCall() == first)
    #expect(try next.next() == .idle)
    next.send(Reply(["n": 1]))
    #expect(try next.nextCall()?.method == "org.varlink.service.GetInfo")
    next.send(Reply())
    #expect(try next.next() == .idle)
    next.receive(#"hod":"a.b.D"}␀"#)
    #expect(try next.nextCall()?.method == "a.b.D")
  }

  @Test func `what is unsent goes out first, from the byte where it stopped`() throws {
    var session = ServerSession()
    session.receive(call)
    let first = try session.nextCall()
    session.send(Reply(["n": 1], continues: true))
    session.sent(5)
    var next = ServerSession(goingOnWith: session.remainder(puttingBack: first))
    #expect(try next.nextCall() == first)
    next.send(Reply(["n": 2]))
    #expect(next.sendAll() == #"ameters":{"n":1},"continues":true}␀{"parameters":{"n":2}}␀"#)
  }

  @Test func `a peer that sends no more is known to send no more`() throws {
    var session = ServerSession()
    session.receive(call)
    session.endOfInput()
    let first = try session.nextCall()
    var next = ServerSession(goingOnWith: session.remainder(puttingBack: first))
    #expect(!next.wantsInput)
    #expect(try next.nextCall() == first)
    next.send(Reply())
    #expect(try next.next() == .finished)
  }

  @Test(arguments: [
    #"{"method":"a.b.C","more":true}␀"#, #"{"method":"a.b.C","oneway":true}␀"#, #"{"method":"a.b.C"}␀"#,
  ])
  func `a call keeps its flags`(message: String) throws {
    var session = ServerSession()
    session.receive(message)
    let first = try session.nextCall()
    #expect(session.remainder(puttingBack: first).input == wire(message))
  }

  @Test func `a call as deep as a call may be goes on`() throws {
    let depth = JSONObject.depthLimit - 1
    let deep = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    var session = ServerSession()
    session.receive(#"{"method":"a.b.C","parameters":"# + deep + "}␀")
    let first = try session.nextCall()
    var next = ServerSession(goingOnWith: session.remainder(puttingBack: first))
    #expect(try next.nextCall() == first)
  }
}
