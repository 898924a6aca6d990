// SPDX-License-Identifier: Apache-2.0
//
// What a service manager would hear. The manager is a datagram socket of the test's own, named by the environment, so
// each test has a process to itself.

import Foundation
import Glibc
import TestSupport
import Testing

@testable import HostRuntime

struct NotifierTests {
  @Test func `ready and status arrive together, in order`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        try Notifier.send(.ready, .status("2 open questions"))
        return manager.message() == "READY=1\nSTATUS=2 open questions"
      }
    }
  }

  @Test func `a status of several lines cannot say anything else`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        try Notifier.send(.status("fine\nREADY=1"), .stopping)
        return manager.message() == "STATUS=fine\\u{a}READY=1\nSTOPPING=1"
      }
    }
  }

  @Test func `without a service manager nothing is sent and nothing fails`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      try Notifier.send(.ready)
      finish(passing: true)
    }
  }

  @Test func `a service manager that is not there is an error`() async {
    await #expect(processExitsWith: .success) {
      setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1)
      finish(passing: systemError { try Notifier.send(.ready) }?.errno == ENOENT)
    }
  }

  @Test func `a manager outside the file system is told too`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager(named: "@consentd-test-\(getpid())")
        try Notifier.send(.ready)
        return manager.message() == "READY=1"
      }
    }
  }

  @Test func `a descriptor to keep comes along with its name`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        let (near, far) = try StreamSocket.pair()
        var store = DescriptorStore()
        try store.put(near.descriptor, as: "apps-17")
        try store.remove("apps-3")
        return manager.message() == "FDSTORE=1\nFDNAME=apps-17\nFDPOLL=0"
          && manager.message() == "FDSTOREREMOVE=1\nFDNAME=apps-3" && far.descriptor.number >= 0
      }
    }
  }

  /// Nobody reads: room for some messages, and then no longer than the patience.
  @Test func `a manager that does not read is not waited for without end`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        let start = HostClock.bootUSec()
        let error = systemError { while true { try Notifier.send(.status("nothing")) } }
        let time = HostClock.bootUSec() - start
        return error?.errno == EAGAIN && time >= Notifier.patienceUSec && time < 3 * Notifier.patienceUSec
          && manager.message() == "STATUS=nothing"
      }
    }
  }

  @Test func `a message that can be missed is not waited for at all`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        let start = HostClock.bootUSec()
        let error = systemError { while true { try Notifier.send(.status("nothing"), patience: 0) } }
        return error?.errno == EAGAIN && HostClock.bootUSec() - start < Notifier.patienceUSec
          && manager.message() == "STATUS=nothing"
      }
    }
  }

  @Test func `the manager is waited for until it has let go of the barrier`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        let error = systemError { try Notifier.awaitManager() }
        guard error?.errno == ETIMEDOUT, manager.message() == "BARRIER=1" else { return false }
        let reader = Thread { while manager.message() != "BARRIER=1" { sched_yield() } }
        reader.start()
        try Notifier.awaitManager()
        return true
      }
    }
  }

  @Test func `the watchdog is fed by the turning loop`() async {
    await #expect(processExitsWith: .success) {
      try finish {
        let manager = try ServiceManager()
        setenv("WATCHDOG_USEC", "20000", 1)
        setenv("WATCHDOG_PID", "\(getpid())", 1)
        let heard = try Loop.run { () -> [String?] in
          let pings = Mailbox<String?>()
          let watch = try Watch(manager.socket, interest: .readable) { _ in pings.post(manager.message()) }
          defer { watch.cancel() }
          guard try Notifier.startWatchdog() else { return [] }
          return [await pings.next(), await pings.next(), await pings.next()]
        }
        return heard == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
      }
    }
  }

  @Test func `without a watchdog there is nothing to feed`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("WATCHDOG_USEC")
      finish(passing: try Loop.run { try Notifier.startWatchdog() } == false)
    }
  }
}

/// The receiving end of $NOTIFY_SOCKET.
private struct ServiceManager: @unchecked Sendable {
  let socket: Descriptor
  private let directory: TemporaryDirectory

  /// Binds the socket, to a file of its own or to `name`, and names it in the environment.
  init(named name: String? = nil) throws {
    directory = try TemporaryDirectory()
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue)
    socket = Descriptor(owning: Glibc.socket(AF_UNIX, kind, 0))
    let place = name ?? directory.file("notify")
    try UnixAddress(notify: place).bind(socket)
    setenv("NOTIFY_SOCKET", place, 1)
  }

  /// The next datagram.
  func message() -> String? {
    withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 1) { room in
      let count = recv(socket.number, room.baseAddress, room.count, 0)
      return count < 0 ? nil : String(decoding: room.prefix(count), as: UTF8.self)
    }
  }
}
