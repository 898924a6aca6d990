// SPDX-License-Identifier: Apache-2.0
//
// The clocks against the system's own readings, and days in zones at the ends of the earth. The zone is the process's
// environment, so those tests have a process to themselves.

import Glibc
import HostRuntime
import Testing

struct HostClockTests {
  @Test func `the clocks count microseconds`() {
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    #expect(abs(HostClock.bootUSec() / 1_000_000 - Int64(boot.tv_sec)) <= 1)
    #expect(abs(HostClock.wallUSec() / 1_000_000 - Int64(time(nil))) <= 1)
    let first = HostClock.bootUSec()
    #expect(HostClock.bootUSec() >= first)
  }

  @Test func `no instant is out of range`() {
    for instant in [Int64.min, .min + 1, -1, 0, .max] { _ = HostClock.civilDate(atWallUSec: instant) }
  }

  @Test func `one instant is different days around the earth`() async {
    await #expect(processExitsWith: .success) {
      // 2024-02-29 10:30:00 UTC
      let instant: Int64 = 1_709_202_600_000_000
      var days: [Int] = []
      for zone in ["AAA11", "UTC0", "BBB-14"] {
        setenv("TZ", zone, 1)
        days.append(HostClock.civilDate(atWallUSec: instant).day)
      }
      finish(passing: days == [28, 29, 1])
    }
  }

  @Test func `a day ends at its last microsecond, before 1970 too`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "UTC0", 1)
      let dates = [-1, 0, -86_400_000_000, -86_400_000_001].map { HostClock.civilDate(atWallUSec: $0) }
      finish(
        passing: dates.map { $0.year } == [1969, 1970, 1969, 1969]
          && dates.map { $0.month } == [12, 1, 12, 12] && dates.map { $0.day } == [31, 1, 31, 30])
    }
  }

  @Test func `a day without a midnight begins an hour later`() async {
    await #expect(processExitsWith: .success) {
      // Clocks go from 00:00 to 01:00 on the second Sunday of March: 2024-03-10.
      setenv("TZ", "SSS4DDD,M3.2.0/0,M11.1.0/0", 1)
      let midnight: Int64 = 1_710_043_200_000_000
      let days = [midnight - 1, midnight].map { HostClock.civilDate(atWallUSec: $0).day }
      finish(passing: days == [9, 10])
    }
  }
}
