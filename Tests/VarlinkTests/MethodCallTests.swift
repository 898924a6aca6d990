// SPDX-License-Identifier: Apache-2.0
//
// The header of a call: what is read the same, and what closes the connection.

import StrictJSON
import Testing
import Varlink

/// The call that `text` is.
private func call(_ text: String) throws -> MethodCall? {
  var session = ServerSession()
  session.receive(text + "␀")
  return try session.nextCall()
}

@Suite struct MethodCallTests {
  @Test(arguments: [
    #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":{}}"#, #"{"method":"a.b.C","parameters":null}"#,
    #"{"method": "a.b.C", "more": false, "parameters": {}}"#, #"{"oneway":false,"method":"a.b.C"}"#,
    #"{"upgrade":false,"more":false,"oneway":false,"method":"a.b.C"}"#, " \t\r\n{ \"method\" : \"a.b.C\" }\n ",
    #"{"\u006dethod":"a.b.C"}"#,
  ])
  func `absent, null and empty parameters and false flags are the same call`(text: String) throws {
    #expect(try call(text) == MethodCall(method: "a.b.C"))
  }

  @Test(arguments: [
    (#"{"method":"a.b.C","more":true}"#, MethodCall.Kind.more), (#"{"oneway":true,"method":"a.b.C"}"#, .oneway),
    (#"{"upgrade":true,"method":"a.b.C","more":false,"oneway":false}"#, .upgrade),
  ])
  func `one flag may be set, before or after the method`(text: String, kind: MethodCall.Kind) throws {
    let call = try #require(try call(text))
    #expect(call.kind == kind)
    #expect([call.more, call.oneway, call.upgrade] == [kind == .more, kind == .oneway, kind == .upgrade])
  }

  @Test func `parameters arrive as they were sent`() throws {
    #expect(
      try call(#"{"method":"a.b.C","parameters":{"z":1,"a":[null,1.5,"é😀"]}}"#)
        == MethodCall(method: "a.b.C", parameters: ["z": 1, "a": [.null, .real(1.5), "é😀"]]))
  }

  @Test(arguments: [
    #"{"method":"a.b.C","org.example":{}}"#, #"{"org.example":{"x":[1]},"method":"a.b.C"}"#,
    #"{"method":"a.b.C","org.example.tracing":{"method":"x","more":true}}"#,
  ])
  func `an object under a vendor's name is ignored`(text: String) throws {
    #expect(try call(text) == MethodCall(method: "a.b.C"))
  }

  @Test(
    arguments: [
      (#"{}"#, .noMethod), (#"{"parameters":{}}"#, .noMethod), (#"{"method":null}"#, .noMethod),
      (#"{"method":1}"#, .noMethod), (#"{"method":["a.b.C"]}"#, .noMethod),
      (#"{"Method":"a.b.C"}"#, .unknownMember("Method")),
      (#"{"method":"a.b.C","parameters":[]}"#, .parametersNotObject),
      (#"{"method":"a.b.C","parameters":"{}"}"#, .parametersNotObject),
      (#"{"method":"a.b.C","parameters":false}"#, .parametersNotObject),
      (#"{"method":"a.b.C","parameters":0}"#, .parametersNotObject),
      (#"{"method":"a.b.C","id":1}"#, .unknownMember("id")), (#"{"method":"a.b.C","x-id":{}}"#, .unknownMember("x-id")),
      (#"{"method":"a.b.C","":{}}"#, .unknownMember("")), (#"{"method":"a.b.C","error":"e"}"#, .unknownMember("error")),
      (#"{"method":"a.b.C","continues":false}"#, .unknownMember("continues")),
      (#"{"method":"a.b.C","MORE":true}"#, .unknownMember("MORE")),
      (#"{"method":"a.b.C","org.example":1}"#, .vendorMemberNotObject("org.example")),
      (#"{"method":"a.b.C","org.example":null}"#, .vendorMemberNotObject("org.example")),
      (#"{"method":"a.b.C","more":1}"#, .flagNotBoolean("more")),
      (#"{"method":"a.b.C","more":null}"#, .flagNotBoolean("more")),
      (#"{"method":"a.b.C","oneway":"true"}"#, .flagNotBoolean("oneway")),
      (#"{"method":"a.b.C","upgrade":{}}"#, .flagNotBoolean("upgrade")),
      (#"{"method":"a.b.C","more":true,"oneway":true}"#, .severalFlags),
      (#"{"method":"a.b.C","more":true,"upgrade":true}"#, .severalFlags),
      (#"{"method":"a.b.C","oneway":true,"upgrade":true}"#, .severalFlags),
      (#"{"method":"a.b.C","oneway":true,"upgrade":true,"more":true}"#, .severalFlags),
      (#"{"method":"a.b.C","oneway":true,"more":0}"#, .flagNotBoolean("more")),
    ] as [(String, ProtocolViolation)])
  func `a header that has no reply closes the connection`(text: String, violation: ProtocolViolation) {
    #expect(throws: violation) { try call(text) }
  }

  @Test(arguments: [
    "foo", "", " ", "[]", #"["method"]"#, "{", #"{"method":"a.b.C""#, #"{"method":"a.b.C"}{"method":"a.b.C"}"#,
    #"{"method":"a.b.C","method":"a.b.D"}"#, #"{"method":"a.b.C","parameters":{"a":1,"a":2}}"#,
    #"{"method":"a.b.C","parameters":{"interface":"\u0000"}}"#, "\u{FEFF}" + #"{"method":"a.b.C"}"#,
    #"{"method":"a.b.C",}"#, #"{"method":"a.b.C"} // c"#, #"{"method":"\uD800"}"#,
    #"{"method":"a.b.C","parameters":{"n":9223372036854775808}}"#, "{\"method\":\"a\nb\"}",
  ])
  func `a message that is no strict JSON object closes the connection`(text: String) {
    #expect(#expect(throws: ProtocolViolation.self) { try call(text) }?.isNotJSON == true)
  }

  @Test func `a deeply nested message closes the connection`() throws {
    func nested(_ depth: Int) -> String {
      let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return #"{"method":"a.b.C","parameters":{"a":\#(array)}}"#
    }
    #expect(try call(nested(62)) != nil)
    #expect(#expect(throws: ProtocolViolation.self) { try call(nested(63)) }?.isNotJSON == true)
    #expect(#expect(throws: ProtocolViolation.self) { try call(nested(100_000)) }?.isNotJSON == true)
  }

  @Test func `a name that only looks like a member of the header is unknown`() {
    #expect(throws: ProtocolViolation.unknownMember("\u{FF4D}ore")) { try call(#"{"method":"a.b.C","ｍore":true}"#) }
  }
}

extension ProtocolViolation {
  fileprivate var isNotJSON: Bool { if case .notJSON = self { true } else { false } }
}
