// SPDX-License-Identifier: Apache-2.0
//
// Anybody may send answers that are refused, as often as they like, and each leaves evidence. So each user leaves at most
// one note of each matter in an hour, and all that follow in that hour are the same to us.

import ConsentModel

/// Which refused answers were noted lately.
struct RefusalNotes {
  /// How long one note stands for all that follow, microseconds of boot time.
  private static let spanUSec = Span.hour
  /// The notes that are remembered at the most; beyond that nothing is noted until one of them is an hour old.
  private static let limit = 4_096

  private struct Note: Hashable {
    let peer: UserID
    let matter: String
  }

  private var noted: [Note: Int64] = [:]

  /// Whether a refusal in this matter is to be noted now.
  mutating func admits(_ peer: UserID, _ matter: String, atBootUSec now: Int64) -> Bool {
    let note = Note(peer: peer, matter: matter)
    if let last = noted[note], now - last < Self.spanUSec { return false }
    if noted.count >= Self.limit { noted = noted.filter { now - $0.value < Self.spanUSec } }
    guard noted.count < Self.limit else { return false }
    noted[note] = now
    return true
  }
}
