// SPDX-License-Identifier: Apache-2.0
//
// What consentctl says of approvals that stand or were taken back, and of the reasons for an answer that people read.

import ConsentKit

extension Messages {
  /// What stands approved, as a table.
  static func grants(_ grants: [Grant], _ output: Output) -> [String] {
    if grants.isEmpty { return ["Nothing stands approved."] }
    let rows = grants.map {
      [
        short($0.grant), Names.shown($0.person), grantApp($0), grantSubject($0), Moment.text(usec: $0.grantedAtUSec),
        $0.untilUSec.map { Moment.text(usec: $0) } ?? "–", $0.guardian.map(Names.shown) ?? "–",
      ]
    }
    return Table.lines(["GRANT", "FOR", "APP", "WHAT", "GIVEN", "UNTIL", "BY"], rows, output)
      + ["take one back: consentctl revoke GRANT"]
  }

  /// What was taken back, a sentence each.
  static func revoked(_ grants: [Grant]) -> [String] {
    if grants.isEmpty { return ["There was nothing to take back."] }
    return grants.map { "Taken back: \(grantSubject($0)) for \(Names.shown($0.person)), \(grantApp($0))." }
      + ["Whoever had it is told, and may ask again."]
  }

  /// How an approval is taken back.
  static func takeBack(_ grant: String) -> String { "Take it back at any time: consentctl revoke \(short(grant))" }

  /// An approval that needs others beside it.
  static func voted(_ answered: Answered) -> String {
    let (have, need) = answered.votes
    return "Every guardian must agree: \(have) of \(need) approved so far. The question stays open for the others."
  }

  /// A reason for people; one that is not known is shown as it is.
  static func reason(_ word: String) -> String {
    switch word {
    case "neverAsk": "a guardian wants no questions of this app"
    case "settings": "a guardian settled it so"
    case "narrowed": "less was approved than asked"
    case "installedAfter": "the app was installed after that change"
    case "revoked": "a guardian took it back"
    case "disagreed": "the guardians approved different things"
    default: plain(word)
    }
  }

  /// What an answer may choose, for somebody who chose something else.
  static func notOffered(_ choice: String, _ card: Card) -> String {
    "“\(plain(choice))” is not offered for question \(short(card.question)); its answers are: "
      + card.choices.map { plain($0.choice) }.joined(separator: ", ")
  }

  /// What may be approved of a question, for somebody who named something else.
  static func notAsked(_ typed: String, _ card: Card) -> String {
    let actions = card.words("actions").map(plain).joined(separator: ", ")
    guard card.kind == "communication" else {
      return "--items is for communication; this question is approved as a whole"
    }
    let people = card.people.map { plain($0.handle) }.joined(separator: ", ")
    return
      "“\(plain(typed))” is not asked: --items takes some of \(actions), or HANDLE:ACTION with a handle of \(people)"
  }

  private static func grantApp(_ grant: Grant) -> String {
    guard let app = grant.app else { return "an app without a name" }
    return grant.provenance == "claimed" ? "\(plain(app)) (unverified)" : plain(app)
  }

  /// A communication's key is a hash: its items are what can be read.
  private static func grantSubject(_ grant: Grant) -> String {
    let parts = grant.items.compactMap { item in
      item.handle.map { "\(plain($0)):\(plain(item.action ?? "?"))" }
    }
    return parts.isEmpty ? plain(grant.topicKey) : parts.joined(separator: ", ")
  }
}
