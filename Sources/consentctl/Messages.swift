// SPDX-License-Identifier: Apache-2.0
//
// Every sentence and table consentctl shows. Short, plain, and never more certain than the reply it is made from: a
// word of the daemon's that is not known here is shown as it is, and what may not be true later is not said.

import ConsentKit
import StrictJSON

/// The words of consentctl.
enum Messages {
  // MARK: For apps

  /// Where a topic stands.
  static func status(_ status: TopicStatus) -> String {
    sentence(status.topicKey, status.status, status.reason) + " "
      + next(status.nextAction, status.question, untilUSec: status.untilUSec)
  }

  /// What asking came to.
  static func asked(_ decision: Decision) -> String {
    guard decision.state == "pending", let question = decision.question else {
      return sentence(decision.topicKey, decision.state, decision.reason) + " " + next(decision.nextAction, nil)
    }
    let verb = decision.joined ? "Joined the open question" : "Asked: question"
    return "\(verb) \(short(question))\(until(decision.expiresAtUSec)). Wait for the answer: "
      + "consentctl await \(short(question))"
  }

  /// While a terminal waits.
  static func waiting(_ decision: Decision) -> String {
    let question = short(decision.question ?? "")
    return "waiting for a guardian\(until(decision.expiresAtUSec)). "
      + "Ctrl-C leaves the question open: consentctl await \(question)"
  }

  /// How a question ended, or that it has not.
  static func decided(_ decision: Decision, _ output: Output) -> String {
    var text = sentence(decision.topicKey, output.styled(plain(decision.state), style(decision.state)), decision.reason)
    switch decision.state {
    case "pending": text += " The question stays open: consentctl await \(short(decision.question ?? ""))"
    case "superseded": text += " Another took its place: consentctl await \(short(decision.successor ?? ""))"
    default: text += " " + next(decision.nextAction, nil)
    }
    return decision.isSynthetic ? text + " (Decided in a sandbox.)" : text
  }

  static func withdrawn(_ question: String, _ decision: Decision) -> String {
    decision.state == "withdrawn"
      ? "Question \(plain(question)) is withdrawn."
      : "Question \(plain(question)) had ended before: \(plain(decision.state))."
  }

  /// One event of an app's.
  static func event(_ event: ConsentEvent) -> String {
    var parts = ["\(event.sequence)", Moment.text(usec: event.atUSec), plain(event.event)]
    parts += [event.question.map(short), event.topicKey.map(plain), event.person.map(Names.shown)].compactMap { $0 }
    if let decision = event.decision { parts.append("→ " + plain(decision.choice ?? decision.state)) }
    return parts.joined(separator: "  ")
  }

  static func ageCheck(_ gate: Int64, _ verdict: Bool?, _ answer: AgeAnswer) -> String {
    switch verdict {
    case true?: "yes: at least \(gate)"
    case false?: "no: not known to be \(gate) yet"
    case nil: unshared(answer)
    }
  }

  static func ageRange(_ answer: AgeAnswer) -> String {
    let source = answer.source.map { " (\(plain($0)))" } ?? ""
    return switch (answer.lowerBound, answer.upperBound) {
    case (let lower?, let upper?): "\(lower) to \(upper) years\(source)"
    case (let lower?, nil): "\(lower) years or older\(source)"
    case (nil, let upper?): "\(upper) years or younger\(source)"
    case (nil, nil): unshared(answer)
    }
  }

  private static func unshared(_ answer: AgeAnswer) -> String {
    sentence("age", answer.sharing, answer.reason) + " " + next(answer.nextAction, nil)
  }

  static let lostWhileAsking =
    "the connection to consentd was lost; what it had taken stays open: give the command again to join it"

  static func lostWhileWaiting(_ question: String) -> String {
    "the connection to consentd was lost; the question stays open: consentctl await \(plain(question))"
  }

  static func lostResponses(after sequence: Int64?) -> String {
    let place = sequence.map { " --after \($0)" } ?? ""
    return "the connection to consentd was lost; go on with: consentctl responses\(place)"
  }

