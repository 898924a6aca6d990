// SPDX-License-Identifier: Apache-2.0
//
// Every bound of a connection in one place. A session enforces the first three itself; over the fourth it only says
// so, because what becomes of the peer is its owner's decision.

/// The bounds of one session, in bytes.
package struct SessionLimits: Sendable {
  /// The longest message that is accepted, its NUL not counted.
  package var messageBytes = 1 << 20

  /// While a call is in progress, reading stops at this much unread input.
  package var parkedInputBytes = 64 << 10

  /// While this much output is unsent, reading stops and no further call is handed out.
  package var outputPauseBytes = 64 << 10

  /// The most output that may wait for a peer; with more than this its owner drops it.
  package var outputLimitBytes = 1 << 20

  /// The bounds of every connection of the daemon.
  package static let standard = SessionLimits()

  package init() {}
}
