// SPDX-License-Identifier: Apache-2.0
//
// Every state against every state.

import Testing

@testable import ConsentModel

@Suite struct QuestionStateTests {
  @Test(arguments: QuestionState.allCases, QuestionState.allCases)
  func `only what is pending changes, and into anything but pending`(from: QuestionState, to: QuestionState) {
    #expect(from.exits.contains(to) == (from == .pending && to != .pending))
  }

  @Test(arguments: QuestionState.allCases)
  func `every state but pending is terminal`(state: QuestionState) {
    #expect(state.isTerminal == (state != .pending))
  }

  @Test(arguments: QuestionState.allCases, [(-1, false), (0, true), (1, true)] as [(Int64, Bool)])
  func `a pending question has expired from its deadline on, and nothing else has`(
    state: QuestionState, passed: (usec: Int64, isPast: Bool)
  ) {
    let expiresAt = Instant(usec: 1_000)
    let seen = state.seen(at: Instant(usec: 1_000 + passed.usec), expiresAt: expiresAt)
    #expect(seen == (state == .pending && passed.isPast ? .expired : state))
  }

  @Test func `a deadline at the end of time is none that passed`() {
    #expect(QuestionState.pending.seen(at: Instant(usec: .max - 1), expiresAt: Instant(usec: .max)) == .pending)
    #expect(QuestionState.pending.seen(at: Instant(usec: .max), expiresAt: Instant(usec: .max)) == .expired)
  }
}
