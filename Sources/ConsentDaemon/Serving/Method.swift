// SPDX-License-Identifier: Apache-2.0
//
// What a service offers: its methods by name, each a plain function.

import ConsentModel
import HostRuntime
import StrictJSON

/// How a method answers.
enum Method {
  /// At once: it looks and does not wait, so the call never leaves the stack.
  case immediate(@Loop (Exchange) throws(Refusal) -> JSONObject)
  /// With one reply, once it is durable or somebody has answered.
  case single(@Loop (Exchange) async throws(Refusal) -> JSONObject)
  /// With as many as it likes, until the peer leaves.
  case stream(@Loop (Exchange) async throws(Refusal) -> Void)
}

/// The methods of one interface.
@Loop
protocol Service {
  /// The interface's name.
  var interface: String { get }
  /// By their names without the interface's.
  var methods: [String: Method] { get }
}
