// SPDX-License-Identifier: Apache-2.0
//
// The typed clients: what they send, how they wait, and that nothing a daemon leaves out or makes up is a yes.

import ConsentKit
import StrictJSON
import Testing

@Suite struct AppClientTests {
  private let pending: JSONObject = ["question": "3f9c", "state": "pending", "nextAction": "wait", "topicKey": "k"]
  private let approved: JSONObject = [
    "question": "3f9c", "state": "approved", "nextAction": "proceed", "topicKey": "k",
  ]

  @Test func `what was not said is not sent`() async throws {
    let fake = try FakeDaemon { _, _ in [.reply(["state": "pending"])] }
    _ = try await app(fake).ask(.significantUpdate("2.0", description: "Adds voice rooms."))
    #expect(
      fake.calls.map(\.parameters) == [
        ["topic": ["kind": "significantUpdate", "change": "2.0", "description": "Adds voice rooms."]]
      ])
  }

  @Test func `person, app and terms are sent by the names of the contract`() async throws {
    let fake = try FakeDaemon { _, _ in [.reply(["state": "pending"])] }
    let client = AppClient(
      daemon: fake.address, person: "uid:1001", app: "org.example.Chat")
    let topic = Topic.communication(
      with: [Contact(handle: "+49", kind: "phoneNumber", name: "Oma")], actions: ["message"])
    _ = try await client.ask(topic, AskTerms(key: "k1", expires: .seconds(7200), appVersion: "2.1"))
    #expect(fake.calls.first?.method == "org.consentd.Permission.Ask")
    #expect(
      fake.calls.first?.parameters == [
        "topic": [
          "kind": "communication", "people": [["handle": "+49", "kind": "phoneNumber", "name": "Oma"]],
          "actions": ["message"],
        ],
        "key": "k1", "expiresInUSec": 7_200_000_000, "appVersion": "2.1", "person": "uid:1001",
        "app": "org.example.Chat",
      ])
  }

  @Test func `a wait without a timeout goes on until the question has ended`() async throws {
    let fake = try FakeDaemon { [pending, approved] _, place in [.reply(place < 3 ? pending : approved)] }
    let decision = try await app(fake).decision(of: "3f9c")
    #expect(decision.state == "approved")
    #expect(fake.calls.count == 4)
    for call in fake.calls {
      let timeout = call.parameters["timeoutUSec"]?.integer ?? 0
      #expect(timeout > 60_000_000 && timeout <= 3_600_000_000)
    }
  }

  @Test func `a wait ends with its timeout`() async throws {
    let fake = try FakeDaemon { [pending] _, _ in [.reply(pending)] }
    #expect(try await app(fake).decision(of: "3f9c", timeout: .zero).state == "pending")
    #expect(fake.calls.map(\.parameters) == [["question": "3f9c", "timeoutUSec": 0]])
  }

  @Test func `a request that outlasts one wait goes on waiting for its question`() async throws {
    let fake = try FakeDaemon { [pending, approved] call, _ in
      [.reply(call.method.hasSuffix("Request") ? pending : approved)]
    }
    let decision = try await app(fake).request(.resource("a.b", purpose: "x"), timeout: .seconds(7200))
    #expect(decision.state == "approved")
    #expect(
      fake.calls.map(\.method) == ["org.consentd.Permission.Request", "org.consentd.Permission.Await"])
  }

  @Test func `a request that needed no question ends at once`() async throws {
    let fake = try FakeDaemon { _, _ in [.reply(["state": "notRequired", "nextAction": "proceed", "topicKey": "k"])] }
    let decision = try await app(fake).request(.resource("a.b"), timeout: .seconds(7200))
    #expect(decision.nextAction == .proceed)
    #expect(decision.question == nil)
    #expect(fake.calls.count == 1)
  }

  @Test func `a timeout beyond all numbers is a long one`() async throws {
    let fake = try FakeDaemon { [approved] _, _ in [.reply(approved)] }
    let decision = try await app(fake).decision(of: "3f9c", timeout: .seconds(Int64.max))
    #expect(decision.state == "approved")
  }

  @Test func `events are read in order until the daemon ends them`() async throws {
    let fake = try FakeDaemon { _, _ in
      [
        .more(["sequence": 1, "event": "asked", "atUSec": 1]), .more(["sequence": 1, "event": "ready", "atUSec": 2]),
        .reply(["sequence": 2, "event": "decided", "atUSec": 3]),
      ]
    }
    var events: [String] = []
    for try await event in app(fake).responses(after: 0, kinds: ["asked"]) { events.append(event.event) }
    #expect(events == ["asked", "ready", "decided"])
    #expect(fake.calls.first?.more == true)
    #expect(fake.calls.first?.parameters == ["after": 0, "kinds": ["asked"]])
  }

  private func app(_ fake: FakeDaemon) -> AppClient {
    AppClient(daemon: fake.address)
  }
}

