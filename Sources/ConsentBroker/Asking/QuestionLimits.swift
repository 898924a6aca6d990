// SPDX-License-Identifier: Apache-2.0
//
// How many questions may be open. Only what would add one is refused: an ask that joins an open question, or takes the
// place of one, leaves their number as it was.

import ConsentModel
import ConsentStore

/// How many questions may be open at a time.
package struct QuestionLimits: Sendable, Equatable {
  /// Of one user about itself.
  package var perUser: Int
  /// Of a registered service about one of its accounts.
  package var perAccount: Int
  /// In the store; the last count decides, so some more may come to stand.
  package var total: Int

  package init(perUser: Int, perAccount: Int, total: Int) {
    self.perUser = perUser
    self.perAccount = perAccount
    self.total = total
  }

  /// As many as there are.
  package static let none = QuestionLimits(perUser: .max, perAccount: .max, total: .max)

  /// How many may be open about a person.
  func about(_ person: Person) -> Int {
    switch person {
    case .user: perUser
    case .account: perAccount
    }
  }
}

extension Transaction {
  /// Throws `tooManyPending` where the asker's uid may not have another open question about the person.
  func requireRoom(for request: AskRequest, _ limits: QuestionLimits) throws {
    let limit = limits.about(request.person)
    guard limit < .max else { return }
    let open = try rows.openQuestionCount(
      person: request.person.description, uid: request.asker.uid, unexpiredAt: now.usec)
    guard open < limit else { throw Refusal.tooManyPending(limit: limit) }
  }
}
