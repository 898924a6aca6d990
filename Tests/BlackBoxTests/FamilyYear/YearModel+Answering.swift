// SPDX-License-Identifier: Apache-2.0
//
// Answers, votes and the end of a question (rules 2 and 7), and what ends a grant.

/// What a guardian says.
struct YearAnswer: Sendable {
  var guardian: String
  var choice: String
  /// Whether the hash that goes with it is another content's.
  var isForOtherContent = false
  var items: Set<String>?
  var until: Int64?
}

extension YearModel {
  /// A guardian answers.
  mutating func answer(_ number: Int, _ answer: YearAnswer) -> YearReply {
    let question = questions[number]
    guard guardians[question.asker.person, default: []].contains(answer.guardian) else {
      return .error("NotPermitted or InvalidValue")
    }
    let vote = YearVote(
      choice: answer.choice, items: answer.items ?? question.items, until: answer.until, named: answer.items != nil)
    guard question.isOpen else { return late(question, answer.guardian, vote, answer.isForOtherContent) }
    if answer.isForOtherContent { return .error("ContentChanged") }
    let faults = faults(question, answer)
    if !faults.isEmpty { return .error("InvalidValue", ["field": .oneOf(faults)]) }
    if answer.choice == "deny" {
      questions[number].answered = (answer.guardian, vote)
      questions[number].votes = [:]
      deny(number, reason: nil)
      return told(number)
    }
    questions[number].votes[answer.guardian] = vote
    if questions[number].votes.count >= need(question) {
      questions[number].answered = (answer.guardian, vote)
      settle(number)
    }
    return told(number)
  }

  private func late(_ question: YearQuestion, _ guardian: String, _ vote: YearVote, _ isForOtherContent: Bool)
    -> YearReply
  {
    let refusal = YearReply.error("AlreadyDecided", ["state": .text(question.state)])
    if let answered = question.answered, answered.guardian == guardian {
      if answered.vote == vote, !isForOtherContent { return told(question.number) }
      if answered.vote.isSame(as: vote) { return .either(told(question.number), refusal) }
    } else if question.votes[guardian]?.isSame(as: vote) == true {
      return .either(told(question.number), refusal)
    }
    return refusal
  }

  /// The fields that make an answer unacceptable: which is named is the daemon's choice.
  private func faults(_ question: YearQuestion, _ answer: YearAnswer) -> [String] {
    guard question.choices.contains(answer.choice) else { return ["choice"] }
    var faults: [String] = []
    let isUntil = answer.choice == "approveUntil"
    if isUntil != (answer.until != nil) || answer.until.map({ $0 <= now }) == true { faults.append("untilUSec") }
    guard let items = answer.items else { return faults }
    let mayNarrow = question.topic.kind == .communication && answer.choice != "deny"
    let fits = mayNarrow ? !items.isEmpty && items.isSubset(of: question.items) : items == question.items
    return fits ? faults : faults + ["items"]
  }

  /// The reply to an answer that counted.
  private func told(_ number: Int) -> YearReply {
    let question = questions[number]
    guard !question.isOpen else {
      return .reply([
        "state": .text("pending"), "decision": .absent, "votes.have": .number(Int64(question.votes.count)),
        "votes.need": .number(Int64(need(question))),
      ])
    }
    var wants: [String: YearWant] = ["state": .text(question.state), "decision.question": .question(number)]
    for (name, want) in decided(number) { wants["decision.\(name)"] = want }
    return .reply(wants)
  }

  /// What is said of a question that has ended, and of an open one.
  func decided(_ number: Int) -> [String: YearWant] {
    let question = questions[number]
    var wants: [String: YearWant] = ["state": .text(question.state)]
    wants["choice"] = question.choice.map { .text($0) } ?? .absent
    switch question.state {
    case "pending": wants["nextAction"] = .text("wait")
    case "approved":
      wants["grant"] = question.grant.map { .grant($0) } ?? .absent
      if question.reason == "narrowed" || question.grant.map({ !grants[$0].isLive }) == true {
        wants["nextAction"] = .oneOf(["ask", "askLater"])
      } else {
        wants["nextAction"] = .text("proceed")
      }
      wants["reason"] = question.reason.map { .text($0) } ?? .absent
    case "denied":
      wants["nextAction"] = .text(askAgain(question.asker, question.topic).action)
      wants["reason"] = question.reason.map { .text($0) } ?? .absent
      wants["grant"] = .absent
    case "superseded": wants["successor"] = question.successor.map { .question($0) } ?? .absent
    default: wants["nextAction"] = .oneOf(["ask", "askLater"])
    }
    return wants
  }

