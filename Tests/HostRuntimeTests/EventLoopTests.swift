// SPDX-License-Identifier: Apache-2.0
//
// The queue of jobs, taken by itself: a loop without a thread, whose jobs the test runs.

import CLinux
import Glibc
import Testing

@testable import HostRuntime

/// Lives on a loop of the test's own.
private actor Guest {
  let loop: EventLoop
  private(set) var numbers: [Int] = []

  init(_ loop: EventLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func note(_ number: Int) { numbers.append(number) }
}

struct EventLoopTests {
  private let loop = EventLoop()
  private let alarm = Descriptor(owning: eventfd(0, Int32(EFD_NONBLOCK)))

  @Test func `a job wakes a sleeping loop once, however many follow it`() {
    runJobs()
    let guest = Guest(loop)
    for number in 0..<5 { Task.immediate { await guest.note(number) } }
    #expect(alarmCount() == 1)
  }

  @Test func `a job only waits for a loop that is awake`() {
    let guest = Guest(loop)
    Task.immediate { await guest.note(0) }
    runJobs()
    Task.immediate { await guest.note(1) }
    #expect(alarmCount() == 0)
    runJobs()
    runJobs()
    loop.clearAlarm()
    Task.immediate { await guest.note(2) }
    #expect(alarmCount() == 0)
  }

  @Test func `jobs that come before there is a thread wait for it, in order`() {
    let guest = Guest(loop)
    for number in 0..<100 { Task.immediate { await guest.note(number) } }
    loop.adoptThread()
    runJobs()
    #expect(guest.assumeIsolated { $0.numbers } == Array(0..<100))
  }

  @Test func `only one thread at a time may take the loop`() {
    #expect(loop.take())
    #expect(!loop.take())
    loop.release()
    #expect(loop.take())
  }

  @Test func `the loop's thread is the one that has adopted it`() {
    #expect(loop.isIsolatingCurrentContext() == false)
    loop.adoptThread()
    #expect(loop.isIsolatingCurrentContext() == true)
    loop.leaveThread()
    #expect(loop.isIsolatingCurrentContext() == false)
  }

  private func runJobs() {
    var jobs: [EventLoop.Job] = []
    loop.exchangeJobs(&jobs, alarm: alarm.number)
    for job in jobs { loop.run(job) }
  }

  /// How often the alarm was raised.
  private func alarmCount() -> UInt64 {
    var count: eventfd_t = 0
    return eventfd_read(alarm.number, &count) == 0 ? count : 0
  }
}
