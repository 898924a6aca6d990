// SPDX-License-Identifier: Apache-2.0
//
// Nobody is nagged (design, rule 5). A denial is followed by a wait that grows until something is approved; a question
// that ran out, or was taken back when somebody had it before them, by a short one. What is remembered belongs to a
// subject within a scope: a topic key, or all significant updates together, since a new version would otherwise be a
// new chance. So that a denied update does not hold back what comes later, one change that was never asked before goes
// through for each denial.
//
// A revocation is a guardian's doing and no sign of nagging: it is followed by no wait.

/// What is remembered of a subject that was asked about.
package struct CoolDown: Sendable, Equatable {
  /// Denials since the last approval.
  package var denials: Int
  /// The latest of them.
  package var deniedAt: Instant?
  /// When a question last expired, or was withdrawn after it was delivered.
  package var lapsedAt: Instant?
  /// When, since the last denial, a new change was let through.
  package var newsAt: Instant?

  package init(denials: Int = 0, deniedAt: Instant? = nil, lapsedAt: Instant? = nil, newsAt: Instant? = nil) {
    self.denials = denials
    self.deniedAt = deniedAt
    self.lapsedAt = lapsedAt
    self.newsAt = newsAt
  }
}

/// Whether it is time to ask.
package enum CoolDownVerdict: Sendable, Equatable {
  case free
  /// Free because the change is new; that is so once for each denial.
  case freeAsNews
  case cooling(until: Instant)
}

/// What is remembered, and how long it holds an asker back.
package enum CoolDownRule {
  /// What cool-downs call all significant updates of a scope.
  package static let everyUpdate = "significantUpdate"

  /// Under which name a topic is remembered.
  package static func subject(of kind: TopicKind, topicKey: String) -> String {
    kind == .significantUpdate ? everyUpdate : topicKey
  }

  /// Whether a question may be put at `now`. `isNews`: it is about a change that was never asked before.
  package static func verdict(
    _ coolDown: CoolDown?, isNews: Bool, _ numbers: CoolDowns, now: Instant
  ) -> CoolDownVerdict {
    guard let coolDown else { return .free }
    let lapse = end(of: coolDown.lapsedAt, numbers.afterLapseUSec).flatMap { $0 > now ? $0 : nil }
    let wait = numbers.afterDenialUSec.prefix(max(coolDown.denials, 0)).last ?? 0
    guard let denial = end(of: coolDown.deniedAt, wait), denial > now else {
      return lapse.map { .cooling(until: $0) } ?? .free
    }
    guard isNews, coolDown.newsAt == nil else { return .cooling(until: max(denial, lapse ?? denial)) }
    return lapse.map { .cooling(until: $0) } ?? .freeAsNews
  }

  /// What is remembered once a question has ended as `state` for `reason`; `nil`: nothing. `wasDelivered` is whether it
  /// had reached somebody who could answer.
  package static func after(
    _ state: QuestionState, reason: Reason?, wasDelivered: Bool, at instant: Instant, _ coolDown: CoolDown?
  ) -> CoolDown? {
    switch state {
    case .denied: denied(coolDown, at: instant)
    case .approved: reason == .narrowed ? denied(coolDown, at: instant) : nil
    case .expired: lapsed(coolDown, at: instant)
    case .withdrawn: wasDelivered ? lapsed(coolDown, at: instant) : coolDown
    case .pending, .superseded, .moot: coolDown
    }
  }

  private static func denied(_ coolDown: CoolDown?, at instant: Instant) -> CoolDown {
    var coolDown = coolDown ?? CoolDown()
    coolDown.denials += 1
    coolDown.deniedAt = instant
    coolDown.newsAt = nil
    return coolDown
  }

  private static func lapsed(_ coolDown: CoolDown?, at instant: Instant) -> CoolDown {
    var coolDown = coolDown ?? CoolDown()
    coolDown.lapsedAt = max(coolDown.lapsedAt ?? instant, instant)
    return coolDown
  }

  private static func end(of start: Instant?, _ span: Int64) -> Instant? {
    start.map { $0.adding(usec: span) ?? Instant(usec: .max) }
  }
}