  // MARK: For the administrator

  static func enrolled(_ person: String, _ born: String, _ guardians: [String]) -> [String] {
    [
      "\(Names.shown(person)) is enrolled, born \(plain(born)).",
      "Guardians: \(guardians.map(Names.shown).joined(separator: ", ")). They answer with: consentctl watch, or pending.",
    ]
  }

  /// What stands of an enrolment that broke off, behind its first `added` guardians.
  static func enrolledInPart(_ person: String, _ guardians: [String], _ added: Int, _ reason: String) -> String {
    let done = [personAdded(person)] + guardians.prefix(added).map { guardianAdded(person, $0) }
    let next = guardians.dropFirst(added).first.map { "\(Names.shown($0)) is no guardian now" } ?? "No age is declared"
    return "\(done.joined(separator: " ")) \(next): \(reason); put it right and give the command again"
  }

  static func personAdded(_ person: String) -> String { "\(Names.shown(person)) is enrolled." }
  static func personRemoved(_ person: String) -> String { "\(Names.shown(person)) is not enrolled any more." }
  static func notEnrolled(_ person: String) -> String {
    "\(Names.shown(person)) was not enrolled; nothing has changed."
  }
  static func removal(_ person: String) -> String {
    "forget \(Names.shown(person)), with guardians, age and every approval? [y/N]"
  }
  static func notRemoved(_ person: String) -> String { "nothing has changed; \(Names.shown(person)) stays enrolled" }

  static func personMoved(_ person: String, _ other: String) -> String {
    person.utf8.elementsEqual(other.utf8)
      ? "\(Names.shown(person)) stays who they were."
      : "\(Names.shown(other)) is who \(plain(person)) was. What stood open has ended and can be asked anew."
  }
  static func erased(_ person: String) -> String { "Everything about \(Names.shown(person)) is erased." }
  static func erasure(_ person: String) -> String {
    "erase everything about \(Names.shown(person)), what was asked and answered included? [y/N]"
  }
  static func forgotten(_ person: String, _ app: String) -> String {
    "What \(plain(app)) had about \(Names.shown(person)) is erased."
  }
  static func forgetting(_ person: String, _ app: String) -> String {
    "erase what \(plain(app)) has about \(Names.shown(person))? [y/N]"
  }
  static let nothingTakenOut = "nothing has changed"

  /// Where it can be known, what counts now: a stronger declaration may stand before the new one.
  static func declared(_ person: String, _ answer: AgeAnswer?) -> [String] {
    let range = answer.flatMap { $0.source == nil ? nil : ["What counts now: \(ageRange($0))."] }
    return ["The age of \(Names.shown(person)) is declared."] + (range ?? [])
  }

  static func guardianAdded(_ person: String, _ guardian: String) -> String {
    "\(Names.shown(guardian)) may answer for \(Names.shown(person))."
  }

  static func guardianRemoved(_ person: String, _ guardian: String) -> String {
    "\(Names.shown(guardian)) may no longer answer for \(Names.shown(person))."
  }

  /// Who is enrolled, or the own persons of a guardian, as a table.
  static func people(_ people: [JSONObject], isEverybody: Bool, _ output: Output) -> [String] {
    if people.isEmpty, !isEverybody { return ["You are nobody's guardian here."] }
    if people.isEmpty { return ["Nobody is enrolled: consentctl enroll WHO --born YYYY-MM-DD --guardian WHO"] }
    let rows = people.map { person in
      let guardians = (person["guardians"]?.array ?? []).compactMap(\.string).map(Names.shown)
      return [
        Names.shown(person["person"]?.string ?? ""), plain(person["displayName"]?.string ?? "–"),
        guardians.isEmpty ? "–" : guardians.joined(separator: ", "),
      ]
    }
    return Table.lines(["PERSON", "NAME", "GUARDIANS"], rows, output)
  }

  static let reloaded = "The configuration was read anew and is in force."

