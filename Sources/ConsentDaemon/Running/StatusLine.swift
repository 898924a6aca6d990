// SPDX-License-Identifier: Apache-2.0
//
// What is told now and then and not at every change: to `systemctl status` how many questions are open and who waits, to
// companions how many callers wait for a question. What is wrong is told at once.

import ConsentBroker
import ConsentModel
import HostRuntime

/// Tells how much is going on, at most a few times a second.
@Loop
final class StatusLine {
  /// How long changes are gathered, microseconds.
  private static let pauseUSec: Int64 = 200_000

  private let broker: Broker
  private let log: Log
  private var timer: Timer?
  private var isPending = false
  private var shown = ""
  /// What an administrator has to mend, told before the numbers for as long as it is so.
  var trouble: String? { didSet { show() } }

  init(_ broker: Broker, log: Log) throws(SystemError) {
    self.broker = broker
    self.log = log
    timer = try Timer(.boot) { [weak self] in self?.show() }
  }

  /// The line as it is now; absent where the store cannot be read.
  var text: String? {
    guard let numbers = try? broker.statistics() else { return nil }
    let questions = "\(numbers.openQuestions) open question\(numbers.openQuestions == 1 ? "" : "s")"
    let waiters = "\(numbers.waiters) caller\(numbers.waiters == 1 ? "" : "s") waiting"
    let companions = "\(numbers.companions) companion\(numbers.companions == 1 ? "" : "s") connected"
    return (trouble.map { "\($0); " } ?? "") + "\(questions), \(waiters), \(companions)"
  }

  /// Says that something may have changed.
  func changed() {
    guard !isPending else { return }
    isPending = true
    timer?.arm(at: HostClock.bootUSec() + Self.pauseUSec)
  }

  private func show() {
    isPending = false
    broker.tellCounts()
    guard let text, text != shown else { return }
    do throws(SystemError) {
      // A manager that reads nothing must not stop the loop, and misses little: the next change is told as well.
      try Notifier.send(.status(text), patience: 0)
      shown = text
    } catch {
      log.write(.managerNotTold(error))
    }
  }
}
