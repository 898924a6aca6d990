// SPDX-License-Identifier: Apache-2.0
//
// The client's side of the certification: calls every method with what the one before gave, and ends with the server's
// word that all was right.

import StrictJSON
import Varlink

/// Why a server was not certified.
enum CertificationFailure: Error {
  case error(String, JSONObject)
  case unexpected(Reply)
  case refused
}

/// One run of the certification against a server.
struct CertificationClient {
  private let socket: UnixSocket
  private var session = ClientSession()

  init(path: String) throws {
    socket = try UnixSocket(connectedTo: path)
  }

  /// Goes through all methods.
  mutating func run() throws {
    let client = try call("Start", [:])["client_id"] ?? .null
    var result: JSONObject = [:]
    for number in 1...9 {
      result["client_id"] = client
      result = try call("Test0\(number)", result)
    }
    result["client_id"] = client
    let replies = try stream("Test10", result)
    session.call(
      "\(CertificationInterface.name).Test11", ["client_id": client, "last_more_replies": .array(replies)], oneway: true
    )
    let end = try call("End", ["client_id": client])
    print("End: \(String(decoding: end.encoded(), as: UTF8.self))")
    guard end["all_ok"] == true else { throw CertificationFailure.refused }
  }

  private mutating func call(_ method: String, _ parameters: JSONObject) throws -> JSONObject {
    session.call("\(CertificationInterface.name).\(method)", parameters)
    let reply = try nextReply()
    guard !reply.continues else { throw CertificationFailure.unexpected(reply) }
    return reply.parameters
  }

  private mutating func stream(_ method: String, _ parameters: JSONObject) throws -> [JSON] {
    session.call("\(CertificationInterface.name).\(method)", parameters, more: true)
    var values: [JSON] = []
    while session.outstanding > 0 {
      let reply = try nextReply()
      guard let value = reply.parameters["string"] else { throw CertificationFailure.unexpected(reply) }
      values.append(value)
    }
    return values
  }

  /// The next reply that is no error, after everything unsent was sent.
  private mutating func nextReply() throws -> Reply {
    while session.unsent > 0 {
      session.sent(try session.withUnsent { try socket.send($0, waits: true) })
    }
    while true {
      if let reply = try session.next() {
        if let error = reply.error { throw CertificationFailure.error(error, reply.parameters) }
        return reply
      }
      let bytes = try socket.receive()
      guard !bytes.isEmpty else { throw CertificationFailure.refused }
      bytes.withUnsafeBytes { session.receive($0) }
    }
  }
}
