// SPDX-License-Identifier: Apache-2.0
//
// The broker: questions go to guardians, answers come back, whoever waits goes on.
//
// One object on one thread. What it knows for good is in the store; what it holds itself is only who is connected and
// waiting. Every change takes the same road: `commit` runs it inside one transaction, and when that is on disk
// `announce` tells those who wait, watch and follow. Nobody is told what is not durable, and nothing that is durable
// depends on anybody being told. The broker knows no sockets and no JSON of the wire beyond a topic's.

package import ConsentModel
package import ConsentStore

/// The time as the rules see it.
package protocol BrokerClock {
  /// Trusted wall time.
  var now: Instant { get }
  /// Microseconds since boot, sleep included; what a caller's timeout is measured with.
  var bootUSec: Int64 { get }
  /// The civil date in the machine's time zone at `now`.
  var today: CivilDate { get }
}

/// How this daemon judges.
package struct BrokerRules: Sendable {
  /// Whether decisions are worth nothing outside a test, and one uid plays every role.
  package let isSandbox: Bool
  package var policy: Policy
  /// Who is registered: names for cards, bridges for contacts.
  package var apps: AppRegistry
  /// How many questions may be open.
  package var limits: QuestionLimits
  /// Keys the hashes that must not be guessed back: handles in a topic's key, guardians in evidence.
  package let salt: KeySalt

  package init(
    isSandbox: Bool, policy: Policy, apps: AppRegistry, limits: QuestionLimits = .none, salt: KeySalt
  ) {
    self.isSandbox = isSandbox
    self.policy = policy
    self.apps = apps
    self.limits = limits
    self.salt = salt
  }

  var deciders: DeciderRule { DeciderRule(anyRole: isSandbox, apps: apps) }
}

/// Owns the questions. It belongs to whoever runs it, and its methods run there.
package final class Broker {
  let store: any Store
  package let clock: any BrokerClock
  var logins: LoginCache
  /// Read anew with the configuration.
  package var rules: BrokerRules
  var waiting = ContinuationTable()
  var audience = Audience()
  /// Questions for which the number of waiting callers has changed since companions were told.
  var recounted: Set<QuestionID> = []
  /// Answers that were refused lately, and answers that came too late, as far as they were noted.
  var refusedAnswers = RefusalNotes()
  var lateAnswers = RefusalNotes()
  /// The earliest deadline of an open question, as far as this process knows.
  var earliestExpiry: Instant?
  /// How many questions were open when `statistics` last looked.
  var openQuestions = 0
  /// Called when `alarm`, `statistics` or what `tellCounts` tells may have changed.
  package var changed: () -> Void = {}
  /// Called with each question that has ended.
  package var ended: (EndedQuestion) -> Void = { _ in }
  /// Called with what the store could not do.
  package var failed: (any Error) -> Void = { _ in }

  package init(
    store: any Store, clock: any BrokerClock, rules: BrokerRules, accounts: any AccountDirectory = NoAccounts()
  ) {
    self.store = store
    self.clock = clock
    logins = LoginCache(accounts)
    self.rules = rules
  }

  /// When the broker next wants `expireDue` and `releaseDue` to be called.
  package struct Alarm: Equatable {
    /// A question's deadline, wall clock.
    package let question: Instant?
    /// A caller's timeout, boot-time microseconds.
    package let waiterBootUSec: Int64?
  }

  package var alarm: Alarm { Alarm(question: earliestExpiry, waiterBootUSec: waiting.earliestDeadline) }

  /// The daemon in numbers.
  package struct Statistics: Equatable, Sendable {
    package let openQuestions: Int
    package let waiters: Int
    package let companions: Int
  }

  /// Numbers for `status`, `STATUS=` and tests.
  package func statistics() throws(Refusal) -> Statistics {
    openQuestions = try read { try $0.openQuestionCount() }
    return Statistics(openQuestions: openQuestions, waiters: waiting.count, companions: audience.companions)
  }

  /// How many people are enrolled. All of them are counted, which takes too long to be done now and then.
  package func peopleCount() throws(Refusal) -> Int { try read { try $0.counts().people } }
}