@Suite struct GuardianClientTests {
  @Test func `an answer carries the hash of the card it was given on`() async throws {
    let fake = try FakeDaemon { call, _ in
      call.method.hasSuffix("DescribeQuestion")
        ? [.reply(["question": ["question": "3f9c", "contentHash": "ab"]])] : [.reply(["state": "denied"])]
    }
    let client = GuardianClient(daemon: fake.address)
    let answered = try await client.answer(try await client.card(of: "3f"), choice: "deny")
    #expect(answered.state == "denied")
    #expect(fake.calls.last?.parameters == ["question": "3f9c", "choice": "deny", "contentHash": "ab"])
  }

  @Test func `the end and the part of an approval go along, and the votes come back`() async throws {
    let fake = try FakeDaemon { call, _ in
      call.method.hasSuffix("DescribeQuestion")
        ? [.reply(["question": ["question": "3f9c", "contentHash": "ab"]])]
        : [.reply(["state": "pending", "votes": ["have": 1, "need": 2]])]
    }
    let client = GuardianClient(daemon: fake.address)
    let answered = try await client.answer(
      try await client.card(of: "3f"), choice: "approveUntil", untilUSec: 9,
      items: [GrantItem(handle: "oma", action: "message")])
    #expect(answered.votes == (1, 2) && answered.decision == nil)
    #expect(fake.calls.last?.parameters["untilUSec"] == 9)
    #expect(fake.calls.last?.parameters["items"] == [["handle": "oma", "action": "message"]])
  }

  @Test func `grants are read from every page, and one or all of them taken back`() async throws {
    let fake = try FakeDaemon { call, place in
      call.method.hasSuffix("Revoke") || place > 0
        ? [.reply(["grants": [["grant": "g1", "items": [["level": "full"]], "endedReason": "revoked"]]])]
        : [.reply(["grants": [["grant": "g0", "untilUSec": 9]], "next": "p"])]
    }
    let client = GuardianClient(daemon: fake.address)
    let grants = try await client.grants(person: "uid:1", app: "a.b")
    #expect(grants.map(\.grant) == ["g0", "g1"] && grants.map(\.untilUSec) == [9, nil])
    #expect(grants[1].items.map(\.level) == ["full"])
    #expect(try await client.revoke("g1", note: "n").map(\.endedReason) == ["revoked"])
    _ = try await client.revoke(everythingOf: "uid:1")
    #expect(
      fake.calls.map(\.parameters) == [
        ["person": "uid:1", "app": "a.b"], ["person": "uid:1", "app": "a.b", "after": "p"],
        ["grant": "g1", "note": "n"], ["person": "uid:1"],
      ])
  }

  @Test func `every page of a list is read`() async throws {
    let fake = try FakeDaemon { call, place in
      place < 2
        ? [.reply(["questions": [["question": .string("q\(place)")]], "next": .string("p\(place)")])]
        : [.reply(["questions": [["question": "q2"]]])]
    }
    let cards = try await GuardianClient(daemon: fake.address)
      .openQuestions(person: "uid:1")
    #expect(cards.map(\.question) == ["q0", "q1", "q2"])
    #expect(fake.calls.map { $0.parameters["after"]?.string } == [nil, "p0", "p1"])
  }
}

@Suite struct ReplyTests {
  @Test(
    arguments: [
      [:], ["nextAction": 1], ["nextAction": ""], ["nextAction": "PROCEED"], ["nextAction": "proceedCarefully"],
      ["state": "approved"],
    ] as [JSONObject])
  func `only the word itself lets an app proceed`(reply: JSONObject) async throws {
    let fake = try FakeDaemon { _, _ in [.reply(reply)] }
    let decision = try await AppClient(daemon: fake.address).decision(
      of: "q", timeout: .zero)
    #expect(decision.nextAction != .proceed)
  }

  @Test(
    arguments: [
      [:], ["sharing": "notDetermined"], ["sharing": "shared", "range": ["verdicts": []]],
      ["sharing": "shared", "range": ["verdicts": [["gate": 16, "atLeast": true]]]],
      ["sharing": "shared", "range": ["verdicts": [["gate": 18]]]],
    ] as [JSONObject])
  func `an age that is not told opens no gate`(reply: JSONObject) async throws {
    let fake = try FakeDaemon { _, _ in [.reply(reply)] }
    let answer = try await AppClient(daemon: fake.address).ageRange(gates: [18])
    #expect(answer.isAtLeast(18) == nil)
  }
}
