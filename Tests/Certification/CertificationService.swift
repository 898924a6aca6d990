// SPDX-License-Identifier: Apache-2.0
//
// The server's side of the certification: every client goes through the methods in order, and every call must be
// exactly what the certification wants. A client that fails once has to start again.

import StrictJSON
import Varlink

/// The certification as a service.
struct CertificationService {
  private let directory: ServiceDirectory
  /// Of every client that has started, by its id: how many of the methods after `Start` it has called.
  private var progress: [String: Int] = [:]

  /// The methods after `Start`, in order.
  private static let order = (1...11).map { $0 < 10 ? "Test0\($0)" : "Test\($0)" } + ["End"]

  init() throws {
    directory = try ServiceDirectory(
      vendor: "consentd", product: "varlink-certification", version: "1", url: "https://varlink.org",
      interfaces: [try InterfaceDescription(parsing: CertificationInterface.text)])
  }

  /// The replies to a call, the last one without `continues`.
  mutating func answer(_ call: MethodCall) -> [Reply] {
    switch directory.admit(call) {
    case .answer(let reply):
      return [reply]
    case .dispatch(_, "Start"):
      let client = String(UInt64.random(in: 0 ... .max), radix: 16)
      progress[client] = 0
      return [Reply(["client_id": .string(client)])]
    case .dispatch(_, let method):
      return answer(call, method)
    }
  }

  private mutating func answer(_ call: MethodCall, _ method: String) -> [Reply] {
    let client = call.parameters["client_id"]?.string ?? ""
    guard let step = progress[client] else { return [Reply(error: "\(CertificationInterface.name).ClientIdError")] }
    guard Self.wanted(step, client).matches(call) else {
      progress[client] = nil
      return [failure(wants: Self.wanted(step, client), got: call)]
    }
    progress[client] = method == "End" ? nil : step + 1
    return replies(to: method, step)
  }

  private func replies(to method: String, _ step: Int) -> [Reply] {
    switch method {
    case "Test10":
      CertificationInterface.numbered.enumerated().map { Reply(["string": $1], continues: $0 < 9) }
    case "Test11": [Reply()]
    case "End": [Reply(["all_ok": true])]
    default: [Reply(CertificationInterface.results[step])]
    }
  }

  /// The call that must come at `step`.
  private static func wanted(_ step: Int, _ client: String) -> MethodCall {
    var parameters: JSONObject
    switch order[step] {
    case "Test01", "End": parameters = [:]
    case "Test11": parameters = ["last_more_replies": .array(CertificationInterface.numbered)]
    default: parameters = CertificationInterface.results[step - 1]
    }
    parameters["client_id"] = .string(client)
    let kind: MethodCall.Kind = order[step] == "Test10" ? .more : order[step] == "Test11" ? .oneway : .single
    return MethodCall(
      method: "\(CertificationInterface.name).\(order[step])", parameters: parameters, kind: kind)
  }

  private func failure(wants: MethodCall, got: MethodCall) -> Reply {
    Reply(
      error: "\(CertificationInterface.name).CertificationError",
      ["wants": .object(wants.summary), "got": .object(got.summary)])
  }
}

extension MethodCall {
  fileprivate func matches(_ got: MethodCall) -> Bool {
    method == got.method && kind == got.kind && JSON.object(parameters).matches(.object(got.parameters))
  }

  fileprivate var summary: JSONObject {
    ["method": .string(method), "kind": .string("\(kind)"), "parameters": .object(parameters)]
  }
}

extension JSON {
  /// Whether `got` means the same on the wire: 1 is 1.0 where a float is wanted, and null is absent.
  fileprivate func matches(_ got: JSON?) -> Bool {
    switch (self, got ?? .null) {
    case (.real(let wanted), .integer(let got)): wanted == Double(got)
    case (.array(let wanted), .array(let got)):
      wanted.count == got.count && zip(wanted, got).allSatisfy { $0.matches($1) }
    case (.object(let wanted), .object(let got)):
      wanted.members.allSatisfy { $0.value.matches(got[$0.name]) }
        && got.members.allSatisfy { $0.value == .null || wanted[$0.name] != nil }
    case (_, let got): self == got
    }
  }
}
