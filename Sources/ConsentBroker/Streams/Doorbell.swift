// SPDX-License-Identifier: Apache-2.0
//
// How a stream waits for news without missing any.
//
// A stream (an app's `Responses`, a guardian's watch) reads what there is from the store, then waits here. Ringing
// carries no news, only the fact that there is some, so nothing can be lost, repeated or pile up between the two.

/// Wakes one stream. It remembers a ring that came while nobody waited.
package final class Doorbell {
  /// What a stream finds when it comes back to the door.
  package enum Call: Sendable {
    /// There is news.
    case rung
    /// The stream is over: the peer left or the daemon stops.
    case closed
  }

  private var hasRung = false
  private var isClosed = false
  private var waiting: CheckedContinuation<Call, Never>?

  package init() {}

  /// Says that there is news.
  package func ring() {
    hasRung = true
    answer()
  }

  /// Ends the stream. Later rings are ignored.
  package func close() {
    isClosed = true
    answer()
  }

  /// Waits for news; at once where some came since the last wait.
  package func wait() async -> Call {
    await withCheckedContinuation { continuation in
      waiting = continuation
      answer()
    }
  }

  private func answer() {
    guard let continuation = waiting, isClosed || hasRung else { return }
    waiting = nil
    hasRung = false
    continuation.resume(returning: isClosed ? .closed : .rung)
  }
}
