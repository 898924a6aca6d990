// SPDX-License-Identifier: Apache-2.0
//
// Which calls reach a service, and what the others are answered. After every answer the connection goes on.

import StrictJSON
import Testing
import Varlink

/// A call of `org.varlink.service.GetInterfaceDescription`.
private func describe(_ parameters: String) -> String {
  #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":\#(parameters)}␀"#
}

/// An error of `org.varlink.service`.
private func failure(_ name: String, _ parameters: String) -> String {
  #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}␀"#
}

@Suite struct ServiceDirectoryTests {
  private let service: EchoService

  init() throws {
    service = try EchoService()
  }

  @Test(arguments: [
    ("gibberish", failure("MethodNotFound", #"{"method":"gibberish"}"#)),
    ("", failure("MethodNotFound", #"{"method":""}"#)),
    (".", failure("InterfaceNotFound", #"{"interface":""}"#)),
    ("org.example.echo.", failure("MethodNotFound", #"{"method":"org.example.echo."}"#)),
    ("org.example.none.Echo", failure("InterfaceNotFound", #"{"interface":"org.example.none"}"#)),
    ("org.example.echo.None", failure("MethodNotFound", #"{"method":"org.example.echo.None"}"#)),
    ("org.example.echo.echo", failure("MethodNotFound", #"{"method":"org.example.echo.echo"}"#)),
    ("org.example.Echo", failure("InterfaceNotFound", #"{"interface":"org.example"}"#)),
    ("org.example.echo.Echo.x", failure("InterfaceNotFound", #"{"interface":"org.example.echo.Echo"}"#)),
    (
      "org.varlin\u{212A}.service.GetInfo",
      failure("InterfaceNotFound", "{\"interface\":\"org.varlin\u{212A}.service\"}")
    ),
    (
      "org.example.echo.Ech\u{6F}\u{301}",
      failure("MethodNotFound", "{\"method\":\"org.example.echo.Ech\u{6F}\u{301}\"}")
    ),
    ("org.example.echo.\u{212A}eep", failure("MethodNotFound", "{\"method\":\"org.example.echo.\u{212A}eep\"}")),
    (#"\n\u001b.\"X\""#, failure("InterfaceNotFound", #"{"interface":"\n\u001b"}"#)),
  ])
  func `an unknown method is answered, and the connection goes on`(method: String, reply: String) throws {
    #expect(try service.replies(to: #"{"method":"\#(method)"}␀"# + getInfo) == reply + info)
  }

  @Test(arguments: ["", #","parameters":{}"#, #","parameters":null"#])
  func `a service tells what it is`(parameters: String) throws {
    #expect(try service.replies(to: #"{"method":"org.varlink.service.GetInfo"\#(parameters)}␀"#) == info)
  }

  @Test(arguments: [
    ("{}", failure("InvalidParameter", #"{"parameter":"interface"}"#)),
    (#"{"interface":null}"#, failure("InvalidParameter", #"{"parameter":"interface"}"#)),
    (#"{"interface":1}"#, failure("InvalidParameter", #"{"parameter":"interface"}"#)),
    (#"{"interface":"org.example.echo","x":1}"#, failure("InvalidParameter", #"{"parameter":"x"}"#)),
    (#"{"interface":"org.example.none"}"#, failure("InterfaceNotFound", #"{"interface":"org.example.none"}"#)),
    (#"{"interface":""}"#, failure("InterfaceNotFound", #"{"interface":""}"#)),
    (#"{"interface":"é😀"}"#, failure("InterfaceNotFound", #"{"interface":"é😀"}"#)),
    (#"{"interface":"\u00e9\ud83d\ude00"}"#, failure("InterfaceNotFound", #"{"interface":"é😀"}"#)),
  ])
  func `a description that cannot be given is answered, and the connection goes on`(
    parameters: String, reply: String
  ) throws {
    #expect(try service.replies(to: describe(parameters) + getInfo) == reply + info)
  }

  @Test func `a service describes each of its interfaces`() throws {
    for interface in service.directory.interfaces {
      let call = MethodCall(
        method: "org.varlink.service.GetInterfaceDescription", parameters: ["interface": .string(interface.name)])
      #expect(service.directory.admit(call) == .answer(Reply(["description": .string(interface.text)])))
    }
    #expect(service.directory.interfaces.map(\.name) == ["org.example.echo", "org.varlink.service"])
  }

  @Test func `interfaces are listed by name, whatever order they came in`() throws {
    let interfaces = try ["z.z", "org.varlink.a", "a.a"].map { try InterfaceDescription(parsing: "interface \($0)") }
    let directory = try ServiceDirectory(vendor: "", product: "", version: "", url: "", interfaces: interfaces)
    let names = ["a.a", "org.varlink.a", "org.varlink.service", "z.z"]
    #expect(directory.interfaces.map(\.name) == names)
    guard case .answer(let reply) = directory.admit(MethodCall(method: "org.varlink.service.GetInfo")) else {
      return #expect(Bool(false))
    }
    #expect(reply.parameters["interfaces"] == .array(names.map { .string($0) }))
  }

  @Test func `a call that matches its interface is dispatched by its short name`() {
    let call = MethodCall(method: "org.example.echo.Echo", parameters: ["text": "x"])
    #expect(service.directory.admit(call) == .dispatch(interface: "org.example.echo", method: "Echo"))
  }

  @Test func `a call that does not match its interface names the offender`() throws {
    let call = #"{"method":"org.example.echo.Echo","parameters":{"text":1}}␀"#
    #expect(try service.replies(to: call + getInfo) == failure("InvalidParameter", #"{"parameter":"text"}"#) + info)
  }

  @Test func `a stream without more is told so`() throws {
    let call = #"{"method":"org.example.echo.Watch","parameters":{"count":2}}␀"#
    #expect(try service.replies(to: call + getInfo) == #"{"error":"org.varlink.service.ExpectedMore"}␀"# + info)
  }

  @Test func `a stream with more is streamed`() throws {
    let call = #"{"method":"org.example.echo.Watch","parameters":{"count":2},"more":true}␀"#
    #expect(
      try service.replies(to: call + getInfo)
        == #"{"parameters":{"number":0},"continues":true}␀{"parameters":{"number":1}}␀"# + info)
  }

  @Test func `more is ignored by a method that needs none`() throws {
    #expect(try service.replies(to: #"{"method":"org.varlink.service.GetInfo","more":true}␀"# + getInfo) == info + info)
  }

  @Test(arguments: ["org.varlink.service.GetInfo", "org.example.echo.Echo", "org.example.echo.Watch"])
  func `upgrade is refused, and the connection stays Varlink`(method: String) throws {
    let refusal = failure("MethodNotImplemented", #"{"method":"\#(method)"}"#)
    #expect(try service.replies(to: #"{"method":"\#(method)","upgrade":true}␀"# + getInfo) == refusal + info)
  }

  @Test(arguments: [
    "gibberish", "org.varlink.service.GetInfo", "org.example.echo.Echo", "org.example.echo.Watch", "a.b.C",
  ])
  func `a oneway call is never answered, an unknown method and a missing parameter included`(method: String) throws {
    let call = #"{"method":"\#(method)","oneway":true}␀"#
    let wrong = #"{"method":"\#(method)","oneway":true,"parameters":{"no":1}}␀"#
    #expect(try service.replies(to: call + wrong + getInfo) == info)
  }

  @Test func `the service's own interface is documented throughout`() throws {
    let own = try #require(service.directory.interfaces.last)
    #expect(!own.documentation.isEmpty)
    #expect(own.methods.allSatisfy { !$0.documentation.isEmpty })
    #expect(own.errors.allSatisfy { !$0.documentation.isEmpty })
    let fields = own.methods.flatMap { $0.input + $0.output } + own.errors.flatMap(\.fields)
    #expect(fields.allSatisfy { !$0.documentation.isEmpty })
    #expect(
      own.errors.map(\.name) == [
        "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
        "ExpectedMore", "ExpectedUpgrade",
      ])
  }

  @Test func `its own replies match its own interface`() throws {
    let own = try #require(service.directory.interfaces.last)
    guard case .answer(let reply) = service.directory.admit(MethodCall(method: "org.varlink.service.GetInfo")) else {
      return #expect(Bool(false))
    }
    #expect(own.firstInvalidField(ofReply: reply.parameters, method: "GetInfo") == nil)
    let errors = [
      ServiceInterface.interfaceNotFound("x"), ServiceInterface.methodNotFound("x"),
      ServiceInterface.methodNotImplemented("x"), ServiceInterface.invalidParameter("x"), ServiceInterface.expectedMore,
    ]
    for reply in errors {
      let name = try #require(reply.error?.split(separator: ".").last)
      #expect(own.firstInvalidField(ofError: reply.parameters, error: String(name)) == nil)
    }
  }
}
