// SPDX-License-Identifier: Apache-2.0
//
// What a service has, and whether a call may reach it. A call is admitted when its interface and method exist, it is
// of a kind the method takes, and its parameters match the interface; everything else is answered here, in this order.
// `upgrade` is always refused with `MethodNotImplemented`: the method exists, but not as the start of another protocol.
// That is an error reply, so the connection stays Varlink.

internal import StrictJSON

/// The interfaces of one service, `org.varlink.service` included.
package struct ServiceDirectory: Sendable {
  /// What becomes of a call.
  package enum Admission: Sendable, Equatable {
    /// It is answered with this reply.
    case answer(Reply)
    /// It is carried out. `method` is the short name, as the interface declares it.
    case dispatch(interface: String, method: String)
  }

  /// A method and where its interface stands in `interfaces`.
  private struct Entry {
    let name: String
    let interface: Int
    let method: InterfaceDescription.MethodDeclaration
    let requiresMore: Bool
  }

  /// Sorted by name.
  package let interfaces: [InterfaceDescription]
  private let info: JSONObject
  private let entries: [String: Entry]

  /// Describes a service by what `GetInfo` gives. Throws only when the description of `org.varlink.service` itself
  /// does not parse. Of two interfaces of the same name the first counts.
  package init(
    vendor: String, product: String, version: String, url: String, interfaces: [InterfaceDescription]
  ) throws(DescriptionError) {
    let own = try InterfaceDescription(parsing: ServiceInterface.text)
    let sorted = (interfaces + [own]).sorted { $0.name < $1.name }
    self.interfaces = sorted
    info = [
      "vendor": .string(vendor), "product": .string(product), "version": .string(version), "url": .string(url),
      "interfaces": .array(sorted.map { .string($0.name) }),
    ]
    entries = Dictionary(Self.entries(of: sorted)) { first, _ in first }
  }

  private static func entries(of interfaces: [InterfaceDescription]) -> [(String, Entry)] {
    interfaces.enumerated().flatMap { index, interface in
      interface.methods.map {
        let name = "\(interface.name).\($0.name)"
        return (name, Entry(name: name, interface: index, method: $0, requiresMore: $0.requiresMore))
      }
    }
  }

  /// Decides about a call.
  package func admit(_ call: MethodCall) -> Admission {
    guard let entry = entry(call.method) else { return .answer(notFound(call.method)) }
    let interface = interfaces[entry.interface]
    if call.upgrade { return .answer(ServiceInterface.methodNotImplemented(call.method)) }
    if entry.requiresMore && !call.more { return .answer(ServiceInterface.expectedMore) }
    if let name = interface.firstInvalid(in: call.parameters, fields: entry.method.input) {
      return .answer(ServiceInterface.invalidParameter(name))
    }
    guard interface.name == ServiceInterface.name else {
      return .dispatch(interface: interface.name, method: entry.method.name)
    }
    return .answer(answer(entry.method.name, call.parameters))
  }

  /// The method of that full name. A dictionary finds by `==`, so what it found is compared by its bytes.
  private func entry(_ method: String) -> Entry? {
    entries[method].flatMap { $0.name.hasSameBytes(as: method) ? $0 : nil }
  }

  /// Says which part of the name is unknown. A name without a dot names no interface.
  private func notFound(_ method: String) -> Reply {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return ServiceInterface.methodNotFound(method)
    }
    let interface = String(method[..<dot])
    return description(interface) == nil
      ? ServiceInterface.interfaceNotFound(interface) : ServiceInterface.methodNotFound(method)
  }

  /// Carries out a method of `org.varlink.service`.
  private func answer(_ method: String, _ parameters: JSONObject) -> Reply {
    guard method != "GetInfo" else { return Reply(info) }
    let name = parameters["interface"]?.string ?? ""
    guard let description = description(name) else { return ServiceInterface.interfaceNotFound(name) }
    return Reply(["description": .string(description.text)])
  }

  private func description(_ interface: String) -> InterfaceDescription? {
    interfaces.first { $0.name.hasSameBytes(as: interface) }
  }
}
