// SPDX-License-Identifier: Apache-2.0
//
// What people and programs do in a year, each done to the daemon and to the model, and compared.

import StrictJSON
import TestSupport

extension YearHousehold {
  func ask(_ asker: YearAsker, _ topic: YearTopic, key: String?, life: Int64?) throws {
    var call = parameters(asker, topic)
    if let key { call["key"] = .string(key) }
    if let life { call["expiresInUSec"] = .integer(life) }
    let want = model.ask(asker, topic, key: key, life: life).reply
    expect(want, try outcome { try app.permission("Ask", call) }, "Ask")
  }

  /// A request on a connection of its own; where it has to wait, it stays.
  func request(_ asker: YearAsker, _ topic: YearTopic, timeout: Int64) throws {
    let client = try daemon.apps()
    try client.send(
      "\(Interface.permission).Request", parameters(asker, topic).with(["timeoutUSec": .integer(timeout)]))
    let (want, question) = model.ask(asker, topic)
    guard let question, model.questions[question].isOpen else {
      expect(want, try outcome { try client.receiveAnswer() }, "Request")
      return
    }
    waiters.append(Waiter(client: client, question: question, items: topic.items, endsAt: model.now + timeout))
    try checkWaiters()
    try settleWaiters()
    try bind(question)
  }

  /// Waits until as many callers are parked as the model has.
  func settleWaiters() throws {
    let deadline = Deadline(seconds: 5)
    while try desk.administration("GetStatistics").number("waiters") != Int64(waiters.count) {
      guard !deadline.hasPassed else {
        complaints.append("\(waiters.count) waiters wanted")
        return
      }
    }
  }

  /// Learns the id of a question whose asker has not been told it.
  func bind(_ number: Int) throws {
    guard questionIDs[number] == nil else { return }
    let question = model.questions[number]
    let open = try desk.guardian("ListQuestions", ["person": .string(question.asker.person), "limit": 1000])
    for card in try open.list("questions") { try found(card) }
    for other in model.questions where other.isOpen { model.describe(other.number, of: question.asker.person) }
    if questionIDs[number] == nil { complaints.append("Q\(number) is not listed") }
  }

  private func found(_ card: JSONObject) throws {
    let id = try card.text("question")
    guard !questionIDs.values.contains(id) else { return }
    let unnamed = model.questions.first {
      questionIDs[$0.number] == nil && $0.isOpen && card["person"] == .string($0.asker.person)
        && card["app"]?.string == $0.asker.app
    }
    if let unnamed { questionIDs[unnamed.number] = id }
  }

  func withdraw(_ number: Int) throws {
    guard let id = questionIDs[number] else { return }
    let want = model.withdraw(number)
    expect(want, try outcome { try app.permission("Withdraw", ["question": .string(id)]) }, "Withdraw")
  }

  func describe(_ number: Int) throws {
    guard let id = questionIDs[number] else { return }
    let question = model.questions[number]
    model.describe(number)
    let got = try outcome { try desk.guardian("DescribeQuestion", ["question": .string(id)]).member("question") }
    let wants: [String: YearWant] = [
      "question": .question(number), "state": .text(question.state), "person": .text(question.asker.person),
      "expiresAtUSec": .instant(question.expiresAt), "askedAtUSec": .instant(question.askedAt),
    ]
    expect(.reply(wants), got, "DescribeQuestion")
    guard case .reply(let card) = got else { return }
    hashes[number] = card["contentHash"]?.string
    let choices = try card.list("choices").map { try $0.text("choice") }
    if Set(choices) != Set(question.choices) { complaints.append("\(question.choices) wanted: \(choices)") }
    let earlier = try card.member("topic")["earlier"]?.array?.compactMap { $0.object?["change"]?.string } ?? []
    if Set(earlier) != Set(question.earlier.map(\.topic.subject)) {
      complaints.append("earlier \(question.earlier.map(\.topic.subject)) wanted: \(earlier)")
    }
    let denied = try card.member("topic")["earlier"]?.array?.filter { $0.object?["denied"] == true }.count ?? 0
    if denied != question.earlier.filter(\.denied).count { complaints.append("other denied ones: \(card.json)") }
    guard question.isOpen else { return }
    let votes = try card.member("votes")
    let have = Int64(model.standingVotes(question).count)
    if votes != ["have": .integer(have), "need": .integer(Int64(model.need(question)))] {
      complaints.append("other votes: \(votes.json)")
    }
  }

