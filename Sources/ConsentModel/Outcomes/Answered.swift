// SPDX-License-Identifier: Apache-2.0
//
// What an answer did.

/// The result of `Answer`; while votes are missing its decision is that the question is pending.
package struct Answered: Sendable, Equatable {
  package var decision: Decision
  /// How many parked callers this very answer let go on; 0 for a retry.
  package var waitersResumed: Int
  package var votes: Votes

  package init(decision: Decision, waitersResumed: Int, votes: Votes) {
    self.decision = decision
    self.waitersResumed = waitersResumed
    self.votes = votes
  }
}
