// SPDX-License-Identifier: Apache-2.0
//
// The protocol byte by byte over a live socket: what is refused by closing, what is answered, in which order, and that
// the server is well afterwards. Much of it comes from public fault reports about other Varlink implementations.

import StrictJSON
import TestSupport
import Testing

@Suite struct WireTests {
  private static let info = #"{"method":"org.varlink.service.GetInfo"}"#

  @Test(arguments: [
    "foo", "", " ", "[]", "1", "null", #""text""#, "{", "{}", #"{"parameters":{}}"#, #"{"method":1}"#,
    #"{"method":null}"#,
    #"{"method":"org.varlink.service.GetInfo","more":1}"#, #"{"method":"org.varlink.service.GetInfo","more":"true"}"#,
    #"{"method":"org.varlink.service.GetInfo","oneway":0}"#, #"{"method":"org.varlink.service.GetInfo","upgrade":[]}"#,
    #"{"method":"org.varlink.service.GetInfo","more":true,"oneway":true}"#,
    #"{"method":"org.varlink.service.GetInfo","more":true,"upgrade":true}"#,
    #"{"method":"org.varlink.service.GetInfo","parameters":[]}"#,
    #"{"method":"org.varlink.service.GetInfo","parameters":"x"}"#,
    #"{"method":"org.varlink.service.GetInfo","id":1}"#, #"{"method":"org.varlink.service.GetInfo","method":"x"}"#,
    #"{"method":"org.varlink.service.GetInfo",}"#, #"{"method":"org.varlink.service.GetInfo"}x"#,
    #"{"method":"org.varlink.service.GetInfo"} {}"#, "\u{feff}" + info,
    #"{"method":"a.b.C","parameters":{"interface":"\u0000"}}"#, #"{"method":"a.b.C","parameters":{"x":"\ud800"}}"#,
    #"{"method":"a.b.C","parameters":{"n":01}}"#, #"{"method":"a.b.C","parameters":{"n":NaN}}"#,
    #"{"method":"a.b.C","parameters":{"n":9223372036854775808}}"#, "{'method':'a.b.C'}", "// note\n" + info,
    #"{"method":"a.b.C","parameters":{"a":1,"a":2}}"#,
    #"{"method":"a.b.C","parameters":{"x":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
      + "}}",
    #"{"method":"a.b.C","parameters":{"x":"# + String(repeating: "[", count: 100_000),
  ])
  func `a message that is none closes the connection without a reply`(text: String) throws {
    let family = try Family()
    let client = try family.daemon.apps()
    try client.send(bytes: Array(text.utf8) + [0])
    #expect(try client.receive() == nil)
    #expect(try family.statistics()["protocolViolations"] == 1)
    #expect(try family.app.call("\(Interface.service).GetInfo")["interfaces"] != nil)
  }

