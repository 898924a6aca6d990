// SPDX-License-Identifier: Apache-2.0
//
// How the tests talk to sessions: in text, where `␀` stands for the NUL that ends a message.

import StrictJSON
import Varlink

/// The bytes of `text`.
func wire(_ text: String) -> [UInt8] {
  text.unicodeScalars.flatMap { $0 == "␀" ? [0] : Array(String($0).utf8) }
}

/// The text of `bytes`.
func text(_ bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes.flatMap { $0 == 0 ? Array("␀".utf8) : [$0] }, as: UTF8.self)
}

extension ServerSession {
  mutating func receive(_ text: String) {
    wire(text).withUnsafeBytes { receive($0) }
  }

  /// The next step, which must be a call.
  mutating func nextCall() throws -> MethodCall? {
    if case .call(let call) = try next() { call } else { nil }
  }

  /// Everything unsent, which is then sent.
  mutating func sendAll() -> String {
    defer { sent(unsent) }
    return withUnsent { text($0) }
  }
}

extension ClientSession {
  mutating func receive(_ text: String) {
    wire(text).withUnsafeBytes { receive($0) }
  }

  /// Everything unsent, which is then sent.
  mutating func sendAll() -> String {
    defer { sent(unsent) }
    return withUnsent { text($0) }
  }
}

/// A service that answers every call by the directory, or with its own parameters.
struct EchoService {
  /// `Echo` gives back its parameter, `Watch` needs more.
  static let description = """
    # For the tests.
    interface org.example.echo

    # Gives back what it gets.
    method Echo(text: ?string, number: ?int) -> (text: ?string, number: ?int)

    # Gives back nothing.
    method Keep() -> ()

    # Sends each number below `count`.
    # [Requires 'more' flag]
    method Watch(count: int) -> (number: int)
    """

  let directory: ServiceDirectory

  init() throws {
    directory = try ServiceDirectory(
      vendor: "Example", product: "Echo", version: "1", url: "https://example.org",
      interfaces: [InterfaceDescription(parsing: Self.description)])
  }

  /// Answers every call that `session` holds, and says what comes after them.
  func answerAll(_ session: inout ServerSession) throws -> ServerSession.Step {
    while true {
      let step = try session.next()
      guard case .call(let call) = step else { return step }
      answer(call, &session)
    }
  }

  /// The replies to `text`, sent over a connection of its own.
  func replies(to text: String) throws -> String {
    var session = ServerSession()
    session.receive(text)
    _ = try answerAll(&session)
    return session.sendAll()
  }

  private func answer(_ call: MethodCall, _ session: inout ServerSession) {
    switch directory.admit(call) {
    case .answer(let reply): session.send(reply)
    case .dispatch(_, "Echo"), .dispatch(_, "Keep"): session.send(Reply(call.parameters))
    case .dispatch:
      let count = call.parameters["count"]?.integer ?? 0
      for number in 0..<count { session.send(Reply(["number": .integer(number)], continues: number < count - 1)) }
    }
  }
}

/// A call of `GetInfo`, and what `EchoService` answers.
let getInfo = #"{"method":"org.varlink.service.GetInfo"}␀"#
let info = """
  {"parameters":{"vendor":"Example","product":"Echo","version":"1","url":"https://example.org",\
  "interfaces":["org.example.echo","org.varlink.service"]}}␀
  """
