// SPDX-License-Identifier: Apache-2.0
//
// Wakes the broker when something falls due, and never otherwise.

import ConsentBroker
import ConsentModel
import HostRuntime

/// The two timers of a broker: callers' timeouts on the boot-time clock, questions' deadlines and reminders on the wall
/// clock.
@Loop
final class Alarms {
  private let broker: Broker
  private let clock: any DaemonClock
  private let log: Log
  private var waiters: Timer?
  private var questions: Timer?
  private var armed: Setting?
  /// How long to wait before questions whose time is up are tried again; grows while the store refuses.
  private var patienceUSec = shortestPatienceUSec
  private static let shortestPatienceUSec: Int64 = 1_000_000
  private static let longestPatienceUSec: Int64 = 64_000_000

  /// What the timers are set to, and how far the broker's clocks were ahead of the machine's then.
  private struct Setting: Equatable {
    let alarm: Broker.Alarm
    let aheadUSec: Int64
  }

  init(_ broker: Broker, _ clock: any DaemonClock, log: Log) throws(SystemError) {
    self.broker = broker
    self.clock = clock
    self.log = log
    waiters = try Timer(.boot) { [weak self] in self?.releaseWaiters() }
    questions = try Timer(.wall) { [weak self] in self?.expireQuestions() }
  }

  /// Sets the timers to what the broker waits for now.
  func update() {
    let setting = Setting(alarm: broker.alarm, aheadUSec: clock.aheadUSec)
    guard setting != armed else { return }
    armed = setting
    waiters?.arm(at: setting.alarm.waiterBootUSec.map { $0 - setting.aheadUSec })
    let due = [setting.alarm.question, setting.alarm.reminder].compactMap(\.self).min()
    questions?.arm(at: due.map { $0.usec - setting.aheadUSec })
  }

  private func releaseWaiters() {
    armed = nil
    broker.releaseDue()
    update()
  }

  private func expireQuestions() {
    Loop.perform { [self] in
      do throws(Refusal) {
        try await broker.expireDue()
        try await broker.remindDue()
        patienceUSec = Self.shortestPatienceUSec
        armed = nil
        update()
      } catch {
        log.write(.deadlinesMissed(retryUSec: patienceUSec))
        questions?.arm(at: HostClock.wallUSec() + patienceUSec)
        patienceUSec = min(2 * patienceUSec, Self.longestPatienceUSec)
      }
    }
  }
}
