// SPDX-License-Identifier: Apache-2.0
//
// Signals reach handlers of the loop instead of ending the process. Each test has a process to itself.

import Glibc
import HostRuntime
import Testing

struct SignalsTests {
  @Test func `each signal reaches the handler, and the process lives`() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let heard = try Loop.run { () -> [Int32] in
        let signals = Mailbox<Int32>()
        let handling = try Signals([SIGTERM, SIGINT, SIGHUP]) { signals.post($0) }
        defer { withExtendedLifetime(handling) {} }
        var heard: [Int32] = []
        for number in [SIGHUP, SIGTERM, SIGINT, SIGTERM] {
          raise(number)
          heard.append(await signals.next())
        }
        return heard
      }
      finish(passing: heard == [SIGHUP, SIGTERM, SIGINT, SIGTERM])
    }
  }

  @Test func `a number that is no signal is an error`() async {
    await #expect(processExitsWith: .success) {
      let refusal = systemError { try Loop.run { _ = try Signals([10_000]) { _ in } } }
      finish(passing: refusal?.errno == EINVAL)
    }
  }
}

/// Undoes what libdispatch does to its threads, on which exit tests run.
private func unblockSignals() {
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_UNBLOCK, &all, nil)
}
