// SPDX-License-Identifier: Apache-2.0
//
// An asker takes its question back.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Withdraws an open question of `uid`; one that has ended stays as it ended. Returns how it stands now.
  package func withdraw(_ question: String, asUID uid: UserID) async throws(Refusal) -> Decision {
    let known = try look(at: question, asUID: uid).question
    let rules = rules
    return try await commit { transaction in
      let row = try transaction.rows.existingQuestion(known)
      let now = transaction.now
      _ = try transaction.end(row, row.expiresAt > now.usec ? .withdrawn(at: now) : .expired(row))
      return try transaction.rows.existingQuestion(known).decision(rules, in: transaction.rows, at: now)
    }
  }
}
