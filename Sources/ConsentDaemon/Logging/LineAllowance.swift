// SPDX-License-Identifier: Apache-2.0
//
// How many lines one peer, or one fault that repeats itself, may cause: a burst, then one a minute. Nothing is left out
// unsaid: the last line of those left out is kept and comes with their number when a line is allowed again.

/// Decides which lines are written now. Instants are microseconds of a clock that nobody sets.
struct LineAllowance<Source: Hashable, Line> {
  /// A line to write.
  struct Admitted {
    let line: Line
    /// How many others of its source were left out before it.
    let more: Int
  }

  /// One source's account.
  private struct Account {
    let burst: Int
    var lines: Int
    /// When `lines` was last as it is; an allowance grows from there.
    var since: Int64
    var kept: Admitted?

    mutating func grow(until now: Int64) {
      let grown = (now - since) / LineAllowance.pauseUSec
      guard Int64(lines) + grown < burst else {
        (lines, since) = (burst, now)
        return
      }
      lines += Int(grown)
      since += grown * LineAllowance.pauseUSec
    }

    /// Whether it is as it was before its first line.
    func isNew(at now: Int64) -> Bool { kept == nil && Int64(lines) + (now - since) / LineAllowance.pauseUSec >= burst }
  }

  /// How long it takes until one more line is allowed, microseconds.
  static var pauseUSec: Int64 { 60_000_000 }
  /// How many sources have an account of their own; all others share one.
  static var limit: Int { 1_024 }

  private var accounts: [Source?: Account] = [:]

  /// The line where it may be written at once; otherwise it is kept, or counted in the place of the one that was.
  mutating func offer(_ line: Line, from source: Source, burst: Int, at now: Int64) -> Admitted? {
    let key = key(for: source, at: now)
    var account = accounts[key] ?? Account(burst: burst, lines: burst, since: now)
    account.grow(until: now)
    defer { accounts[key] = account }
    let admitted = Admitted(line: line, more: account.kept.map { $0.more + 1 } ?? 0)
    account.kept = account.lines > 0 ? nil : admitted
    guard account.lines > 0 else { return nil }
    account.lines -= 1
    return admitted
  }

  /// The lines that were kept and may be written now.
  mutating func takeDue(at now: Int64) -> [Admitted] {
    take { account in
      account.grow(until: now)
      return account.lines > 0
    }
  }

  /// Every line that is kept, for the end.
  mutating func takeAll() -> [Admitted] { take { _ in true } }

  /// When the first line that is kept may be written.
  var nextDue: Int64? { accounts.values.filter { $0.kept != nil }.map { $0.since + Self.pauseUSec }.min() }

  private mutating func take(_ isDue: (inout Account) -> Bool) -> [Admitted] {
    var taken: [Admitted] = []
    for (key, value) in accounts {
      var account = value
      guard let kept = account.kept, isDue(&account) else { continue }
      account.lines = max(0, account.lines - 1)
      account.kept = nil
      accounts[key] = account
      taken.append(kept)
    }
    return taken
  }

  /// Whose account a source's lines are charged to. Accounts that are as they began make room.
  private mutating func key(for source: Source, at now: Int64) -> Source? {
    if accounts[source] != nil { return source }
    guard accounts.count >= Self.limit else { return source }
    accounts = accounts.filter { !$0.value.isNew(at: now) }
    return accounts.count < Self.limit ? source : nil
  }
}
