// SPDX-License-Identifier: Apache-2.0
//
// Every reply against the text of its interface, with everything it can carry and with as little as it can.

import ConsentInterface
import StrictJSON
import Testing
import Varlink

@testable import ConsentModel

@Suite struct ReplyTests {
  private static let instant = Instant(usec: 1_777_723_200_000_000)

  /// A decision with everything a decision can carry.
  private static func fullDecision(_ topic: JSONObject = Topic.all[0]) -> Decision {
    Decision(
      question: .first, topic: topic, topicKey: "significantUpdate/2.0", state: .superseded, nextAction: .wait,
      ending: Decision.Ending(
        at: instant, decidedBy: .guardian, choice: "approve", reason: "personRemoved", grant: .some,
        evidence: Decision.Evidence(
          guardian: "uid:1000", channel: "local", assurance: "localUser", contentHash: "cafe", policy: "baseline/1"),
        isSynthetic: true),
      successor: .second)
  }

  /// A decision with nothing a decision can do without.
  private static let bareDecision = Decision(
    question: .first, topic: ["kind": "communication"], topicKey: "communication/x", state: .pending, nextAction: .wait)

  private static func card(_ topic: JSONObject, app: AppID?, plan: String?, decision: Decision?) -> Card {
    Card(
      question: .first, person: .mia, asker: Asker(uid: 1001, app: app), provenance: .claimed,
      names: plan == nil ? [:] : ["en": "Chat"], decider: .guardians,
      topic: topic, topicKey: "significantUpdate/2.0", choices: [.approveOnce, .approve, .deny], contentHash: "cafe",
      state: .pending, askedAt: instant, expiresAt: instant, timesAsked: 2, plan: plan, waiters: 3,
      votes: Votes(have: 0, need: 1), guardians: [.user(1000)], canAnswer: true, isDelivered: false, decision: decision)
  }

  private static func standing(_ decision: Decision) -> Asked.Standing {
    Asked.Standing(decision: decision, joined: true, expiresAt: instant, reach: .seen)
  }

  private static func asked(_ decision: Decision) -> Asked {
    Asked(topicKey: "significantUpdate/2.0", verdict: .question(standing(decision)))
  }

  /// Checks a reply against its method.
  private func check(
    _ reply: JSONObject, _ method: String, on interface: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let description = try Interfaces.named(interface)
    #expect(description.method(method) != nil, "no method \(method)", sourceLocation: location)
    #expect(description.firstInvalidField(ofReply: reply, method: method) == nil, sourceLocation: location)
  }

  /// Checks that a reply carries everything its method declares, but for what is to come.
  private func checkWhole(
    _ reply: JSONObject, _ method: String, on interface: String, without later: Set<String> = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try check(reply, method, on: interface, location)
    let declared = try Set(#require(Interfaces.named(interface).method(method)).output.map(\.name))
    #expect(Set(reply.members.map(\.name)) == declared.subtracting(later), sourceLocation: location)
  }

  // MARK: Permission

  @Test func `a status has what GetStatus gives`() throws {
    let full = StatusAnswer(
      status: .approved, nextAction: .proceed, reason: .adult, question: .first, grant: .some)
    try checkWhole(full.json(topicKey: "resource/a.b"), "GetStatus", on: Contract.permission, without: ["untilUSec"])
    for status in Status.allCases {
      for action in NextAction.allCases {
        try check(
          StatusAnswer(status: status, nextAction: action).json(topicKey: "x"), "GetStatus", on: Contract.permission)
      }
    }
  }

  @Test func `an ask has what Ask gives`() throws {
    try checkWhole(Self.asked(Self.fullDecision()).json, "Ask", on: Contract.permission)
    try check(Self.asked(Self.bareDecision).json, "Ask", on: Contract.permission)
    for verdict in [Asked.Verdict.notRequired(.adult), .granted(.some)] {
      let asked = Asked(topicKey: "resource/a.b", verdict: verdict)
      try check(asked.json, "Ask", on: Contract.permission)
      try check(asked.json, "Request", on: Contract.permission)
      #expect(asked.json["question"] == nil)
      #expect(asked.json["joined"] == false)
      #expect(asked.json["nextAction"] == "proceed")
    }
  }

  @Test func `an ask that needs nobody says why`() {
    #expect(Asked(topicKey: "k", verdict: .notRequired(.adult)).json["state"] == "notRequired")
    #expect(Asked(topicKey: "k", verdict: .notRequired(.adult)).json["reason"] == "adult")
    #expect(Asked(topicKey: "k", verdict: .granted(.some)).json["state"] == "approved")
    #expect(Asked(topicKey: "k", verdict: .granted(.some)).json["grant"] == .string(GrantID.some.description))
  }

  @Test(arguments: Topic.all)
  func `a decision about any kind of topic has what Await gives`(topic: JSONObject) throws {
    try checkWhole(Self.fullDecision(topic).json, "Await", on: Contract.permission)
    try check(Self.bareDecision.json, "Await", on: Contract.permission)
  }

  @Test func `an ask that waited has what Request gives`() throws {
    try checkWhole(Asked.json(after: Self.standing(Self.fullDecision())), "Request", on: Contract.permission)
    try check(Asked.json(after: Self.standing(Self.bareDecision)), "Request", on: Contract.permission)
  }

  @Test func `an event has what Responses gives`() throws {
    let full = AskerEvent(
      sequence: 3, kind: .decided, person: .mia, topic: Topic.all[0], topicKey: "significantUpdate/2.0",
      question: .first, decision: Self.fullDecision(), grant: .some, at: Self.instant)
    try checkWhole(full.json, "Responses", on: Contract.permission)
    let bare = AskerEvent(sequence: 1, kind: .asked, person: .mia, at: Self.instant)
    try check(bare.json, "Responses", on: Contract.permission)
  }

  @Test func `ready is no event of anybody's`() throws {
    let ready = AskerEvent(sequence: 9, kind: .ready, at: Self.instant)
    try check(ready.json, "Responses", on: Contract.permission)
    #expect(Set(ready.json.members.map(\.name)) == ["sequence", "event", "atUSec"])
  }

  // MARK: AgeRange

  @Test func `an age, known or not, has what GetAgeRange gives`() throws {
    let gates = Gates.baseline
    for bounds in [AgeBounds(lower: 14, upper: 14), AgeBounds(lower: 20, upper: nil), AgeBounds(lower: nil, upper: 9)] {
      let shared = SharedAge.Shared(
        range: try #require(AgeRange(bounds, gates: gates)), gates: gates.ages, source: .guardianDeclared,
        assurance: .unchecked, asOf: Self.instant, controls: ["guardianConsent"])
      try check(SharedAge.shared(shared).json, "GetAgeRange", on: Contract.ageRange)
    }
    for reason in Reason.allCases {
      let unknown = SharedAge.notDetermined(nextAction: .askGuardian, reason: reason)
      try check(unknown.json, "GetAgeRange", on: Contract.ageRange)
      #expect(unknown.json["range"] == nil)
    }
  }

  @Test func `an age between two gates is told with inclusive bounds and a verdict for each gate`() throws {
    let range = try #require(AgeRange(AgeBounds(lower: 14, upper: 14), gates: .baseline))
    let json = SharedAge.shared(
      SharedAge.Shared(
        range: range, gates: [13, 16, 18], source: .administratorDeclared, assurance: .confirmed, asOf: Self.instant,
        controls: [])
    ).json
    #expect(json["sharing"] == "shared")
    #expect(
      json["range"] == [
        "lowerBound": 13, "upperBound": 15,
        "verdicts": [
          ["gate": 13, "atLeast": true], ["gate": 16, "atLeast": false], ["gate": 18, "atLeast": false],
        ],
        "gatesRequested": [13, 16, 18], "gatesApplied": [13, 16, 18], "source": "administratorDeclared",
        "assurance": "confirmed", "asOfUSec": 1_777_723_200_000_000, "controls": [],
      ])
  }

