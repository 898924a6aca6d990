// SPDX-License-Identifier: Apache-2.0
//
// The earlier changes on a card. An answer counts for them as well, so every text of theirs is shown, and which of them
// somebody denied before.

import ConsentKit

extension Messages {
  /// What else an answer to the question of a card counts for.
  static func earlier(_ card: Card) -> [String] {
    guard !card.earlier.isEmpty else { return [] }
    return ["one answer counts for these earlier changes too:"] + card.earlier.flatMap(lines)
  }

  private static func lines(_ change: Card.Earlier) -> [String] {
    let name = change.change.map(plain) ?? "without a name"
    var lines = ["earlier change: \(name)\(change.wasDenied ? " (denied before)" : "")"]
    if !change.words("reasons").isEmpty {
      lines.append("why: " + change.words("reasons").map(plain).joined(separator: ", "))
    }
    lines += change.text("description").map { TerminalText.block($0) } ?? []
    if let text = change.text("personDescription") { lines += ["for the person:"] + TerminalText.block(text) }
    for (label, field) in [("in full", "disclosureURL"), ("since version", "sinceVersion"), ("language", "language")] {
      lines += change.text(field).map { ["\(label): \(plain($0))"] } ?? []
    }
    return lines + (change.text("ifDenied").map { ["if denied: \(ifDenied($0))"] } ?? [])
  }
}
