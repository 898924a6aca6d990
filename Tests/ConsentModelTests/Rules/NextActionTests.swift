// SPDX-License-Identifier: Apache-2.0
//
// What an app does next, for every state, reason, successor and cool-down.

import Testing

@testable import ConsentModel

@Suite struct NextActionTests {
  private static let reasons: [Reason?] = [nil] + Reason.allCases
  private static let successors: [QuestionState?] = [nil] + QuestionState.allCases

  @Test(arguments: QuestionState.allCases, [true, false])
  func `every state has one action, whatever the reason`(state: QuestionState, isCooling: Bool) {
    let again: NextAction = isCooling ? .askLater : .ask
    for reason in Self.reasons {
      let expected: NextAction =
        switch state {
        case .pending: .wait
        case .approved: reason == .narrowed ? again : .proceed
        case .denied, .expired, .withdrawn, .superseded: again
        case .moot: reason == .adult ? .proceed : reason == .personRemoved ? .askLater : .ask
        }
      #expect(NextAction.after(state, reason: reason, isCooling: isCooling) == expected)
    }
  }

  @Test(arguments: QuestionState.allCases, [true, false])
  func `a superseded question says what the last in its place says`(successor: QuestionState, isCooling: Bool) {
    for reason in Self.reasons {
      #expect(
        NextAction.after(.superseded, reason: reason, successor: successor, isCooling: isCooling)
          == NextAction.after(successor, reason: reason, isCooling: isCooling))
    }
  }

  @Test(arguments: QuestionState.allCases, successors)
  func `only an approval or an adult's question lets an app go on`(state: QuestionState, successor: QuestionState?) {
    for reason in Self.reasons {
      let last = state == .superseded ? successor ?? state : state
      let isFree = (last == .approved && reason != .narrowed) || (last == .moot && reason == .adult)
      #expect((NextAction.after(state, reason: reason, successor: successor) == .proceed) == isFree)
    }
  }
}