  // MARK: Guardian and Administration

  @Test(arguments: Topic.all)
  func `a card of any kind of topic has what the guardians are given`(topic: JSONObject) throws {
    let full = Self.card(topic, app: .chat, plan: "onboarding", decision: Self.fullDecision(topic))
    let bare = Self.card(["kind": "resource"], app: nil, plan: nil, decision: nil)
    for card in [full, bare] {
      try check(["question": .object(card.json)], "DescribeQuestion", on: Contract.guardian)
      try check(Page(entries: [card], next: "5").json("questions", \.json), "ListQuestions", on: Contract.guardian)
      for change in [CardChange.added(card), .changed(card), .reminder(card), .removed(card, reason: "moot"), .ready] {
        try check(change.json, "WatchQuestions", on: Contract.guardian)
      }
    }
    #expect(full.json["ifDenied"] == topic["ifDenied"])
    #expect(bare.json["app"] == nil)
    guard
      case .structure(let fields)? = try Interfaces.named(Contract.guardian).types.first(where: { $0.name == "Card" })?
        .type
    else {
      Issue.record("no Card")
      return
    }
    if topic["ifDenied"] != nil { #expect(Set(full.json.members.map(\.name)) == Set(fields.map(\.name))) }
  }

  @Test func `an answer that counted has what Answer gives`() throws {
    let answered = Answered(decision: Self.fullDecision(), waitersResumed: 2, votes: Votes(have: 1, need: 1))
    try checkWhole(answered.json, "Answer", on: Contract.guardian)
    #expect(answered.json["waitersResumed"] == 2)
    #expect(answered.json["votes"] == ["have": 1, "need": 1])
  }

  @Test(arguments: [Contract.guardian, Contract.administration])
  func `people have what ListPeople gives`(interface: String) throws {
    let people = [
      EnrolledPerson(person: .mia, displayName: "Mia", guardians: [.user(1000)]),
      EnrolledPerson(person: .account(app: .chat, opaque: "kim"), displayName: nil, guardians: []),
    ]
    try checkWhole(Page(entries: people, next: "uid:1001").json("people", \.json), "ListPeople", on: interface)
    try check(Page<EnrolledPerson>(entries: [], next: nil).json("people", \.json), "ListPeople", on: interface)
  }

  @Test func `settings have what ListSettings gives`() throws {
    let chosen = Setting(
      person: .mia, app: .chat, name: .resource("org.example.screenTime"), value: "denied", isDefault: false,
      setBy: .user(1000), setAt: Instant(usec: 7))
    let standard = Setting(person: .mia, app: nil, name: .guardianRule, value: "any", isDefault: true)
    try checkWhole(
      Page(entries: [chosen, standard], next: "uid:1001 org.example.Chat neverAsk").json("settings", \.json),
      "ListSettings", on: Contract.guardian)
    try checkWhole(["setting": .object(chosen.json)], "ChangeSetting", on: Contract.guardian)
    #expect(chosen.json["choices"] == ["notDetermined", "approved", "denied", "restricted"])
    #expect(standard.json["setBy"] == nil && standard.json["app"] == nil)
  }
}
