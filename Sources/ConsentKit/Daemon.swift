// SPDX-License-Identifier: Apache-2.0
//
// Where the daemon is, and the one way a call reaches it: a connection of its own for every call, closed behind it.
// So a long wait stands in nobody's way, and nothing has to be kept alive or set up again.

import Glibc
package import StrictJSON

/// A consentd, found by the directory of its sockets.
public struct Daemon: Sendable {
  /// The directory, without a slash at its end.
  public let runtimeDirectory: String

  /// Takes the directory given, else `$CONSENTD_RUNTIME_DIRECTORY` unless it is empty, else `/run/consentd`.
  public init(runtimeDirectory: String? = nil) {
    let variable = getenv("CONSENTD_RUNTIME_DIRECTORY").map { String(cString: $0) }
    self.runtimeDirectory = runtimeDirectory ?? variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/run/consentd"
  }

  /// One of the two sockets.
  package enum Socket: String, Sendable {
    case apps = "org.consentd.Permission"
    case guardians = "org.consentd.Guardian"
  }

  /// The path of a socket.
  package func path(_ socket: Socket) -> String { "\(runtimeDirectory)/\(socket.rawValue)" }

  /// Calls a method that has one reply. An error reply is thrown as `.refused`.
  package func call(
    _ socket: Socket, _ method: String, _ parameters: JSONObject = [:]
  ) async throws(ConsentError) -> JSONObject {
    let connection = try await Connection.open(path(socket))
    await connection.send(method, parameters)
    let outcome = await connection.outcome()
    await connection.close()
    return try outcome.get()
  }

  /// Calls a method that goes on replying. Nothing is sent before the sequence is read.
  package func stream<Element: Sendable>(
    _ socket: Socket, _ method: String, _ parameters: JSONObject,
    as element: @escaping @Sendable (JSONObject) -> Element
  ) -> ReplySequence<Element> {
    ReplySequence(path: path(socket), method: method, parameters: parameters, element: element)
  }
}
