// SPDX-License-Identifier: Apache-2.0
//
// The machine's two clocks and its calendar. Waits run on the boot-time clock, which nobody can set and which counts
// through suspend; what must outlive a reboot is told in wall-clock time.
//
// Days are those of the machine's time zone, asked of glibc each time: a daemon that runs for months must follow an
// administrator who changes the zone.

internal import Glibc

/// Readings of the machine's clocks, in microseconds.
package enum HostClock {
  /// Microseconds since boot, time spent suspended included.
  package static func bootUSec() -> Int64 { reading(of: CLOCK_BOOTTIME) }

  /// Microseconds since the Unix epoch.
  package static func wallUSec() -> Int64 { reading(of: CLOCK_REALTIME) }

  /// The Gregorian day (month and day counted from 1) in the machine's time zone at an instant since the Unix epoch.
  package static func civilDate(atWallUSec instant: Int64) -> (year: Int, month: Int, day: Int) {
    let (seconds, rest) = instant.quotientAndRemainder(dividingBy: 1_000_000)
    var time = time_t(rest < 0 ? seconds - 1 : seconds)
    var parts = tm()
    tzset()
    // It fails only beyond the year 2,147,485,547; 64 bits of microseconds end 292,000 years from 1970.
    localtime_r(&time, &parts)
    return (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
  }

  private static func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
