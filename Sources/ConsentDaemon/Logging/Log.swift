// SPDX-License-Identifier: Apache-2.0
//
// Where every part of the daemon leaves its lines, and where those of which there are too many wait.

import ConsentModel
import HostRuntime

/// Whose lines are counted together.
enum LogSource: Hashable, Sendable {
  case peer(UserID)
  case fault(LogKind)

  /// How many lines it may cause at once; after that it is one a minute.
  var burst: Int {
    switch self {
    case .peer: 10
    case .fault: 1
    }
  }
}

/// The daemon's log.
@Loop
final class Log {
  private let journal: Journal
  private var allowance = LineAllowance<LogSource, LogEntry>()
  private var timer: Timer?
  /// What the timer is set to: a flood of lines must not set it each time.
  private var armed: Int64?

  init(_ journal: Journal) throws(SystemError) {
    self.journal = journal
    timer = try Timer(.boot) { [weak self] in self?.writeDue() }
  }

  /// Writes a line; one of too many waits until another is allowed.
  func write(_ entry: LogEntry) {
    guard let source = entry.source else { return entry.write(to: journal) }
    let now = HostClock.bootUSec()
    if let admitted = allowance.offer(entry, from: source, burst: source.burst, at: now) {
      write(admitted)
    } else {
      arm()
    }
  }

  private func arm() {
    let due = allowance.nextDue
    guard due != armed else { return }
    armed = due
    timer?.arm(at: due)
  }

  /// Writes what waits; for the end.
  func writeRest() { allowance.takeAll().forEach(write) }

  private func writeDue() {
    armed = nil
    allowance.takeDue(at: HostClock.bootUSec()).forEach(write)
    arm()
  }

  private func write(_ admitted: LineAllowance<LogSource, LogEntry>.Admitted) {
    admitted.line.write(to: journal, more: admitted.more)
  }
}
