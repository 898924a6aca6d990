// SPDX-License-Identifier: Apache-2.0
//
// How each kind of mutation is fed: to a session in one piece and byte by byte, with the same outcome; to the parser as
// a text. A session that took the message must still take the next one.

import StrictJSON
import Varlink

/// Damaged calls, fed to a server.
struct ServerTrial {
  private let directory: ServiceDirectory

  init() throws {
    directory = try ServiceDirectory(
      vendor: "consentd", product: "varlink-mutations", version: "1", url: "https://varlink.org",
      interfaces: [try InterfaceDescription(parsing: Corpus.interface)])
  }

  /// Feeds one call and a good one behind it.
  func feed(_ message: [UInt8]) throws {
    let stream = message + [0] + Array(Corpus.goodCall.utf8) + [0]
    let whole = outcome(of: [stream[...]])
    guard outcome(of: stream.indices.map { stream[$0...$0] }) == whole else {
      throw Finding(what: "a call depends on how it is cut", message: message)
    }
    if case .finished = whole.end, whole.replies.last != Self.answered(Corpus.goodCall, by: directory) {
      throw Finding(what: "a good call behind this one is not served", message: message)
    }
  }

  /// What came of a stream.
  private struct Outcome: Equatable {
    enum End: Equatable {
      case finished
      case violation(ProtocolViolation)
    }

    var calls: [MethodCall] = []
    var replies: [[UInt8]] = []
    var end = End.finished
  }

  private func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
    var session = ServerSession()
    var outcome = Outcome()
    do throws(ProtocolViolation) {
      for piece in pieces {
        piece.withUnsafeBytes { session.receive($0) }
        try answerAll(&session, &outcome)
      }
      session.endOfInput()
      try answerAll(&session, &outcome)
    } catch {
      outcome.end = .violation(error)
    }
    return outcome
  }

  private func answerAll(_ session: inout ServerSession, _ outcome: inout Outcome) throws(ProtocolViolation) {
    while case .call(let call) = try session.next() {
      let reply = Self.reply(to: call, by: directory)
      session.send(reply)
      outcome.calls.append(call)
      outcome.replies.append(session.withUnsent { Array($0) })
      session.sent(session.unsent)
    }
  }

  private static func reply(to call: MethodCall, by directory: ServiceDirectory) -> Reply {
    switch directory.admit(call) {
    case .answer(let reply): reply
    case .dispatch: Reply(call.parameters)
    }
  }

  private static func answered(_ text: String, by directory: ServiceDirectory) -> [UInt8]? {
    var session = ServerSession()
    Array(text.utf8 + [0]).withUnsafeBytes { session.receive($0) }
    guard case .call(let call)? = try? session.next() else { return nil }
    return reply(to: call, by: directory).encoded()
  }
}

/// Damaged replies, fed to a client.
enum ClientTrial {
  /// Feeds one reply and a good one behind it.
  static func feed(_ message: [UInt8]) throws {
    let stream = message + [0] + Array(Corpus.goodReply.utf8) + [0]
    guard outcome(of: [stream[...]]) == outcome(of: stream.indices.map { stream[$0...$0] }) else {
      throw Finding(what: "a reply depends on how it is cut", message: message)
    }
  }

  private struct Outcome: Equatable {
    var replies: [Reply] = []
    var violation: ProtocolViolation?
  }

  private static func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
    var session = ClientSession()
    session.call("org.example.mutated.Watch", more: true)
    session.call("org.example.mutated.Get")
    var outcome = Outcome()
    do throws(ProtocolViolation) {
      for piece in pieces {
        piece.withUnsafeBytes { session.receive($0) }
        while let reply = try session.next() { outcome.replies.append(reply) }
      }
    } catch {
      outcome.violation = error
    }
    return outcome
  }
}

/// Damaged texts, fed to the parser of interfaces.
enum DescriptionTrial {
  /// Feeds one text. An error must lie within it.
  static func feed(_ message: [UInt8]) throws {
    let text = String(decoding: message, as: UTF8.self)
    do throws(DescriptionError) {
      let description = try InterfaceDescription(parsing: text)
      _ = description.methods.map { description.firstInvalidParameter(of: Corpus.parameters, method: $0.name) }
    } catch {
      let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard lines.indices.contains(error.line - 1), 1...lines[error.line - 1].count + 1 ~= error.column else {
        throw Finding(what: "the error \(error) lies outside the text", message: message)
      }
    }
  }
}
