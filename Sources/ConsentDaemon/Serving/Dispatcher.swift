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
  private let log: Log
  /// Speaks for calls of interfaces that are not ours.
  private let first: String

  /// Offers `services`, whose texts are `interfaces`.
  init(_ services: [any Service], log: Log, interfaces: [InterfaceDescription]) throws(DescriptionError) {
    self.log = log
    directory = try ServiceDirectory(
      vendor: Product.vendor, product: Product.name, version: Product.version, url: Product.url,
      interfaces: interfaces)
    var methods: [String: [String: Method]] = [:]
    for service in services { methods[service.interface] = service.methods }
    self.methods = methods
    first = services.first?.interface ?? ""
  }

  /// Whose errors a call can be answered with.
  func interface(of call: MethodCall) -> String {
    let name = call.method.lastIndex(of: ".").map { String(call.method[..<$0]) } ?? ""
    return methods[name] == nil ? first : name
  }

  /// Answers one call, at once or when there is an answer.
  func serve(_ exchange: Exchange) {
    switch directory.admit(exchange.call) {
    case .answer(let reply): exchange.finish(reply)
    case .dispatch(let interface, let name):
      switch methods[interface]?[name] {
      case .immediate(let body)?:
        finish(exchange, Result { () throws(Refusal) in try body(exchange) }, on: interface)
      case .single(let body)?:
        Loop.perform { [self] in
          do throws(Refusal) {
            finish(exchange, .success(try await body(exchange)), on: interface)
          } catch {
            finish(exchange, .failure(error), on: interface)
          }
        }
      case .stream(let body)?: Loop.perform { [self] in await stream(exchange, on: interface, body) }
      case nil: exchange.finish(ServiceInterface.methodNotImplemented(exchange.call.method))
      }
    }
  }

  /// Sends what a method gives, or why it refuses.
  private func finish(_ exchange: Exchange, _ result: Result<JSONObject, Refusal>, on interface: String) {
    switch result {
    case .success(let parameters): exchange.finish(Reply(parameters))
    case .failure(let refusal):
      if let limit = refusal.limit {
        exchange.note(limit)
      } else if let call = RefusedCall(refusal, of: exchange) {
        log.write(.refused(call))
      }
      exchange.finish(refusal.reply(on: interface))
    }
  }

  /// Lets `body` send until the peer leaves, or says why it refuses. Who was too slow loses the connection.
  private func stream(
    _ exchange: Exchange, on interface: String, _ body: @Loop (Exchange) async throws(Refusal) -> Void
  ) async {
    do throws(Refusal) {
      try exchange.beginWaiting()
      try await body(exchange)
    } catch {
      finish(exchange, .failure(error), on: interface)
      if case .subscriberTooSlow = error { exchange.closeWhenSent() }
    }
  }
}
