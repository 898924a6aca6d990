// SPDX-License-Identifier: Apache-2.0
//
// What a guardian reads: the open questions, one of them in full, what changes, and what an answer came to. Every text
// that an answer counts for is shown; who says so, the administrator or the app itself, stands beside the app's name.

import ConsentKit

extension Messages {
  /// The open questions as a table.
  static func pending(_ cards: [Card], _ output: Output) -> [String] {
    if cards.isEmpty { return ["No question is open."] }
    let rows = cards.map {
      [
        short($0.question), Names.shown($0.person), shortOrigin($0), subject($0),
        Moment.text(usec: $0.askedAtUSec), Moment.text(usec: $0.expiresAtUSec), "\($0.waiters)",
      ]
    }
    return Table.lines(["QUESTION", "FOR", "FROM", "TOPIC", "ASKED", "UNTIL", "WAITERS"], rows, output)
  }

  /// A question in full. The asker's own words stand behind a bar.
  static func card(_ card: Card, _ output: Output) -> [String] {
    var lines = [output.styled("\(short(card.question))  \(subject(card))", .bold)]
    lines += ["for: \(Names.shown(card.person))", "from: \(origin(card))"]
    if card.state != "pending" { lines.append("state: \(ending(card))") }
    lines += topic(card)
    lines += consequence(card) + earlier(card)
    if card.timesAsked > 1 { lines.append("times asked: \(card.timesAsked)") }
    lines.append("asked: \(Moment.text(usec: card.askedAtUSec))")
    if card.state == "pending" {
      lines += ["open until: \(Moment.text(usec: card.expiresAtUSec))", "waiters: \(card.waiters)"]
      if card.votes.need > 1 { lines.append("approvals: \(card.votes.have) of \(card.votes.need)") }
      let choices = card.choices.map { "\(plain($0.choice)) (\(plain($0.title)))" }
      lines.append("answers: \(choices.joined(separator: ", "))")
    }
    return lines
  }

  /// How the question of a card is answered from here.
  static func suggestion(_ card: Card) -> String {
    let question = short(card.question)
    return card.choices.contains { $0.choice == "approveOnce" }
      ? "answer: consentctl approve --once \(question) (this once), approve \(question) (for good), or deny \(question)"
      : "answer: consentctl approve \(question), or deny \(question)"
  }

  /// Every text of the topic: an answer counts for all of them.
  private static func topic(_ card: Card) -> [String] {
    var lines: [String] = []
    for (label, field) in [("why", "reasons"), ("to", "actions")] where !card.words(field).isEmpty {
      lines.append("\(label): " + card.words(field).map(plain).joined(separator: ", "))
    }
    for person in card.people {
      let name = person.name.map { "\(plain($0)), " } ?? ""
      lines.append("with: \(name)\(plain(person.kind ?? "handle")) \(plain(person.handle))")
    }
    for field in ["description", "purpose"] { lines += card.text(field).map { TerminalText.block($0) } ?? [] }
    if let text = card.text("personDescription") { lines += ["for the person:"] + TerminalText.block(text) }
    for (label, field) in topicLines { lines += card.text(field).map { ["\(label): \(plain($0))"] } ?? [] }
    return lines
  }

  private static let topicLines = [
    ("in full", "disclosureURL"), ("since version", "sinceVersion"), ("language", "language"), ("level", "level"),
  ]

  /// What a denial leads to; it stands beside the topic and, where it is the asker's, in it.
  private static func consequence(_ card: Card) -> [String] {
    (card.ifDenied ?? card.text("ifDenied")).map { ["if denied: \(ifDenied($0))"] } ?? []
  }

  static func ifDenied(_ consequence: String) -> String {
    switch consequence {
    case "staysOnOldVersion": "the app stays on its old version"
    case "featureOff": "the feature stays off"
    case "appBlocked": "the app cannot be used"
    default: plain(consequence)
    }
  }

