// SPDX-License-Identifier: Apache-2.0
//
// Timers on the machine's boot-time clock, a few milliseconds at most.

import HostRuntime
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimerTests {
  init() throws { try LoopFixture.start() }

  @Test @Loop func `a timer fires once its instant is reached, not before`() async throws {
    let fired = Mailbox<Int64>()
    let timer = try Timer(.boot) { fired.post(HostClock.bootUSec()) }
    let instant = HostClock.bootUSec() + 3_000
    timer.arm(at: instant)
    #expect(await fired.next() >= instant)
  }

  @Test @Loop func `an instant that has passed is reached at once, but not inside arm`() async throws {
    for instant in [HostClock.bootUSec() - 1, 0, -1, .min] {
      let fired = Mailbox<Int>()
      let timer = try Timer(.boot) { fired.post(1) }
      timer.arm(at: instant)
      #expect(fired.isEmpty)
      #expect(await fired.next() == 1)
    }
  }

  @Test @Loop func `a timer that is not armed, or disarmed, does not fire`() async throws {
    let fired = Mailbox<String>()
    let idle = try Timer(.boot) { fired.post("idle") }
    let disarmed = try Timer(.boot) { fired.post("disarmed") }
    let last = try Timer(.boot) { fired.post("last") }
    disarmed.arm(at: HostClock.bootUSec() + 1_000)
    disarmed.arm(at: nil)
    last.arm(at: HostClock.bootUSec() + 5_000)
    #expect(await fired.next() == "last")
    _ = idle
  }

  @Test @Loop func `arming again moves the instant, both ways`() async throws {
    let fired = Mailbox<String>()
    let sooner = try Timer(.boot) { fired.post("sooner") }
    let later = try Timer(.boot) { fired.post("later") }
    later.arm(at: HostClock.bootUSec() + 1_000)
    later.arm(at: .max)
    sooner.arm(at: .max)
    sooner.arm(at: HostClock.bootUSec() + 3_000)
    #expect(await fired.next() == "sooner")
    later.arm(at: 0)
    #expect(await fired.next() == "later")
  }

  @Test @Loop func `a timer fires once and may be armed again by its own handler`() async throws {
    let fired = Mailbox<Int>()
    var timer: Timer?
    var count = 0
    timer = try Timer(.boot) {
      count += 1
      fired.post(count)
      if count < 3 { timer?.arm(at: 0) }
    }
    timer?.arm(at: 0)
    for expected in 1...3 { #expect(await fired.next() == expected) }
    timer = nil
  }

  @Test @Loop func `a timer that is let go does not fire, and may be let go by its own handler`() async throws {
    let fired = Mailbox<String>()
    var gone: Timer? = try Timer(.boot) { fired.post("gone") }
    gone?.arm(at: HostClock.bootUSec() + 1_000)
    gone = nil
    var own: Timer?
    own = try Timer(.boot) {
      own = nil
      fired.post("own")
    }
    own?.arm(at: HostClock.bootUSec() + 3_000)
    #expect(await fired.next() == "own")
    #expect(gone == nil && own == nil)
  }
}
