// SPDX-License-Identifier: Apache-2.0
//
// How long the machinery waits for a process or a peer before it calls the test failed. A deadline is a guard against
// a hang and never a measure of anything: what a test says about time, it measures itself.

/// The instant at which waiting becomes a failure.
package struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  /// A deadline `seconds` from now; without them the guard of 30 s that nothing healthy ever meets.
  package init(seconds: Double = 30) {
    end = ContinuousClock.now.advanced(by: .seconds(seconds))
  }

  /// Whether it is over.
  package var hasPassed: Bool { milliseconds == 0 }

  /// What is left, in whole milliseconds for `poll(2)`, rounded up; 0 when it has passed.
  var milliseconds: Int32 {
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return 0 }
    return Int32(clamping: left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
  }
}
