// SPDX-License-Identifier: Apache-2.0
//
// When approvals are enough (design, rule 7). Under `any` the first is; under `all` the last of those who may decide,
// and what they approve together is what each of them approved: the items all of them named, for the shortest of their
// times. A denial needs no rule: one ends the question. An approval whose own end has passed counts no more.

/// What a guardian chose, checked against what was asked.
package struct Chosen: Sendable {
  package let choice: OfferedChoice
  /// Until when the approval holds, where it has an end.
  package let until: Instant?
  /// The part that is approved, in the order of the topic; `nil`: all of it.
  package let items: [Item]?

  package init(choice: OfferedChoice, until: Instant? = nil, items: [Item]? = nil) {
    self.choice = choice
    self.until = until
    self.items = items
  }

  /// Whether both say the very same.
  package func isSame(as other: Chosen) -> Bool {
    choice.choice.isExactly(other.choice.choice) && until == other.until && items == other.items
  }
}

/// One guardian's standing answer.
package struct Vote: Sendable {
  package let guardian: Guardian
  package let chosen: Chosen

  package init(guardian: Guardian, chosen: Chosen) {
    self.guardian = guardian
    self.chosen = chosen
  }
}

/// What the votes come to.
package enum VoteOutcome: Sendable {
  /// Not enough yet.
  case open
  case approved(Chosen)
  /// Everybody approved, and nothing in common.
  case disagreed
}

/// How many approvals a question needs.
package struct VoteRule: Sendable {
  /// Whether every guardian who may decide must agree.
  package let needsAll: Bool
  /// The guardians who may decide the question.
  package let deciders: [Guardian]

  package init(needsAll: Bool, deciders: [Guardian]) {
    self.needsAll = needsAll
    self.deciders = deciders
  }

  /// Approvals given and needed at `now`.
  package func votes(_ votes: [Vote], now: Instant) -> Votes {
    Votes(have: counting(votes, now: now).count, need: needsAll ? max(1, deciders.count) : 1)
  }

  /// What the votes come to at `now`; `asked` is everything that is asked.
  package func outcome(of votes: [Vote], asked: [Item], now: Instant) -> VoteOutcome {
    let tally = self.votes(votes, now: now)
    let approvals = counting(votes, now: now).map(\.chosen)
    guard tally.have >= tally.need, let first = approvals.first else { return .open }
    let parts = approvals.compactMap(\.items).map(Set.init)
    let common = asked.filter { item in parts.allSatisfy { $0.contains(item) } }
    guard !common.isEmpty else { return .disagreed }
    let once = approvals.first { !$0.choice.givesGrant }
    let shortest = approvals.filter { $0.until != nil }.min { ($0.until?.usec ?? 0) < ($1.until?.usec ?? 0) }
    let narrowest = once ?? shortest ?? first
    return .approved(
      Chosen(
        choice: narrowest.choice, until: once == nil ? shortest?.until : nil,
        items: common.count == asked.count ? nil : common))
  }

  private func counting(_ votes: [Vote], now: Instant) -> [Vote] {
    votes.filter { vote in
      vote.chosen.choice.answer == .approval && deciders.contains(vote.guardian)
        && (vote.chosen.until.map { $0 > now } ?? true)
    }
  }
}
