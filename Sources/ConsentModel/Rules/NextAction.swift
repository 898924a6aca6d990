// SPDX-License-Identifier: Apache-2.0
//
// What an app switches on. Every reply about a topic carries one of these, and an app that knows nothing else does
// the right thing; nothing but `proceed` lets it go on.

/// What an app does next.
package enum NextAction: String, CaseIterable, Sendable {
  case proceed, ask, wait, askGuardian, openSettings, askLater, blockedByPolicy

  /// What follows a question in `state`. `successor` is the state, at the same instant, of the question that took the
  /// place of a superseded one (the last of them, where there are several); `reason` is why the last of them ended as it
  /// did; `isCooling` is whether an ask of the same would be refused now for having been asked before.
  /// A moot question lets its app go on only where the person is an adult: any other reason, one that is not known here
  /// too, says nothing of the kind. An approval of less than was asked does not either.
  package static func after(
    _ state: QuestionState, reason: Reason? = nil, successor: QuestionState? = nil, isCooling: Bool = false
  ) -> NextAction {
    let again: NextAction = isCooling ? .askLater : .ask
    return switch (state, successor) {
    case (.pending, _): .wait
    case (.approved, _): reason == .narrowed ? again : .proceed
    case (.denied, _), (.expired, _), (.withdrawn, _): again
    case (.moot, _):
      switch reason {
      case .adult: .proceed
      case .personRemoved: .askLater
      default: .ask
      }
    case (.superseded, .superseded?), (.superseded, nil): again
    case (.superseded, let successor?): after(successor, reason: reason, isCooling: isCooling)
    }
  }
}

/// Why a reply is what it is; an open set of words, of which these are the model's.
package enum Reason: String, CaseIterable, Sendable {
  /// The person is known to be an adult.
  case adult
  /// The person never had the app without the change.
  case installedAfter
  /// Nobody may answer for the person.
  case noGuardian
  /// Nobody said how old the person is, or nobody who counts.
  case ageUnknown
  /// The person was removed while the question was open.
  case personRemoved
  /// The person has another uid or account now, and can be asked about under that.
  case personMoved
  /// What the app had about the person was forgotten.
  case forgotten
  /// A guardian took back what was approved.
  case revoked
  /// A guardian wants no questions of this app.
  case neverAsk
  /// A guardian set it so.
  case settings
  /// Less was approved than asked.
  case narrowed
  /// The guardians approved different things.
  case disagreed
}
