// SPDX-License-Identifier: Apache-2.0
//
// The order inside an ask (rule 4), cool-downs and the budget (rule 5), changes that gather (rule 6), and where a
// topic stands.

extension YearModel {
  static let standardLife = 30 * day
  static let keyLife = 2 * day
  /// So many folded changes does a question list at most.
  static let earlierLimit = 16

  /// Puts a topic. Gives what the app is told and, where there is one, the question it is about.
  mutating func ask(
    _ asker: YearAsker, _ topic: YearTopic, key: String? = nil, life: Int64? = nil
  ) -> (reply: YearReply, question: Int?) {
    guard !guardians[asker.person, default: []].isEmpty else {
      return (.error("NotAvailable", ["reason": .text("noGuardian")]), nil)
    }
    if let key, let used = keys.last(where: { $0.asker == asker && $0.key == key }), used.at + YearModel.keyLife > now {
      guard used.topic == topic else { return (.error("KeyConflict"), nil) }
      return (known(used.question), used.question)
    }
    if let covered = covered(asker, topic) { return (covered, nil) }
    let deadline = now + (life ?? YearModel.standardLife)
    if let open = open(asker, topic), open.topic == topic || open.earlier.contains(where: { $0.topic == topic }) {
      questions[open.number].expiresAt = max(open.expiresAt, deadline)
      remember(key, asker, topic, open.number)
      return (.reply(standing(open.number).merging(["joined": .flag(true)]) { $1 }), open.number)
    }
    if let (_, reason) = barred(asker, topic) { return (refused(reason), nil) }
    if let until = coolingUntil(asker, topic) ?? spentUntil(asker) {
      return (.error("CoolingDown", ["untilUSec": .instant(until)]), nil)
    }
    let number = create(asker, topic, deadline)
    remember(key, asker, topic, number)
    return (.reply(standing(number).merging(["joined": .flag(false)]) { $1 }), number)
  }

  private func refused(_ reason: String) -> YearReply {
    .reply([
      "state": .text("denied"), "nextAction": .text("askGuardian"), "reason": .text(reason), "question": .absent,
    ])
  }

  private func covered(_ asker: YearAsker, _ topic: YearTopic) -> YearReply? {
    let live = grants(asker, covering: topic.items)
    guard topic.items.isSubset(of: live.reduce(into: []) { $0.formUnion($1.items) }) else { return nil }
    var wants: [String: YearWant] = ["state": .text("approved"), "nextAction": .text("proceed"), "question": .absent]
    if live.count == 1 { wants["grant"] = .grant(live[0].number) }
    return .reply(wants)
  }

  /// The reply about an open question.
  private func standing(_ number: Int) -> [String: YearWant] {
    [
      "state": .text("pending"), "nextAction": .text("wait"), "question": .question(number),
      "expiresAtUSec": .instant(questions[number].expiresAt), "grant": .absent,
    ]
  }

  /// The reply to a key that was used for the question.
  private func known(_ number: Int) -> YearReply {
    .reply(["state": .text(questions[number].state), "question": .question(number), "joined": .flag(true)])
  }

  private mutating func remember(_ key: String?, _ asker: YearAsker, _ topic: YearTopic, _ question: Int) {
    guard let key else { return }
    keys.append(KeyUse(asker: asker, key: key, topic: topic, question: question, at: now))
  }

  /// Until when the day's questions are spent.
  private func spentUntil(_ asker: YearAsker) -> Int64? {
    let scope = scope(of: asker.app)
    let recent = asked.filter { $0.person == asker.person && $0.scope == scope && $0.at + YearModel.day > now }
    guard recent.count >= YearModel.newQuestionsPerDay else { return nil }
    return recent.map(\.at).sorted().suffix(YearModel.newQuestionsPerDay).first.map { $0 + YearModel.day }
  }

  private mutating func create(_ asker: YearAsker, _ topic: YearTopic, _ deadline: Int64) -> Int {
    let before = open(asker, topic)
    let number = questions.count
    let earlier = topic.kind == .significantUpdate ? gathered(asker, topic, before) : []
    noteNews(asker, topic)
    questions.append(
      YearQuestion(
        number: number, asker: asker, topic: topic, earlier: earlier, askedAt: now, expiresAt: deadline))
    questionsOf[asker, default: []].append(number)
    asked.append((asker.person, scope(of: asker.app), now))
    if let before {
      end(before.number, "superseded")
      questions[before.number].successor = number
      note("superseded", before.number, of: asker)
    }
    note("asked", number, of: asker)
    return number
  }

