// SPDX-License-Identifier: Apache-2.0
//
// What is compared beside the replies: callers that go on, where everything stands, and at the end of a year every
// event there was.

import StrictJSON
import TestSupport

extension YearHousehold {
  /// Receives what parked callers are told by now, and compares it.
  func checkWaiters() throws {
    var staying: [Waiter] = []
    for var waiter in waiters {
      while let next = model.questions[waiter.question].successor, model.endedBefore(waiter),
        model.questions[next].items.isSuperset(of: waiter.items)
      { waiter.question = next }
      let question = model.questions[waiter.question]
      let isOver = waiter.endsAt <= model.now
      guard !question.isOpen || isOver else {
        staying.append(waiter)
        continue
      }
      var wants = model.decided(waiter.question)
      wants["question"] = .question(waiter.question)
      let pending = YearReply.reply(["state": .text("pending"), "nextAction": .text("wait")])
      let got = try outcome { try waiter.client.receiveAnswer(before: Deadline(seconds: 5)) }
      let want: YearReply =
        switch (question.isOpen, isOver) {
        case (true, _): pending
        case (false, true): .either(.reply(wants), pending)
        case (false, false): .reply(wants)
        }
      expect(want, got, "a caller of Q\(waiter.question)")
    }
    waiters = staying
  }

  /// Learns the ids of grants that came without an answer, as when a guardian who had not answered leaves.
  func bindGrants() throws {
    for grant in model.grants where grantIDs[grant.number] == nil { try look(grant.question) }
  }

  /// Where a question stands.
  func look(_ number: Int) throws {
    guard let id = questionIDs[number] else { return }
    let got = try outcome { try app.permission("Await", ["question": .string(id), "timeoutUSec": 0]) }
    expect(.reply(model.decided(number)), got, "Await of Q\(number)")
  }

  /// Every topic's status for every asker, in one go.
  func checkStatuses(of topics: [YearTopic]) throws {
    let all = YearHousehold.askers.flatMap { asker in topics.map { (asker, $0) } }
    for (asker, topic) in all { try glance.send("\(Interface.permission).GetStatus", parameters(asker, topic)) }
    for (asker, topic) in all {
      let got = try outcome { try glance.receiveAnswer() }
      expect(model.status(asker, topic), got, "GetStatus of \(topic.key) for \(asker.app ?? "-") \(asker.person)")
    }
  }

  /// Every live grant as the guardians see it.
  func checkGrants() throws {
    for person in YearHousehold.children {
      let listed = try desk.guardian("ListGrants", ["person": .string(person), "limit": 1000]).list("grants")
      let live = model.grants.filter { $0.isLive && $0.asker.person == person }
      let ids = Set(try listed.map { try $0.text("grant") })
      if ids != Set(live.compactMap { grantIDs[$0.number] }) {
        complaints.append("the grants \(live.map(\.number)) wanted: \(listed.map(\.json))")
      }
      for grant in live {
        guard let shown = listed.first(where: { $0["grant"]?.string == grantIDs[grant.number] }) else { continue }
        let items = Set(try shown.list("items").map { grant.topic.item(of: $0) })
        let wants: [String: YearWant] = [
          "lifetime": .text(grant.until == nil ? "persistent" : "until"),
          "untilUSec": grant.until.map { .instant($0) } ?? .absent, "question": .question(grant.question),
          "app": grant.asker.app.map { .text($0) } ?? .absent,
        ]
        expect(.reply(wants), .reply(shown), "ListGrants")
        if items != grant.items { complaints.append("\(grant.items) wanted: \(shown.json)") }
      }
    }
  }

  /// Every event of every asker: in the model's order for each question and each grant, and the same for an app that
  /// was cut off now and then.
  func checkEvents() throws {
    for asker in YearHousehold.askers {
      let stream = try EventStream(
        try daemon.apps(), "\(Interface.permission).Responses", named(asker).with(["after": 0]))
      let events = try stream.backlog()
      stream.client.close()
      let sequences = try events.map { try $0.number("sequence") }
      if sequences != sequences.sorted() { complaints.append("events out of order: \(sequences)") }
      let wanted = stories(model.log[asker] ?? [])
      let told = stories(try events.map(event))
      for subject in Set(wanted.keys).union(told.keys).sorted() where wanted[subject] != told[subject] {
        complaints.append("\(subject) of \(asker): \(wanted[subject] ?? []) wanted, \(told[subject] ?? []) told")
      }
      try followers[asker]?.connect(daemon.apps(), named(asker))
      try followers[asker]?.read(through: sequences.last ?? 0)
      let followed = followers[asker]?.events ?? []
      if followed.count != events.count { complaints.append("\(asker) read \(followed.count) of \(events.count)") }
      for (told, event) in zip(followed, events) where told.lasting != event.lasting {
        complaints.append("\(asker) read \(told.json) for \(event.json)")
      }
    }
  }

  private func stories(_ events: [YearEvent]) -> [String: [String]] {
    var stories: [String: [String]] = [:]
    for event in events {
      let isOfGrant = ["granted", "revoked", "grantEnded"].contains(event.kind)
      stories[isOfGrant ? "G\(event.grant ?? -1)" : "Q\(event.question ?? -1)", default: []].append(event.kind)
      if event.kind == "granted" { stories["Q\(event.question ?? -1)", default: []].append(event.kind) }
    }
    return stories
  }

  private func event(_ event: JSONObject) throws -> YearEvent {
    let question = event["question"]?.string.flatMap { id in questionIDs.first { $0.value == id }?.key }
    let grant = event["grant"]?.string.flatMap { id in grantIDs.first { $0.value == id }?.key }
    return YearEvent(kind: try event.text("event"), question: question, grant: grant)
  }
}

extension YearModel {
  /// Whether a caller's question ended while the caller still waited.
  func endedBefore(_ waiter: YearHousehold.Waiter) -> Bool {
    questions[waiter.question].endedAt.map { $0 < waiter.endsAt } ?? false
  }
}

extension YearTopic {
  /// An item as the wire has it, in the model's form.
  func item(of wire: JSONObject) -> String {
    switch kind {
    case .significantUpdate: wire["change"]?.string ?? ""
    case .communication: "\(wire["handle"]?.string ?? "")|\(wire["action"]?.string ?? "")"
    case .resource: "\(subject)|\(wire["level"]?.string ?? "")"
    }
  }
}

extension JSONObject {
  /// The event without what its decision says of the moment at which it is read.
  fileprivate var lasting: JSONObject {
    guard let decision = self["decision"]?.object else { return self }
    return with(["decision": .object(decision.without("nextAction"))])
  }
}
