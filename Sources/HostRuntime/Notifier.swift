// SPDX-License-Identifier: Apache-2.0
//
// What the daemon tells the service manager. Without a manager that listens ($NOTIFY_SOCKET unset) nothing is sent and
// nothing fails.
//
// The messages are libsystemd's (sd_notify(3)), the sending is ours: libsystemd waits without end where the manager does
// not read, and a daemon that is told to stop has to stop.
//
// The watchdog's pings come from the loop itself, between two turns: a loop that hangs in a handler stops sending them,
// and the manager restarts the daemon.

internal import CLinux
internal import CSystemd
internal import Glibc

/// Messages to the service manager (sd_notify(3)).
package enum Notifier {
  /// One thing to tell.
  package enum Message: Sendable {
    /// Start-up is over: the sockets are served.
    case ready
    /// A line for `systemctl status`.
    case status(String)
    /// The end has begun.
    case stopping
    /// Keep the descriptor that comes along, under this name, for the next process.
    case keep(name: String)
    /// Let go of what is kept under this name.
    case letGo(name: String)
    /// Close the descriptor that comes along once everything before is done.
    case barrier
  }

  /// The longest that the manager is waited for, microseconds: to make room for a message, or to have read them all.
  package static let patienceUSec: Int64 = 750_000

  /// Whether there is a manager to tell anything.
  package static var isHeard: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Sends messages in one datagram, so that the manager sees them together. Throws `EAGAIN` where it does not read,
  /// at once where `patience` is 0.
  package static func send(
    _ messages: Message..., with descriptor: Descriptor? = nil, patience: Int64 = patienceUSec
  ) throws(SystemError) {
    guard let place = getenv("NOTIFY_SOCKET") else { return }
    let address = try UnixAddress(notify: String(cString: place))
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = try Descriptor(opening: Glibc.socket(AF_UNIX, kind, 0), "socket")
    try address.connect(socket)
    let bytes = Array(messages.map(\.assignment).joined(separator: "\n").utf8)
    let deadline = HostClock.bootUSec() + patience
    while linux_send_datagram(socket.number, bytes, bytes.count, descriptor?.number ?? -1) < 0 {
      let failure = SystemError.last("sendmsg \(address.path)")
      guard [EAGAIN, EINTR].contains(failure.errno), wait(for: POLLOUT, of: socket, until: deadline) else {
        throw failure
      }
    }
  }

  /// Returns when the manager has dealt with everything sent so far. Throws `ETIMEDOUT` where it does not in time.
  package static func awaitManager() throws(SystemError) {
    guard isHeard else { return }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try SystemError.check(socketpair(AF_UNIX, kind, 0, &ends), "socketpair")
    let near = Descriptor(owning: ends[0])
    try send(.barrier, with: Descriptor(owning: ends[1]))
    guard wait(for: 0, of: near, until: HostClock.bootUSec() + patienceUSec) else {
      throw SystemError(call: "wait for the service manager", errno: ETIMEDOUT)
    }
  }

  /// Begins to ping the manager's watchdog (WatchdogSec= of the unit); false where the manager asks for no pings.
  @Loop @discardableResult
  package static func startWatchdog() throws(SystemError) -> Bool {
    let events = try Reactor.process.get().events
    return try SystemError.checkNegative(sd_event_set_watchdog(events, 1), "sd_event_set_watchdog") > 0
  }

  /// Waits until a descriptor is ready, or hung up; `false` where `deadline` (boot-time microseconds) comes first.
  private static func wait(for events: Int32, of descriptor: Descriptor, until deadline: Int64) -> Bool {
    var entry = pollfd(fd: descriptor.number, events: Int16(events), revents: 0)
    while true {
      let left = (deadline - HostClock.bootUSec() + 999) / 1_000
      guard left > 0 else { return false }
      if poll(&entry, 1, Int32(left)) > 0 { return true }
    }
  }
}

extension Notifier.Message {
  /// The assignment on the wire. Each line there is an assignment of its own, so a status stays on one. What is kept is
  /// kept as it is, hung up or not: the next process is the one to judge it.
  fileprivate var assignment: String {
    switch self {
    case .ready: "READY=1"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=\(PrintableText.escaping(text))"
    case .keep(let name): "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0"
    case .letGo(let name): "FDSTOREREMOVE=1\nFDNAME=\(name)"
    case .barrier: "BARRIER=1"
    }
  }
}