  /// Notes that a new change was let through a denial that still counts.
  private mutating func noteNews(_ asker: YearAsker, _ topic: YearTopic) {
    let key = manners(asker, topic)
    guard topic.kind == .significantUpdate, let coolDown = coolDowns[key], let deniedAt = coolDown.deniedAt else {
      return
    }
    let end = deniedAt + YearModel.afterDenial[min(coolDown.denials, YearModel.afterDenial.count) - 1]
    if end > now { coolDowns[key]?.passedOne = true }
  }

  /// The changes a new question asks besides its own: those still open, and those that were denied.
  private func gathered(_ asker: YearAsker, _ topic: YearTopic, _ open: YearQuestion?) -> [YearQuestion.Earlier] {
    var found: [YearQuestion.Earlier] = []
    func list(_ change: YearTopic, denied: Bool) {
      guard change.key != topic.key, grants(asker, covering: change.items).isEmpty else { return }
      if let place = found.firstIndex(where: { $0.topic.key == change.key }) {
        found[place] = YearQuestion.Earlier(topic: change, denied: denied || found[place].denied)
      } else {
        found.append(YearQuestion.Earlier(topic: change, denied: denied))
      }
    }
    for question in questions(of: asker) where question.topic.kind == .significantUpdate {
      let changes = question.earlier.map(\.topic) + [question.topic]
      switch question.state {
      case "denied": for change in changes { list(change, denied: true) }
      case "approved": found.removeAll { question.items.contains($0.topic.subject) }
      default: if question.number == open?.number { for change in changes { list(change, denied: false) } }
      }
    }
    return found.suffix(YearModel.earlierLimit)
  }

  // MARK: Status

  /// Where a topic stands.
  func status(_ asker: YearAsker, _ topic: YearTopic) -> YearReply {
    let live = grants(asker, covering: topic.items)
    if topic.items.isSubset(of: live.reduce(into: []) { $0.formUnion($1.items) }) {
      var wants: [String: YearWant] = ["status": .text("approved"), "nextAction": .text("proceed")]
      if live.count == 1 {
        wants["grant"] = .grant(live[0].number)
        wants["untilUSec"] = live[0].until.map { .instant($0) } ?? .absent
      }
      return .reply(wants)
    }
    if let open = open(asker, topic), open.topic.key == topic.key || open.items.isSuperset(of: topic.items) {
      return .reply(["status": .text("pending"), "nextAction": .text("wait"), "question": .question(open.number)])
    }
    if let (status, reason) = barred(asker, topic) {
      var wants: [String: YearWant] = ["status": .text(status), "nextAction": .text("askGuardian")]
      if status == "denied" { wants["reason"] = .text(reason) }
      return .reply(wants)
    }
    return .reply(closed(asker, topic, hasSome: !live.isEmpty))
  }

  /// The status of a topic that is neither given nor asked.
  private func closed(_ asker: YearAsker, _ topic: YearTopic, hasSome: Bool) -> [String: YearWant] {
    let (action, until) = askAgain(asker, topic)
    var wants: [String: YearWant] = ["nextAction": .text(action), "untilUSec": until]
    if hasSome {
      wants["status"] = .text("limited")
      wants["reason"] = .text("narrowed")
      return wants
    }
    guard let latest = latest(asker, topic) else {
      wants["status"] = .text("notDetermined")
      return wants
    }
    switch latest.state {
    case "denied": wants["status"] = .text("denied")
    case "approved": wants.merge(lost(latest, topic)) { $1 }
    default: wants["status"] = .text("notDetermined")
    }
    return wants
  }

  /// The status of a topic whose question was approved and whose grant does not cover it now.
  private func lost(_ question: YearQuestion, _ topic: YearTopic) -> [String: YearWant] {
    guard let grant = question.grant.map({ grants[$0] }) else { return ["status": .text("notDetermined")] }
    if grant.items.isDisjoint(with: topic.items) {
      return ["status": .oneOf(["denied", "notDetermined", "limited"])]
    }
    guard grant.endedReason == "revoked" else { return ["status": .text("notDetermined")] }
    return ["status": .text("denied"), "reason": .text("revoked")]
  }

  /// The last question about a topic; one that another took the place of counts as that one.
  private func latest(_ asker: YearAsker, _ topic: YearTopic) -> YearQuestion? {
    var found = questions(of: asker).last { $0.topic.key == topic.key }
    while let next = found?.successor { found = questions[next] }
    return found
  }
}
