// SPDX-License-Identifier: Apache-2.0
//
// The audit in sentences. One entry is one line: when, about whom, what. Of an entry whose kind this program does not
// know, the kind is shown; and where the audit is not as it was written, what that means and what it does not.

import ConsentKit
import StrictJSON

extension Messages {
  /// Entries of the audit, one line each.
  static func history(_ entries: [JSONObject]) -> [String] {
    entries.isEmpty ? ["Nothing was decided or changed yet."] : entries.map(historyLine)
  }

  private static func historyLine(_ entry: JSONObject) -> String {
    let facts = Facts(entry["facts"]?.object ?? [:])
    var parts = [Moment.text(usec: entry["atUSec"]?.integer ?? 0)]
    parts += [entry["person"]?.string.map(Names.shown), entry["app"]?.string.map(plain)].compactMap(\.self)
    return parts.joined(separator: "  ") + "  " + what(entry["kind"]?.string ?? "?", facts) + facts.note
  }

  private static func what(_ kind: String, _ facts: Facts) -> String {
    switch kind {
    case "decision": decision(facts)
    case "vote": "\(facts.topic): \(facts.guardian) said \(facts["choice"]); others have to answer too"
    case "lateAnswer": "\(facts.topic): \(facts.guardian) answered \(facts["choice"]) when it was over"
    case "refusedAnswer":
      "\(facts.topic): an answer (\(facts["choice"])) sent by \(facts.by) was refused: \(refusal(facts["reason"]))"
    case "granted": "\(facts.topic): given\(facts.until)"
    case "revoked": "\(facts.topic): taken back\(facts.named("guardian", "by"))\(facts.named("endedBy", "by"))"
    case "grantEnded": "\(facts.topic): what was given has ended\(facts.reason)"
    case "setting": setting(facts)
    default: change(kind, facts)
    }
  }

  private static func change(_ kind: String, _ facts: Facts) -> String {
    switch kind {
    case "declaration": "\(age(facts)), declared by \(facts.who("declaredBy")) (\(facts["source"]))"
    case "personAdded": "enrolled by \(facts.by)"
    case "personRemoved": "not enrolled any more, by \(facts.by)"
    case "personMoved": "was \(facts["from"]), by \(facts.by)"
    case "guardianAdded": "\(facts.guardian) may answer, by \(facts.by)"
    case "guardianRemoved": "\(facts.guardian) may no longer answer, by \(facts.by)"
    case "forgotten": "what the app had was erased, by \(facts.by)"
    case "erased": "everything about somebody was erased, by \(facts.by)"
    case "retention": "what was older than is kept was erased"
    default: plain(kind)
    }
  }

  private static func decision(_ facts: Facts) -> String {
    let choice = facts.has("choice") ? " (\(facts["choice"]))" : ""
    return "\(facts.topic): \(facts["state"])\(choice)\(facts.named("guardian", "by"))\(facts.reason)"
  }

  private static func setting(_ facts: Facts) -> String {
    let before = facts.has("before") ? ", before: \(facts["before"])" : ""
    return "setting \(facts["setting"]): \(facts["value"])\(before)\(facts.named("guardian", "by"))"
      + facts.named("by", "by")
  }

  private static func age(_ facts: Facts) -> String {
    switch (facts.has("birthDate"), facts.has("lowerBound"), facts.has("upperBound")) {
    case (true, _, _): "born \(facts["birthDate"])"
    case (_, true, true): "\(facts["lowerBound"]) to \(facts["upperBound"]) years old on \(facts["asOfDate"])"
    case (_, true, false): "at least \(facts["lowerBound"]) years old on \(facts["asOfDate"])"
    case (_, false, true): "at most \(facts["upperBound"]) years old on \(facts["asOfDate"])"
    default: "an age"
    }
  }

  private static func refusal(_ reason: String) -> String {
    switch reason {
    case "notPermitted", "unknownQuestion": "they are no guardian who may answer this"
    case "contentChanged": "it was to something else than is asked"
    default: reason
    }
  }

  /// Whether the audit is as it was written, and how sure that is.
  static func verified(_ verdict: JSONObject, against kept: TypedHead?) -> [String] {
    let head = TypedHead(verdict)
    guard verdict["valid"]?.bool == true else { return broken(verdict, kept) }
    let emptied = verdict["emptied"]?.integer ?? 0
    let size =
      "All \(head.size) entries of the audit are as they were written"
      + (emptied == 0 ? "" : " (\(emptied) of them say nothing any more: erased, or older than they are kept)")
    guard let kept else {
      return [
        "\(size), as far as they can tell themselves.",
        "Whether the end was cut off, or everything written anew, a head that was kept elsewhere can tell: "
          + "consentctl audit verify HEAD. The head now: \(head.text)",
      ]
    }
    return ["\(size), and nothing up to \(kept.size) has changed since the head was kept. The head now: \(head.text)"]
  }

  private static func broken(_ verdict: JSONObject, _ kept: TypedHead?) -> [String] {
    let place = verdict["firstBad"]?.integer.map(String.init) ?? "?"
    let what =
      switch verdict["problem"]?.string {
      case "missing": "Entry \(place) is missing."
      case "inserted": "An entry was put in at \(place)."
      case "chain": "Entry \(place) was changed, or is not where it was written."
      case "payload": "What entry \(place) says was changed."
      case "listing": "Entry \(place) is listed under somebody or something else than it is about."
      case "erasedUnsaid": "What entry \(place) said is gone, and no entry says that it was erased."
      case "cut": "Entry \(place) and those behind it, up to \(kept?.size ?? 0), were cut off since the head was kept."
      case "rewritten": "Up to entry \(place) this is another audit than when the head was kept: it was written anew."
      case let other: "Entry \(place): \(plain(other ?? "?"))."
      }
    return [what, "Somebody who can write the store has done this, or the disk: consentctl store check, and a backup."]
  }
}

/// The facts of an entry, fit for a terminal.
private struct Facts {
  private let json: JSONObject

  init(_ json: JSONObject) { self.json = json }

  func has(_ name: String) -> Bool { json[name] != nil }

  subscript(name: String) -> String {
    switch json[name] {
    case .string(let text)?: TerminalText.line(text)
    case .integer(let number)?: "\(number)"
    default: "?"
    }
  }

  /// Somebody who is named, or a word that names nobody, such as `enrolment`.
  func who(_ name: String) -> String { json[name]?.string.map(Names.shown) ?? "?" }

  func named(_ name: String, _ word: String) -> String { has(name) ? ", \(word) \(who(name))" : "" }

  var topic: String { has("topicKey") ? self["topicKey"] : "question \(Messages.short(self["question"]))" }
  var guardian: String { who("guardian") }
  var by: String { who("by") }
  var until: String { json["untilUSec"]?.integer.map { " until \(Moment.text(usec: $0))" } ?? "" }
  var reason: String { ["reason", "endedReason"].first(where: has).map { " (\(self[$0]))" } ?? "" }
  var note: String { has("note") ? " “\(self["note"])”" : "" }
}
