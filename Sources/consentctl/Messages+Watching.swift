// SPDX-License-Identifier: Apache-2.0
//
// What a guardian reads who sits before the cards: the card in front, the keys there are, and what became of a key.

import ConsentKit

extension Messages {
  /// The line above the cards.
  static func cardsHead(_ screen: WatchScreen) -> String {
    let open = screen.entries.count { $0.ending == nil }
    let text = open == 1 ? "1 question is open" : "\(open) questions are open"
    return screen.isAway ? "consentd is away; as of before: \(text)" : text
  }

  static func page(_ page: Int, of pages: Int) -> String { " · page \(page) of \(pages), space turns it" }

  /// The card in front, and how it ended.
  static func front(_ screen: WatchScreen) -> [String] {
    guard let entry = screen.frontEntry else { return ["Nothing is asked. Questions appear here as they come."] }
    let others = screen.others.count { $0.ending == nil }
    var lines = card(entry.card, .plain)
    if let ending = entry.ending, !ending.isEmpty { lines.append("this question is over: \(ending)") }
    if others > 0 { lines.append("behind it: \(others)") }
    return lines
  }

  /// What the keys do now.
  static func keys(_ screen: WatchScreen) -> String {
    switch screen.mode {
    case .browsing:
      let answers = screen.answers.map { "\($0.key) \(words(for: $0, screen.frontEntry?.card))" }
      return (answers + (screen.entries.isEmpty ? [] : ["s next"]) + ["q leave"]).joined(separator: "  ")
    case .confirming(let pending):
      let end = pending.untilUSec.map { " until \(Moment.text(usec: $0))" } ?? ""
      let card = screen.entries.first { $0.card.question == pending.question }?.card
      return "\(words(for: pending.answer, card))\(end)? y yes  n no"
    case .typing(_, let text): return "until when (2h, 7d, or the last day as YYYY-MM-DD): \(plain(text))"
    case .sending: return "sending the answer"
    }
  }

  private static func words(for answer: WatchAnswer, _ card: Card?) -> String {
    let title = card?.choices.first { $0.choice.utf8.elementsEqual(answer.choice.utf8) }?.title
    let words = plain(title ?? answer.choice)
    return answer == .never ? "\(words), and never ask again" : words
  }

  static func reminder(_ card: Card) -> String {
    "still open: \(named(card)), until \(Moment.text(usec: card.expiresAtUSec))"
  }

  /// How a question ended, or why it is not shown any more.
  static func removal(_ change: QuestionChange, _ card: Card) -> String {
    card.state == "pending" ? plain(change.reason ?? "no longer shown") : ending(card)
  }

  static func ended(_ card: Card, _ ending: String) -> String { "\(named(card)): \(ending)" }
  static let endedMeanwhile = "it ended while consentd was away"
  static let contentChanged = "what is asked has changed"

  static func notSent(_ card: Card, _ why: String) -> String {
    "your answer to \(named(card)) was not sent and has no effect: \(why)"
  }
  static func tooLate(_ card: Card, _ ending: String) -> String {
    "that key has no effect: \(named(card)) is over" + (ending.isEmpty ? "" : " (\(ending))")
  }
  static func noSuchAnswer(_ card: Card, _ letter: Character) -> String {
    "\(plain(String(letter))) is no answer to \(named(card))" + (card.canAnswer ? "" : ": it is not yours to answer")
  }
  static func noSuchKey(_ letter: Character) -> String { "\(plain(String(letter))) does nothing" }
  static let noneInFront = "no question is there to answer"
  static let cannotAnswerAway = "consentd is away; answer when it is back"
  static let onItsWay = "the answer is on its way"
  static func asksNoMore(_ card: Card) -> String {
    "\(plain(card.app ?? "the app")) asks about \(Names.shown(card.person)) no more; consentctl settings takes that back"
  }
  static let nothingSent = "nothing was sent"
  static let yesOrNo = "y sends the answer, n does not"
  static func notAnEnd(_ text: String) -> String {
    "\(plain(text)) is no end that lies ahead; 2h, 7d, or the last day as YYYY-MM-DD"
  }

  private static func named(_ card: Card) -> String { "\(short(card.question)) for \(Names.shown(card.person))" }
}
