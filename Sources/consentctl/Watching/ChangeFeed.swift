// SPDX-License-Identifier: Apache-2.0
//
// The changes a guardian has to see, over as many connections as it takes. What is open is told again by the daemon
// itself after each of them, so nothing is remembered here.

import ConsentKit
import HostRuntime

/// Follows the changes until the daemon refuses or whoever takes them fails.
@Loop
struct ChangeFeed {
  /// What there is to be told.
  enum News {
    case change(QuestionChange)
    /// The daemon went; it is tried again until it is back. Told once.
    case away
    /// The daemon is back; what is open comes next.
    case back
  }

  private let guardian: GuardianClient
  private let person: String?
  private var backOff = BackOff()
  private var hasBeenConnected = false
  private var isAway = false

  /// Follows what `guardian` has to see, of everybody or of one person.
  init(_ guardian: GuardianClient, person: String?) {
    self.guardian = guardian
    self.person = person
  }

  /// Hands every piece of news to `take`. Throws what it throws, and what no later connection would mend.
  mutating func follow(_ take: (News) async throws -> Void) async throws -> Never {
    while true {
      do {
        for try await change in guardian.changes(person: person) {
          if isAway { try await take(.back) }
          hasBeenConnected = true
          isAway = false
          backOff = BackOff()
          try await take(.change(change))
        }
      } catch let error as ConsentError {
        guard hasBeenConnected, ChangeFeed.passes(error) else { throw error }
      }
      if !isAway { try await take(.away) }
      isAway = true
      try await Pause.wait(usec: backOff.next())
    }
  }

  /// Whether a connection that ended like this is worth another try.
  private static func passes(_ error: ConsentError) -> Bool {
    switch error {
    case .unreachable, .connectionLost: true
    case .refused(let refusal): refusal.shortName == "SubscriberTooSlow" || refusal.isRetryable
    case .protocolViolation, .cancelled: false
    }
  }
}

/// How long to wait before the next try: within a second at first, then doubling to half a minute.
struct BackOff {
  private static let longestUSec: Int64 = 30_000_000
  private static let eagerUSec: Int64 = 1_000_000
  private static let eagerTries = 10
  private var tries = 0
  private var usec: Int64 = 250_000

  /// The wait before the next try, in microseconds.
  mutating func next() -> Int64 {
    defer {
      tries += 1
      let limit = tries < BackOff.eagerTries ? BackOff.eagerUSec : BackOff.longestUSec
      usec = min(usec * 2, limit)
    }
    return usec
  }
}