  @Test(
    arguments: [
      [0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf], [0x01], [0x0a],
    ] as [[UInt8]])
  func `bytes that are no text close the connection`(bytes: [UInt8]) throws {
    let family = try Family()
    let client = try family.daemon.apps()
    let start = Array(#"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":""#.utf8)
    try client.send(bytes: start + bytes + Array(#""}}"#.utf8) + [0])
    #expect(try client.receive() == nil)
  }

  @Test(arguments: [
    info, #"{"method":"org.varlink.service.GetInfo","parameters":{}}"#,
    #"{"method":"org.varlink.service.GetInfo","parameters":null}"#,
    #"{"method":"org.varlink.service.GetInfo","more":false,"oneway":false,"upgrade":false}"#,
    #"{"more":true,"method":"org.varlink.service.GetInfo"}"#,
    #"{"method":"org.varlink.service.GetInfo","org.example":{"trace":1}}"#,
    " \t\r\n{ \"parameters\" : { } , \"method\" : \"org.varlink.service.GetInfo\" } \n",
    #"{"method":"org.varlink.service.Get\u0049nfo"}"#,
  ])
  func `a call is understood in every form the protocol allows`(text: String) throws {
    let family = try Family()
    for _ in 0..<2 {
      try family.app.send(bytes: Array(text.utf8) + [0])
      let reply = try #require(try family.app.receive())
      #expect(reply.error == nil && !reply.continues)
      #expect(reply.parameters["interfaces"] != nil)
    }
  }

  @Test func `a name that is no method is not found and the connection lives on`() throws {
    let family = try Family()
    for name in ["gibberish", "", ".", "..", "GetInfo", "org.varlink.service.", ".GetInfo", "a.b", "é.ü.X"] {
      try family.app.send(bytes: (["method": .string(name)] as JSONObject).encoded() + [0])
      let reply = try #require(try family.app.receive())
      #expect(["MethodNotFound", "InterfaceNotFound"].contains { reply.error == "\(Interface.service).\($0)" })
    }
    #expect(try family.app.call("\(Interface.service).GetInfo")["vendor"] != nil)
  }

  @Test func `an upgrade is refused and Varlink goes on`() throws {
    let family = try Family()
    try family.app.send(bytes: Array(#"{"method":"org.varlink.service.GetInfo","upgrade":true}"#.utf8) + [0])
    #expect(try #require(try family.app.receive()).error != nil)
    #expect(try family.app.call("\(Interface.service).GetInfo")["vendor"] != nil)
  }

  @Test func `a message may come one byte at a time, split inside its characters`() throws {
    let family = try Family()
    let message: JSONObject = [
      "method": "org.varlink.service.GetInterfaceDescription", "parameters": ["interface": "é😀"],
    ]
    for byte in message.encoded() + [0] { try family.app.send(bytes: [byte]) }
    let reply = try #require(try family.app.receive())
    #expect(reply.error == "\(Interface.service).InterfaceNotFound")
    #expect(reply.parameters["interface"] == "é😀")
  }

  @Test func `pipelined calls are answered in their order`() throws {
    let family = try Family()
    // More than a socket holds unread in either direction: whoever sends all before it reads must not be left waiting.
    for number in 0..<500 { try family.app.send("org.example.N\(number).Do") }
    for number in 0..<500 {
      let error = try #require(try family.app.receive())
      #expect(error.parameters["interface"] == .string("org.example.N\(number)"))
    }
  }

  @Test func `a parked call holds back the calls behind it and nobody else's`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let caller = try family.waiter(for: question)
    try caller.send("\(Interface.service).GetInfo")
    #expect(try family.app.call("\(Interface.service).GetInfo")["vendor"] != nil)
    #expect(caller.isQuiet)
    try family.answer(question, "deny")
    #expect(try caller.receiveAnswer()["state"] == "denied")
    #expect(try caller.receiveAnswer()["vendor"] != nil)
  }

  @Test func `a oneway call is done and never answered`() throws {
    let family = try Family()
    let client = try family.daemon.apps()
    try client.send("\(Interface.permission).Ask", family.asking(.update("2.0")), oneway: true)
    try client.send("\(Interface.permission).Ask", ["person": 1], oneway: true)
    try client.send("org.example.Absent.Do", oneway: true)
    try client.send("\(Interface.permission).Await", ["question": "0000"], oneway: true)
    let status = try client.call("\(Interface.permission).GetStatus", family.asking(.update("2.0")))
    #expect(status["status"] == "pending")
    #expect(client.isQuiet)
  }

  @Test func `a caller that has said all it will is still answered`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let caller = try family.waiter(for: question)
    try caller.send("\(Interface.service).GetInfo")
    caller.finishSending()
    #expect(try family.statistics()["waiters"] == 1)
    try family.answer(question, "approve")
    #expect(try caller.receiveAnswer()["state"] == "approved")
    #expect(try caller.receiveAnswer()["vendor"] != nil)
    #expect(try caller.receive() == nil)
  }

  @Test func `callers that wait, half-closed or not, cost no processor time`() throws {
    let family = try Family()
    let question = try family.question(.update("2.0"))
    let callers = try (0..<20).map { _ in try family.waiter(for: question) }
    for caller in callers.prefix(10) { caller.finishSending() }
    let before = try family.daemon.program.processorTime
    let wait: JSONObject = ["question": .string(question), "timeoutUSec": 500_000]
    #expect(try family.app.permission("Await", wait)["state"] == "pending")
    #expect(try family.daemon.program.processorTime - before < .milliseconds(60))
    #expect(try family.answer(question, "deny")["waitersResumed"] == 20)
    for caller in callers { #expect(try caller.receiveAnswer()["state"] == "denied") }
  }

  @Test func `a caller that said nothing and finished is let go`() throws {
    let family = try Family()
    let client = try family.daemon.apps()
    client.finishSending()
    #expect(try client.receive() == nil)
    let partial = try family.daemon.apps()
    try partial.send(bytes: Array(#"{"method":"org.var"#.utf8))
    partial.finishSending()
    #expect(try partial.receive() == nil)
  }

  @Test func `a message of almost a mebibyte is read, and one without an end is not`() throws {
    let family = try Family()
    let frame = Array(#"{"method":"org.example.Absent.Do","parameters":{"x":""}}"#.utf8).count
    let room = 1 << 20
    let fits =
      Array(#"{"method":"org.example.Absent.Do","parameters":{"x":""#.utf8)
      + [UInt8](repeating: UInt8(ascii: "y"), count: room - frame - 64) + Array(#""}}"#.utf8)
    try family.app.send(bytes: fits + [0])
    #expect(try #require(try family.app.receive()).error == "\(Interface.service).InterfaceNotFound")
    let endless = try family.daemon.apps()
    let chunk = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
    var sent = 0
    while sent < 8 * room, try endless.send(bytes: chunk) { sent += chunk.count }
    #expect(sent < 8 * room)
    #expect(try endless.receive() == nil)
  }

  @Test func `a server that was insulted a thousand times serves the next`() throws {
    let family = try Family()
    for _ in 0..<1_000 {
      let client = try family.daemon.apps()
      try client.send(bytes: Array("foo".utf8) + [0])
      client.close()
    }
    for _ in 0..<1_000 { try family.daemon.apps().close() }
    for _ in 0..<100 {
      #expect(try family.daemon.apps().call("\(Interface.service).GetInfo")["vendor"] != nil)
    }
  }
}
