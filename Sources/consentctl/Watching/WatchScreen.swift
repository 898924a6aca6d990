// SPDX-License-Identifier: Apache-2.0
//
// The cards of a guardian who sits at a terminal, and what the keys do: events in, effects out, no terminal anywhere.
//
// A key counts for the card that was in front when it was struck. So a card that ends stays in front, marked as ended,
// until its guardian moves on: no key meant for it can hit the one behind it. A key that comes too late, and an answer
// that was about to be confirmed, are told to have had no effect, with how the question ended.
//
//   browsing ──answer key──► confirming ──y──► sending ──reply──► browsing
//       └──────until key───► typing ──Enter──► confirming      n, Escape, or the card's end: browsing

import ConsentKit

/// What is shown and what is being done.
struct WatchScreen {
  /// What can happen.
  enum Event {
    case change(QuestionChange)
    case key(WatchKey)
    /// The daemon went; what is shown may be old.
    case away
    /// The daemon is back and tells everything again.
    case back
    /// An answer came to this: sentences, already fit for a terminal.
    case replied(question: String, hasEnded: Bool, [String])
  }

  /// What there is to do.
  enum Effect: Equatable {
    case answer(Pending)
    case leave
  }

  /// An answer somebody is about to give.
  struct Pending: Equatable {
    let question: String
    /// Of what was shown when the key was struck.
    let contentHash: String
    let answer: WatchAnswer
    /// With `until`, in microseconds since the Unix epoch.
    var untilUSec: Int64?
  }

  /// What the keys mean now.
  enum Mode: Equatable {
    case browsing
    /// `y` or Enter sends it.
    case confirming(Pending)
    /// A date or a span is being typed.
    case typing(Pending, String)
    /// It is on its way.
    case sending(Pending)
  }

  /// One question and what is known of it.
  struct Entry {
    var card: Card
    /// How it ended; `nil` while it is open.
    var ending: String?
    /// Whether the daemon has told it since it came back.
    var isCurrent = true
  }

  private(set) var entries: [Entry] = []
  /// The question in front.
  private(set) var front: String?
  private(set) var mode = Mode.browsing
  /// What happened, oldest first.
  private(set) var notices: [String] = []
  /// How many there have been.
  private(set) var told = 0
  private(set) var isAway = false
  /// How many pages the card in front is scrolled.
  private(set) var page = 0

  /// The entry in front.
  var frontEntry: Entry? { entries.first { $0.card.question == front } }
  /// The open ones behind it.
  var others: [Entry] { entries.filter { $0.card.question != front } }

  /// Takes an event in. `now` is in microseconds since the Unix epoch.
  mutating func take(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .change(let change): take(change)
    case .key(let key): return take(key, now: now)
    case .away: leaveDaemon()
    case .back:
      isAway = false
      say(Messages.daemonBack)
    case .replied(let question, let hasEnded, let lines): takeReply(question, hasEnded, lines)
    }
    return []
  }

  /// How many sentences are remembered.
  private static let memory = 50

  /// Remembers a sentence.
  private mutating func say(_ text: String) {
    notices.append(text)
    told += 1
    if notices.count > WatchScreen.memory { notices.removeFirst() }
  }
}

// MARK: Changes

extension WatchScreen {
  private mutating func take(_ change: QuestionChange) {
    guard let card = change.card else {
      if change.change == "ready" { takeReady() }
      return
    }
    switch change.change {
    case "added", "changed", "reminder":
      put(card)
      if change.change == "reminder" { say(Messages.reminder(card)) }
    case "removed": end(card, Messages.removal(change, card))
    default: say(contentsOf: change)
    }
  }

  private mutating func say(contentsOf change: QuestionChange) {
    for line in Messages.change(change, Output.plain) { say(line) }
  }

  private mutating func put(_ card: Card) {
    if let place = place(of: card.question) {
      let isSame = entries[place].card.contentHash == card.contentHash
      entries[place] = Entry(card: card)
      if !isSame { cancel(card, Messages.contentChanged) }
    } else {
      entries.append(Entry(card: card))
    }
    if front == nil { bring(card.question) }
  }

  /// A question is over, or no longer this guardian's to see.
  private mutating func end(_ card: Card, _ ending: String) {
    guard let place = place(of: card.question) else { return }
    let isSending = if case .sending(let pending) = mode { pending.question == card.question } else { false }
    cancel(card, ending)
    entries[place].card = card
    entries[place].ending = ending
    if card.question != front {
      if !isSending { say(Messages.ended(card, ending)) }
      entries.remove(at: place)
    }
  }