  private mutating func deny(_ number: Int, reason: String?) {
    end(number, "denied")
    questions[number].choice = "deny"
    questions[number].reason = reason
    countDenial(questions[number])
    note("decided", number, of: questions[number].asker)
  }

  /// Ends a question by its votes: the narrowest of them holds.
  private mutating func settle(_ number: Int) {
    let question = questions[number]
    let votes = standingVotes(question)
    let items = votes.reduce(question.items) { $0.intersection($1.items) }
    guard !items.isEmpty else {
      deny(number, reason: "disagreed")
      questions[number].choice = nil
      return
    }
    let choices = Set(votes.map(\.choice))
    let choice = ["approveOnce", "approveUntil"].first(where: choices.contains) ?? "approve"
    end(number, "approved")
    questions[number].choice = choice
    if items == question.items {
      resetCoolDown(question)
    } else {
      questions[number].reason = "narrowed"
      countDenial(question)
    }
    note("decided", number, of: question.asker)
    if question.topic.kind == .resource, let app = question.asker.app {
      settings[[question.asker.person, app, question.topic.key]] = nil
    }
    guard choice != "approveOnce" else { return }
    let until = choice == "approveUntil" ? votes.compactMap(\.until).min() : nil
    let grant = YearGrant(
      number: grants.count, question: number, asker: question.asker, topic: question.topic, items: items, until: until)
    grants.append(grant)
    grantsOf[question.asker, default: []].append(grant.number)
    questions[number].grant = grant.number
    note("granted", number, grant.number, of: question.asker)
  }

  // MARK: Grants, guardians, settings

  /// Takes grants back, and gives their numbers.
  mutating func revoke(_ isMeant: (YearGrant) -> Bool) -> [Int] {
    let meant = grants.filter { $0.isLive && isMeant($0) }
    for grant in meant {
      grants[grant.number].endedAt = now
      grants[grant.number].endedReason = "revoked"
      note("revoked", grant.question, grant.number, of: grant.asker)
    }
    return meant.map(\.number)
  }

  /// The votes that count: one whose own end has passed says nothing any more.
  func standingVotes(_ question: YearQuestion) -> [YearVote] {
    question.votes.values.filter { $0.until.map { $0 > now } ?? true }
  }

  /// Whether votes of an open question run out before they would count: the design says nothing of that.
  func hasStaleVote(_ number: Int) -> Bool {
    questions[number].votes.values.contains { $0.until.map { $0 <= now + YearModel.hour } == true }
  }

  mutating func setGuardians(_ person: String, _ all: [String]) {
    guardians[person] = all
    reevaluate(person)
  }

  mutating func set(_ person: String, _ app: String, _ name: String, _ value: String) {
    settings[[person, app, name]] = value
    if name == "guardianRule" { reevaluate(person) }
    if name.hasPrefix("resource/") { settle(person, app, name, isOpenAgain: value == "notDetermined") }
  }

  /// A resource was settled: what was granted ends, and what is asked is answered where nobody may ask any more.
  private mutating func settle(_ person: String, _ app: String, _ key: String, isOpenAgain: Bool) {
    for grant in grants
    where grant.isLive && grant.asker.person == person && grant.asker.app == app && grant.topic.key == key {
      grants[grant.number].endedAt = now
      grants[grant.number].endedReason = isOpenAgain ? "settings" : "revoked"
      note(isOpenAgain ? "grantEnded" : "revoked", grant.question, grant.number, of: grant.asker)
    }
    if isOpenAgain {
      coolDowns[Manners(person: person, scope: scope(of: app), subject: key)] = nil
      settings[[person, app, key]] = nil
      return
    }
    for question in questions
    where question.isOpen && question.asker.person == person && question.asker.app == app && question.topic.key == key {
      if let guardian = guardians[person]?.first {
        let vote = YearVote(choice: "deny", items: question.items, until: nil, named: false)
        questions[question.number].answered = (guardian, vote)
      }
      questions[question.number].votes = [:]
      deny(question.number, reason: nil)
    }
  }

  /// Drops the votes of those who are no guardians any more, and ends what has approvals enough.
  private mutating func reevaluate(_ person: String) {
    let guardians = guardians[person, default: []]
    for question in questions where question.isOpen && question.asker.person == person {
      questions[question.number].votes = question.votes.filter { guardians.contains($0.key) }
      let have = standingVotes(questions[question.number]).count
      if have > 0, have >= need(question) { settle(question.number) }
    }
  }
}
