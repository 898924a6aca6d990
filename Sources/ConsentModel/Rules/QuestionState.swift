// SPDX-License-Identifier: Apache-2.0
//
// Where a question is in its life (design, rule 2). It ends once, and what has ended never changes again: a changed
// mind is a new question or, for a grant, its revocation. The store makes the same rule one conditional update.

/// The state of a question.
package enum QuestionState: String, CaseIterable, Sendable {
  /// Put to its deciders. Exits: each of the other six.
  case pending
  /// A decider said yes. Exits: none.
  case approved
  /// A decider said no. Exits: none.
  case denied
  /// The deadline passed first. Exits: none.
  case expired
  /// The asker took it back. Exits: none.
  case withdrawn
  /// Another question took its place. Exits: none.
  case superseded
  /// There is nothing left to ask: the person came of age or left. Exits: none.
  case moot

  /// The states a question in this state can go to.
  package var exits: Set<QuestionState> {
    switch self {
    case .pending: [.approved, .denied, .expired, .withdrawn, .superseded, .moot]
    case .approved, .denied, .expired, .withdrawn, .superseded, .moot: []
    }
  }

  package var isTerminal: Bool { exits.isEmpty }

  /// The state as it is at `now`: what is pending at its deadline or later has expired, written down or not.
  package func seen(at now: Instant, expiresAt: Instant) -> QuestionState {
    self == .pending && expiresAt <= now ? .expired : self
  }
}