  /// The daemon in numbers, for whoever may have them.
  static func daemonStatus(_ status: JSONObject, hasNumbers: Bool) -> [String] {
    func number(_ name: String) -> String { status[name]?.integer.map(String.init) ?? "–" }
    let (version, place) = (status["version"]?.string ?? "", status["runtimeDirectory"]?.string ?? "")
    let serves = "consentd \(plain(version)) serves \(plain(place))"
    guard hasNumbers else { return [serves, "Its numbers are the administrator's: sudo consentctl status"] }
    return [
      serves,
      "people: \(number("people"))", "companions online: \(number("companions"))",
      "open questions: \(number("openQuestions"))", "waiters: \(number("waiters"))",
      "connections: \(number("connections"))",
    ] + limitsMet(status["limitsMet"]?.object)
  }

  /// The limits that callers met, where any were.
  private static func limitsMet(_ numbers: JSONObject?) -> [String] {
    let met = (numbers?.members ?? []).compactMap { member -> String? in
      guard let count = member.value.integer, count > 0 else { return nil }
      return "\(plain(member.name)) \(count)"
    }
    return met.isEmpty ? [] : ["limits met since the start: \(met.joined(separator: ", ")); the journal says by whom"]
  }

  // MARK: Failures

  static func unreachable(_ path: String, _ reason: String) -> String {
    "no consentd at \(plain(path)) (\(plain(reason))); start it, or say where: --runtime-directory DIR"
  }

  static let connectionLost = "the connection to consentd was lost; whether it had an effect is not known: look again"
  static let cancelled = "the call was given up"

  static func protocolViolation(_ reason: String) -> String {
    "what answers there does not speak as consentd does (\(plain(reason))); check --runtime-directory"
  }

  /// An error the daemon replied with.
  static func refused(_ refusal: Refusal) -> String {
    func text(_ name: String) -> String { plain(refusal.text(name) ?? "?") }
    func instant(_ name: String) -> String { refusal.number(name).map { Moment.text(usec: $0) } ?? "?" }
    func number(_ name: String) -> String { refusal.number(name).map(String.init) ?? "?" }
    return switch refusal.shortName {
    case "NotPermitted": "not permitted (\(text("reason"))); guardians act for their own persons, root for everybody"
    case "InvalidValue", "InvalidTopic": "\(plain(typed(refusal.text("field") ?? "?"))) cannot be that: \(text("rule"))"
    case "InvalidGates": "the age \(number("gate")) cannot be asked for: \(text("rule"))"
    case "InvalidParameter": "the daemon does not take “\(text("parameter"))” like this; see consentctl help"
    case "UnknownPerson":
      "nobody enrolled \(Names.shown(refusal.text("person") ?? "?")): "
        + "consentctl enroll WHO --born YYYY-MM-DD --guardian WHO"
    case "UnknownQuestion": unknownQuestion(refusal.text("question") ?? "?")
    case "UnknownGrant": unknownGrant(refusal.text("grant") ?? "?")
    case "AlreadyDecided": alreadyDecided(refusal.text("state") ?? "?", instant("decidedAtUSec"))
    case "ContentChanged": "that is not what the question asks; look at it with consentctl show, then answer again"
    case "NotAvailable": notAvailable(refusal)
    case "TooManyPending": "\(number("limit")) questions are open, which is the limit; wait for an answer"
    case "CoolingDown": "it was asked too recently; ask again from \(instant("untilUSec")) on"
    case "GatesChangedTooSoon": "other ages were asked for too recently; ask again from \(instant("untilUSec")) on"
    case "InvalidConfiguration":
      "\(invalidPlace(text("file"), text("place"), text("reason"))); everything stays as it was: mend it, then consentctl reload"
    case "KeyConflict": "the key was used for something else within 48 hours; choose another --key"
    case "CursorExpired":
      "only the events \(number("oldest")) to \(number("newest")) are kept; choose --after between them"
    case "SubscriberTooSlow": "this reader was too slow for consentd; start it again to go on"
    case "MethodNotFound", "InterfaceNotFound", "MethodNotImplemented":
      "this consentd does not know that; it is of another version than this consentctl"
    default: "consentd refused: \(plain(refusal.name))"
    }
  }

