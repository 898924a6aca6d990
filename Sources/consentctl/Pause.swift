// SPDX-License-Identifier: Apache-2.0
//
// Waiting on the loop: for time to pass, or for a descriptor to have something to give. The loop turns meanwhile, so
// a connection is served while a command runs and while somebody thinks about what to type.

import HostRuntime

/// Waits that hold nothing up.
enum Pause {
  /// Returns when `usec` microseconds have passed.
  @Loop static func wait(usec: Int64) async throws(SystemError) {
    var ready: CheckedContinuation<Void, Never>?
    let timer = try Timer(.boot) { ready.take()?.resume() }
    timer.arm(at: HostClock.bootUSec() + usec)
    await withCheckedContinuation { ready = $0 }
    timer.arm(at: nil)
  }

  /// Returns when `descriptor` can be read, or has ended. Throws `EPERM` for a file, which always can.
  @Loop static func wait(untilReadable descriptor: Descriptor) async throws(SystemError) {
    var ready: CheckedContinuation<Void, Never>?
    let watch = try Watch(descriptor, interest: .readable) { _ in ready.take()?.resume() }
    await withCheckedContinuation { ready = $0 }
    watch.cancel()
  }
}
