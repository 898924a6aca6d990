// SPDX-License-Identifier: Apache-2.0
//
// What the daemon tells the service manager. Without a manager that listens ($NOTIFY_SOCKET unset) nothing is sent and
// nothing fails.
//
// The watchdog's pings come from the loop itself, between two turns: a loop that hangs in a handler stops sending them,
// and the manager restarts the daemon.

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
  }

  /// Sends messages in one datagram, so that the manager sees them together.
  package static func send(_ messages: Message...) throws(SystemError) {
    let text = messages.map(\.assignment).joined(separator: "\n")
    try SystemError.checkNegative(sd_notify(0, text), "sd_notify")
  }

  /// Begins to ping the manager's watchdog (WatchdogSec= of the unit); false where the manager asks for no pings.
  @Loop @discardableResult
  package static func startWatchdog() throws(SystemError) -> Bool {
    let events = try Reactor.process.get().events
    return try SystemError.checkNegative(sd_event_set_watchdog(events, 1), "sd_event_set_watchdog") > 0
  }
}

extension Notifier.Message {
  /// The assignment on the wire. Each line there is an assignment of its own, so a status stays on one.
  fileprivate var assignment: String {
    switch self {
    case .ready: "READY=1"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=\(PrintableText.escaping(text))"
    }
  }
}