  private static func invalidPlace(_ parts: String...) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private static func unknownQuestion(_ question: String) -> String {
    question.utf8.count >= 32
      ? "there is no such question of yours: \(plain(question))"
      : "no question of yours begins with “\(plain(question))”, or several do; give at least 4 digits, or more"
  }

  private static func unknownGrant(_ grant: String) -> String {
    "you can take back no approval “\(plain(grant))”, or several begin so; consentctl grants lists them"
  }

  /// What somebody typed for a field of the wire.
  private static func typed(_ field: String) -> String {
    let options = [
      "expiresInUSec": "--expires", "timeoutUSec": "--timeout", "appVersion": "--app-version", "key": "--key",
      "birthDate": "--born", "lowerBound": "--at-least", "upperBound": "--at-most", "asOfDate": "--on",
      "assurance": "--assurance", "to": "TO", "from": "FROM", "displayName": "--name", "note": "--note", "app": "--app",
      "untilUSec": "--until", "items": "--items",
    ]
    return options[field] ?? TopicArgument.option(for: field) ?? field
  }

  private static func alreadyDecided(_ state: String, _ instant: String) -> String {
    state == "expired"
      ? "the question expired, \(instant); nothing was changed, and the app may ask again"
      : "the question is already \(plain(state)), \(instant); nothing was changed"
  }

  private static let personChanged =
    "the uid has another login name than when it was enrolled (personChanged); the administrator says whose it is. "
    + "Person with another uid now: consentctl person move uid:OLD uid:NEW. Same person, account renamed: consentctl "
    + "person move uid:N uid:N. Person gone: consentctl erase uid:N, and guardian remove"

  private static func notAvailable(_ refusal: Refusal) -> String {
    let reason = refusal.text("reason") ?? "?"
    return switch reason {
    case "noGuardian": "there is nobody to ask (noGuardian); the administrator adds one: consentctl guardian add"
    case "personChanged": personChanged
    case "accounts": "whose the uid is could not be looked up (accounts); try again later"
    case "storage": "consentd cannot write to its store (storage); its journal says why: journalctl -u consentd"
    case "tooManyConnections":
      "your user has as many connections to consentd as it may (tooManyConnections); end programs that wait, or try later"
    case "tooManyCalls": "your user calls consentd too often (tooManyCalls); try again in a moment"
    case "tooManyWaiting":
      "as many calls wait for an answer as may (tooManyWaiting); ask without waiting, and look later"
    case "tooManyQuestions": "consentd holds as many open questions as it may (tooManyQuestions); try again later"
    default: "no answer can be had (\(plain(reason)))\(refusal.isRetryable ? "; try again later" : "")"
    }
  }

  // MARK: Parts

  /// The beginning of a question's id that is shown and typed.
  static func short(_ question: String) -> String { plain(String(question.prefix(8))) }

  static func plain(_ text: String) -> String { TerminalText.line(text) }

  static func sentence(_ subject: String, _ word: String, _ reason: String?) -> String {
    "\(plain(subject)): \(word)\(reason.map { " (\(Messages.reason($0)))" } ?? "")."
  }

  static func until(_ usec: Int64?) -> String { usec.map { ", open until \(Moment.text(usec: $0))" } ?? "" }

  static func style(_ state: String) -> Output.Style {
    switch state {
    case "approved", "notRequired": .green
    case "denied": .red
    default: .yellow
    }
  }

  static func next(_ action: NextAction, _ question: String?, untilUSec: Int64? = nil) -> String {
    switch action {
    case .proceed: "Go on."
    case .ask: "It can be asked with: consentctl request"
    case .wait: "Wait: consentctl await \(question.map(short) ?? "QUESTION")"
    case .askGuardian: "A guardian has to be asked in person."
    case .openSettings: "It can be changed in the settings."
    case .askLater: "Ask again later\(untilUSec.map { ", from \(Moment.text(usec: $0)) on" } ?? "")."
    case .blockedByPolicy: "A policy forbids it."
    default: plain(action.rawValue)
    }
  }
}