  /// An answer that was about to be confirmed for `card` goes nowhere, and that is said.
  private mutating func cancel(_ card: Card, _ why: String) {
    switch mode {
    case .confirming(let pending), .typing(let pending, _):
      guard pending.question == card.question else { return }
      mode = .browsing
      say(Messages.notSent(card, why))
    case .browsing, .sending: return
    }
  }

  /// What the daemon did not tell again ended while it was away.
  private mutating func takeReady() {
    for entry in entries where !entry.isCurrent && entry.ending == nil { end(entry.card, Messages.endedMeanwhile) }
  }

  private mutating func leaveDaemon() {
    isAway = true
    say(Messages.daemonAway)
    for place in entries.indices { entries[place].isCurrent = false }
    if let card = frontEntry?.card { cancel(card, Messages.daemonAway) }
  }

  private func place(of question: String) -> Int? { entries.firstIndex { $0.card.question == question } }
}

// MARK: Keys

extension WatchScreen {
  /// The answers the card in front takes now, in the order of their keys.
  var answers: [WatchAnswer] {
    guard let entry = frontEntry, entry.ending == nil else { return [] }
    return WatchAnswer.offered(by: entry.card)
  }

  private mutating func take(_ key: WatchKey, now: Int64) -> [Effect] {
    switch mode {
    case .browsing: return browse(key)
    case .confirming(let pending): return confirm(pending, key)
    case .typing(let pending, let text):
      type(key, text, for: pending, now: now)
      return []
    case .sending:
      if key == .interrupt { return [.leave] }
      say(Messages.onItsWay)
      return []
    }
  }

  private mutating func browse(_ key: WatchKey) -> [Effect] {
    switch key {
    case .interrupt, .character("q"): return [.leave]
    case .character("s"), .next: move(by: 1)
    case .previous: move(by: -1)
    case .character(" "): page += 1
    case .character("b"): page = max(0, page - 1)
    case .character(let letter): choose(letter)
    case .enter, .escape, .erase: break
    }
    return []
  }

  private mutating func choose(_ letter: Character) {
    guard WatchAnswer(key: letter) != nil else { return say(Messages.noSuchKey(letter)) }
    guard let entry = frontEntry else { return say(Messages.noneInFront) }
    if let ending = entry.ending { return say(Messages.tooLate(entry.card, ending)) }
    if isAway { return say(Messages.cannotAnswerAway) }
    guard let answer = answers.first(where: { $0.key == letter }) else {
      return say(Messages.noSuchAnswer(entry.card, letter))
    }
    let pending = Pending(question: entry.card.question, contentHash: entry.card.contentHash, answer: answer)
    mode = answer == .until ? .typing(pending, "") : .confirming(pending)
  }

  private mutating func confirm(_ pending: Pending, _ key: WatchKey) -> [Effect] {
    switch key {
    case .interrupt: return [.leave]
    case .character("y"), .character("Y"), .enter:
      mode = .sending(pending)
      return [.answer(pending)]
    case .character("n"), .character("N"), .escape, .character("q"):
      mode = .browsing
      say(Messages.nothingSent)
    default: say(Messages.yesOrNo)
    }
    return []
  }

  private mutating func type(_ key: WatchKey, _ text: String, for pending: Pending, now: Int64) {
    switch key {
    case .character(let letter): mode = .typing(pending, String((text + String(letter)).prefix(40)))
    case .erase: mode = .typing(pending, String(text.dropLast()))
    case .enter:
      guard let until = try? ApprovalEnd(typed: text, nowUSec: now), until.usec > now else {
        mode = .typing(pending, "")
        return say(Messages.notAnEnd(text))
      }
      var pending = pending
      pending.untilUSec = until.usec
      mode = .confirming(pending)
    case .escape, .interrupt:
      mode = .browsing
      say(Messages.nothingSent)
    case .next, .previous: break
    }
  }
}

// MARK: Moving on

extension WatchScreen {
  /// Puts another card in front; one that has ended is put away.
  private mutating func move(by step: Int) {
    let count = entries.count
    guard let front, let place = place(of: front) else { return bring(entries.first?.card.question) }
    let next = count > 1 ? entries[(place + step + count) % count].card.question : nil
    if entries[place].ending != nil {
      entries.remove(at: place)
      bring(next)
    } else {
      bring(next ?? front)
    }
  }

  private mutating func bring(_ question: String?) {
    front = question
    page = 0
  }

  /// The next card comes to the front where the answer ended the question: its guardian knows how.
  private mutating func takeReply(_ question: String, _ hasEnded: Bool, _ lines: [String]) {
    for line in lines { say(line) }
    guard case .sending(let pending) = mode, pending.question == question else { return }
    mode = .browsing
    guard hasEnded, let place = place(of: question) else { return }
    if entries[place].ending == nil { entries[place].ending = "" }
    if front == question { move(by: 1) }
  }
}
