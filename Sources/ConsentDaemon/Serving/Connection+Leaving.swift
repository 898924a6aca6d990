// SPDX-License-Identifier: Apache-2.0
//
// The end of a connection that has a future: what another process needs to go on with it.

import HostRuntime
import Varlink

extension Connection {
  /// What another process needs to go on with a connection.
  struct Departure {
    let entry: Handover.Entry
    let socket: StreamSocket
    /// By when the call in progress came to rest, among all calls; last where there is none.
    let turn: UInt64
  }

  /// Whether a call is in progress that does not merely wait.
  var isBusy: Bool { exchange.map { $0.restingPlace == nil } ?? false }

  /// Ends the connection for this process, and gives what another needs to go on with it; `nil` where the peer is owed
  /// nothing, where it was above a limit, and where a call is in progress that only this process could end.
  func leave() -> Departure? {
    guard isOpen else { return nil }
    defer { close() }
    guard !isBusy, refusal == nil, isEnding || !session.wantsInput || receive(), flush() else { return nil }
    var remainder = session.remainder(puttingBack: exchange?.call)
    if isEnding { remainder = .init(output: remainder.output, inputEnded: true) }
    guard !remainder.isEmpty else { return nil }
    let resumption = exchange?.restingPlace?() ?? resumption
    return Departure(
      entry: .init(role: place.role, remainder: remainder, resumption: resumption), socket: socket,
      turn: exchange?.turn ?? .max)
  }
}