  /// The topic's key; for a communication, whose key is a hash, with whom.
  private static func subject(_ card: Card) -> String {
    let names = card.people.map { plain($0.name ?? $0.handle) }
    guard card.kind == "communication", let first = names.first else { return plain(card.topicKey) }
    return "communication with \(first)" + (names.count > 1 ? " and \(names.count - 1) more" : "")
  }

  /// How a question ended. A guardian's opaque name says nothing to a reader and is left out.
  static func ending(_ card: Card) -> String {
    let name = card.decision?.guardian.flatMap { $0.utf8.contains(UInt8(ascii: ":")) ? $0 : nil }
    let guardian = name.map { ", by \(Names.shown($0))" } ?? ""
    let instant = card.decision?.decidedAtUSec.map { ", \(Moment.text(usec: $0))" } ?? ""
    return plain(card.state) + guardian + instant
  }

  /// One change, for somebody who watches.
  static func change(_ change: QuestionChange, _ output: Output) -> [String] {
    guard let card = change.card else { return [plain(change.change)] }
    let name = "\(short(card.question))  \(subject(card)) for \(Names.shown(card.person))"
    switch change.change {
    case "added":
      return Messages.card(card, output) + [suggestion(card), ""]
    case "removed":
      return ["\(name): \(card.state == "pending" ? plain(change.reason ?? "no longer shown") : ending(card))"]
    case "changed":
      let votes = card.votes.need > 1 ? ", approvals: \(card.votes.have) of \(card.votes.need)" : ""
      return ["\(name): waiters: \(card.waiters)\(votes)"]
    case "reminder": return ["\(name): still open, until \(Moment.text(usec: card.expiresAtUSec))"]
    case "revoked": return ["\(name): what was approved is taken back"]
    case let other: return ["\(name): \(plain(other))"]
    }
  }

  /// What an answer came to, and whether it can be taken back.
  static func answered(_ card: Card, _ choice: String, _ answered: Answered, _ output: Output) -> [String] {
    let state = output.styled(plain(answered.state), style(answered.state))
    let reason = answered.decision?.reason.map { " (\(Messages.reason($0)))" } ?? ""
    var lines = ["\(subject(card)) for \(Names.shown(card.person)): \(state)\(reason)."]
    if answered.waitersResumed > 0 { lines.append("waiters resumed: \(answered.waitersResumed)") }
    if answered.state == "pending" { lines.append(voted(answered)) }
    guard answered.state == "approved" else { return lines }
    lines.append(answered.decision?.grant.map(takeBack) ?? "It holds for this question alone.")
    return lines
  }

  static func confirmation(_ card: Card, _ choice: String) -> String {
    let title = card.choices.first { $0.choice.utf8.elementsEqual(choice.utf8) }?.title
    return "\(plain(title ?? choice))? [y/N]"
  }

  /// Whether somebody confirmed.
  static func isYes(_ answer: String) -> Bool { ["y", "Y", "yes", "Yes"].contains(answer) }

  static func leftOpen(_ card: Card) -> String { "nothing was answered; question \(short(card.question)) stays open" }

  static func severalOpen(_ cards: [Card]) -> String {
    "several questions are open, say which: \(cards.map { short($0.question) }.joined(separator: ", "))"
  }

  static let noneOpen = "no question is open that you could answer; consentctl watch shows them as they come"
  static let watching = "watching; Ctrl-C ends it"
  static let daemonAway = "consentd is away; trying again until it is back"
  static let daemonBack = "consentd is back"

  static func commandFailed(status: Int32) -> String { "the command ended with status \(status)" }
  static func triedAgain(_ failure: String, afterUSec usec: Int64) -> String {
    "\(failure); it is tried again in \(usec / 1_000_000) s"
  }
  static func givenUp(_ change: QuestionChange, _ failure: String) -> String {
    "\(failure), as often as it is tried: it was not told of question \(short(change.card?.question ?? "?")) "
      + "(\(plain(change.change))). The question is as it was."
  }
  static func tooLongToShow(_ card: Card) -> String {
    "too long for here. Read it with: consentctl show \(short(card.question))"
  }
  static func commandNotRun(_ reason: String) -> String { "the command was not run: \(plain(reason))" }
}
