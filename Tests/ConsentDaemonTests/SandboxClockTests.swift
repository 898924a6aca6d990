// SPDX-License-Identifier: Apache-2.0
//
// A sandbox's clocks: forward only, together, and never so far that they overflow.

import ConsentModel
import HostRuntime
import Testing

@testable import ConsentDaemon

@Suite struct SandboxClockTests {
  @Test func `both clocks are ahead by the same span`() {
    let clock = SandboxClock(aheadUSec: Span.day)
    let (wall, boot) = (HostClock.wallUSec(), HostClock.bootUSec())
    #expect((0..<60 * Span.second).contains(clock.now.usec - wall - Span.day))
    #expect((0..<60 * Span.second).contains(clock.bootUSec - boot - Span.day))
  }

  @Test func `the civil date moves with them`() {
    let year = HostClock.civilDate(atWallUSec: HostClock.wallUSec()).year
    #expect((10...11).contains(SandboxClock(aheadUSec: 3653 * Span.day).today.year - year))
    #expect(MachineClock().today.year - year <= 1)
  }

  @Test(
    arguments: [
      (0, 0), (0, 1), (5, 7), (0, SandboxClock.limitUSec), (SandboxClock.limitUSec, 0), (SandboxClock.limitUSec - 1, 1),
    ] as [(Int64, Int64)])
  func `a step forward adds up`(ahead: Int64, step: Int64) throws {
    let clock = SandboxClock(aheadUSec: ahead)
    try clock.advance(by: step)
    #expect(clock.aheadUSec == ahead + step)
  }

  @Test(
    arguments: [
      (0, -1), (Span.day, -1), (0, SandboxClock.limitUSec + 1), (SandboxClock.limitUSec, 1), (0, .max), (0, .min),
      (SandboxClock.limitUSec, .max), (1, .max),
    ] as [(Int64, Int64)])
  func `a step back or past a hundred years is refused`(ahead: Int64, step: Int64) {
    let clock = SandboxClock(aheadUSec: ahead)
    let rule = "0 or more, in all at most 3155760000000000 (100 years)"
    #expect(throws: Refusal.invalidValue(field: "byUSec", rule: rule)) { try clock.advance(by: step) }
    #expect(clock.aheadUSec == ahead)
  }
}