  func answer(_ number: Int, _ answer: YearAnswer) throws {
    guard let id = questionIDs[number] else { return }
    var call: JSONObject = [
      "question": .string(id), "choice": .string(answer.choice), "guardian": .string(answer.guardian),
    ]
    if let until = answer.until { call["untilUSec"] = .integer(until) }
    if let items = answer.items {
      call["items"] = .array(items.sorted().map { .object(model.questions[number].topic.wireItem($0)) })
    }
    if answer.isForOtherContent {
      call["contentHash"] = .string(String(repeating: "0", count: 64))
    } else if let hash = hashes[number] {
      call["contentHash"] = .string(hash)
    }
    let want = model.answer(number, answer)
    expect(want, try outcome { try desk.guardian("Answer", call) }, "Answer")
  }

  func revoke(grant number: Int) throws {
    guard let id = grantIDs[number] else { return }
    let meant = model.revoke { $0.number == number }
    try compare(meant, outcome { try desk.guardian("Revoke", ["grant": .string(id)]) })
  }

  func revoke(_ person: String, app: String?) throws {
    var call: JSONObject = ["person": .string(person)]
    if let app { call["app"] = .string(app) }
    let meant = model.revoke { $0.asker.person == person && (app == nil || $0.asker.app == app) }
    try compare(meant, outcome { try desk.guardian("Revoke", call) })
  }

  private func compare(_ meant: [Int], _ got: Outcome) throws {
    expect(.reply([:]), got, "Revoke")
    guard case .reply(let reply) = got else { return }
    let ended = try reply.list("grants").map { try $0.text("grant") }
    if Set(ended) != Set(meant.compactMap { grantIDs[$0] }) { complaints.append("\(meant) wanted: \(ended)") }
  }

  func set(_ person: String, _ app: String?, _ name: String, _ value: String) throws {
    var call: JSONObject = ["person": .string(person), "setting": .string(name), "value": .string(value)]
    if let app { call["app"] = .string(app) }
    model.set(person, app ?? "", name, value)
    let got = try outcome { try desk.guardian("ChangeSetting", call) }
    expect(.reply(["setting.value": .text(value), "setting.setting": .text(name)]), got, "ChangeSetting")
  }

  func setGuardians(_ person: String, _ wanted: [String]) throws {
    let before = model.guardians[person] ?? []
    for guardian in before where !wanted.contains(guardian) {
      try desk.administration("RemoveGuardian", ["person": .string(person), "guardian": .string(guardian)])
    }
    for guardian in wanted where !before.contains(guardian) {
      try desk.administration("AddGuardian", ["person": .string(person), "guardian": .string(guardian)])
    }
    model.setGuardians(person, wanted)
  }

  func pass(_ span: Int64) throws {
    model.pass(to: try advance(model.safe(span)))
  }
}

extension YearModel {
  /// A companion has listed the person's open questions.
  mutating func describe(_ number: Int, of person: String) {
    if questions[number].asker.person == person { describe(number) }
  }

  /// The span, or one a little longer that ends at no instant at which something changes: the daemon's clock runs on
  /// while calls are under way.
  func safe(_ span: Int64) -> Int64 {
    let instants = instantsAhead
    var span = span
    while instants.contains(where: { abs($0 - now - span) < 30 * YearModel.second }) { span += 61 * YearModel.second }
    return span
  }
}

extension YearTopic {
  /// An item as it is put on the wire.
  func wireItem(_ item: String) -> JSONObject {
    let parts = item.split(separator: "|").map(String.init)
    switch kind {
    case .significantUpdate: return ["change": .string(item)]
    case .communication: return ["handle": .string(parts[0]), "action": .string(parts[1])]
    case .resource: return ["level": .string(parts[1])]
    }
  }
}
