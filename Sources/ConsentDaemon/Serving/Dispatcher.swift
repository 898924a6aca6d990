// SPDX-License-Identifier: Apache-2.0
//
// From a call to its method, and from what the method says back to a reply. What a socket does not offer does not exist
// on it.

import ConsentInterface
import ConsentModel
import HostRuntime
import StrictJSON
import Varlink

/// The interfaces behind one socket.
@Loop
final class Dispatcher {
  private let directory: ServiceDirectory
  private let methods: [String: [String: Method]]

  /// Offers `services`, whose texts are `interfaces`.
  init(_ services: [any Service], interfaces: [InterfaceDescription]) throws(DescriptionError) {
    directory = try ServiceDirectory(
      vendor: Product.vendor, product: Product.name, version: Product.version, url: Product.url,
      interfaces: interfaces)
    var methods: [String: [String: Method]] = [:]
    for service in services { methods[service.interface] = service.methods }
    self.methods = methods
  }

  /// Answers one call, at once or when there is an answer.
  func serve(_ exchange: Exchange) {
    switch directory.admit(exchange.call) {
    case .answer(let reply): exchange.finish(reply)
    case .dispatch(let interface, let name):
      switch methods[interface]?[name] {
      case .immediate(let body)?: exchange.finish(on: interface) { () throws(Refusal) in try body(exchange) }
      case .single(let body)?:
        Loop.perform { await exchange.finish(on: interface) { () async throws(Refusal) in try await body(exchange) } }
      case .stream(let body)?: Loop.perform { await exchange.stream(on: interface, body) }
      case nil: exchange.finish(ServiceInterface.methodNotImplemented(exchange.call.method))
      }
    }
  }
}

extension Exchange {
  /// Sends what `body` gives, or why it refuses.
  fileprivate func finish(on interface: String, _ body: () throws(Refusal) -> JSONObject) {
    do throws(Refusal) {
      finish(Reply(try body()))
    } catch {
      finish(error.reply(on: interface))
    }
  }

  /// Sends what `body` gives in the end, or why it refuses.
  fileprivate func finish(on interface: String, _ body: () async throws(Refusal) -> JSONObject) async {
    do throws(Refusal) {
      finish(Reply(try await body()))
    } catch {
      finish(error.reply(on: interface))
    }
  }

  /// Lets `body` send until the peer leaves, or says why it refuses. Who was too slow loses the connection.
  fileprivate func stream(on interface: String, _ body: @Loop (Exchange) async throws(Refusal) -> Void) async {
    do throws(Refusal) {
      try await body(self)
    } catch {
      finish(error.reply(on: interface))
      if case .subscriberTooSlow = error { closeWhenSent() }
    }
  }
}
