// SPDX-License-Identifier: Apache-2.0
//
// A daemon that says what a test tells it to. It reads and writes Varlink by hand, so that a fault of ours cannot hide
// on both sides, and remembers every call it was given.

import ConsentKit
import Foundation
import StrictJSON
import Synchronization
import TestSupport

/// Serves both sockets of a directory of its own from a script.
final class FakeDaemon: Sendable {
  /// One thing said to a caller.
  enum Say: Sendable {
    case reply(JSONObject)
    case more(JSONObject)
    case error(String, JSONObject)
    case raw(String)
    case hangUp
  }

  /// A call as it came.
  struct Call: Sendable, Equatable {
    let method: String
    let parameters: JSONObject
    let more: Bool
  }

  let directory: TemporaryDirectory
  private let script: @Sendable (Call, Int) -> [Say]
  private let received = Mutex<[Call]>([])

  /// Serves `script`, which is given each call and how many came before it.
  init(_ script: @escaping @Sendable (Call, Int) -> [Say]) throws {
    directory = try TemporaryDirectory()
    self.script = script
    for name in ["org.consentd.Permission", "org.consentd.Guardian"] {
      let socket = try ListeningSocket(path: directory.file(name))
      Thread.detachNewThread { [self] in
        while true {
          let connection = accept(socket.descriptor, nil, nil)
          if connection < 0 { return }
          Thread.detachNewThread { [self] in serve(connection) }
        }
      }
    }
  }

  /// How a client of ours finds it.
  var address: ConsentKit.Daemon { ConsentKit.Daemon(runtimeDirectory: directory.path) }

  /// Every call so far, in order.
  var calls: [Call] { received.withLock { $0 } }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var buffer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      while let end = buffer.firstIndex(of: 0) {
        guard let call = Call(Array(buffer[..<end])), answer(call, connection) else { return }
        buffer.removeFirst(end + 1)
      }
      let count = read(connection, &chunk, chunk.count)
      if count <= 0 { return }
      buffer += chunk[..<count]
    }
  }

  private func answer(_ call: Call, _ connection: Int32) -> Bool {
    let place = received.withLock { received in
      received.append(call)
      return received.count - 1
    }
    for say in script(call, place) {
      guard let message = say.message else { return false }
      let bytes = message + [0]
      if send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count { return false }
    }
    return true
  }
}

extension FakeDaemon.Call {
  fileprivate init?(_ message: [UInt8]) {
    guard let object = try? JSONObject(parsing: message), let method = object["method"]?.string else { return nil }
    self.method = method
    parameters = object["parameters"]?.object ?? [:]
    more = object["more"]?.bool ?? false
  }
}

extension FakeDaemon.Say {
  fileprivate var message: [UInt8]? {
    switch self {
    case .reply(let parameters): (["parameters": .object(parameters)] as JSONObject).encoded()
    case .more(let parameters): (["parameters": .object(parameters), "continues": true] as JSONObject).encoded()
    case .error(let name, let parameters):
      (["error": .string(name), "parameters": .object(parameters)] as JSONObject).encoded()
    case .raw(let text): Array(text.utf8)
    case .hangUp: nil
    }
  }
}
