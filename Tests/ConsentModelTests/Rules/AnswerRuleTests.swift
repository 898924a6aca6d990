// SPDX-License-Identifier: Apache-2.0
//
// The order inside an answer, in every state of the question.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct AnswerRuleTests {
  private let now = Instant(usec: 1_000)
  private let endedAt = Instant(usec: 900)
  private let content: Content

  init() throws {
    let topic = try Topic(json: [
      "kind": "communication", "actions": ["message"],
      "people": [["handle": "ana", "kind": "custom"], ["handle": "ben", "kind": "custom"]],
    ])
    content = Content(
      person: .user(7), asker: Asker(uid: 8, app: nil), provenance: .unidentified, topic: topic)
  }

  @Test(arguments: [("approve", QuestionState.approved), ("deny", .denied)])
  func `an offered choice ends an open question`(choice: String, state: QuestionState) throws {
    for hash in [nil, content.hash] {
      let decided = try #require(chosen(verdict(on: call(choice, hash: hash))))
      #expect(decided.choice == choice)
      #expect(decided.answer.state == state)
    }
  }

  @Test(arguments: [0, 1, 5, 7, 8] as [UserID])
  func `whoever may not decide learns nothing but that, in every state`(peer: UserID) {
    let isGuardian = peer == 1
    for state in QuestionState.allCases {
      for choice in ["approve", "nonsense"] {
        let verdict = verdict(on: call(choice, peer: peer, hash: "of something else"), progress: progress(state))
        #expect(isNotPermitted(verdict) == !isGuardian, "\(peer) answers \(choice), \(state)")
      }
    }
  }

  @Test func `the asker's own uid is refused even as a guardian`() {
    let verdict = AnswerRule(deciders: DeciderRule(anyRole: false, apps: .bridged)).verdict(
      on: call("approve", peer: 8), to: content, progress: .open(expiresAt: Instant(usec: 2_000)),
      guardians: [.user(1), .user(8)], now: now)
    #expect(isNotPermitted(verdict))
  }

  @Test(arguments: ["", "Approve", "approveOnce", "approveuntil", "approve ", "yes"])
  func `a choice that was not offered is neither yes nor no`(choice: String) {
    #expect(invalidField(verdict(on: call(choice))) == "choice")
  }

  @Test func `a hash of something else is told before the choice is judged`() {
    for choice in ["approve", "nonsense"] {
      guard case .contentChanged(let hash) = verdict(on: call(choice, hash: "other")) else {
        Issue.record("taken for an answer to this content")
        continue
      }
      #expect(hash == content.hash)
    }
    #expect(chosen(verdict(on: call("deny", hash: content.hash.uppercased()))) == nil)
  }

  @Test func `an end that no choice has is refused`() {
    #expect(invalidField(verdict(on: call("approve", until: Instant(usec: 5_000)))) == "untilUSec")
  }

  @Test func `all items in any order are a whole answer`() {
    let items: [JSONObject] = [
      ["action": "message", "handle": "ben", "change": .null], ["handle": "ana", "action": "message"],
    ]
    #expect(chosen(verdict(on: call("approve", items: items))) != nil)
  }

  @Test(
    arguments: [
      [],
      [["handle": "ana", "action": "message"], ["handle": "ana", "action": "message"]],
      [["handle": "ana", "action": "message"], ["handle": "ben", "action": "videoCall"]],
      [
        ["handle": "ana", "action": "message"], ["handle": "ben", "action": "message"], ["handle": "x", "action": "y"],
      ],
      [["handle": "ana", "action": "message"], ["handle": "ben", "action": "message", "level": "full"]],
      [["handle": "ana", "action": "message"], ["change": "ben"]], [[:], [:]],
      [["handle": "ana", "action": "message"], ["handle": "ben", "action": "message"], [:]],
      [
        ["handle": "ana", "action": "message"], ["handle": "ben", "action": "message"],
        ["handle": "ben", "action": "message"],
      ],
    ] as [[JSONObject]])
  func `other items are refused, since they would be granted or left out unseen`(items: [JSONObject]) {
    #expect(invalidField(verdict(on: call("approve", items: items))) == "items")
  }

  @Test func `a part of the people may be approved, in whatever order it is named`() throws {
    let part: [JSONObject] = [["action": "message", "handle": "ben"]]
    guard case .take(let chosen) = verdict(on: call("approve", items: part)) else {
      Issue.record("a part is refused")
      return
    }
    #expect(chosen.items == [Item(subject: "ben", action: "message")])
    #expect(invalidField(verdict(on: call("deny", items: part))) == "items")
  }

  @Test(arguments: [nil, 999, 1_000, 1_001] as [Int64?])
  func `an end is given with the choice that has one, and lies ahead`(until: Int64?) throws {
    let verdict = verdict(on: call("approveUntil", until: until.map { Instant(usec: $0) }))
    #expect((chosen(verdict) != nil) == (until == 1_001))
    #expect((invalidField(verdict) == "untilUSec") == (until != 1_001))
  }

  @Test func `a vote may be repeated and changed while the question is open`() {
    let vote = Chosen(choice: .approveUntil, until: Instant(usec: 1_500))
    let again = verdict(on: call("approveUntil", until: Instant(usec: 1_500)), before: vote)
    guard case .repeated = again else {
      Issue.record("the same vote is another")
      return
    }
    for other in [call("approveUntil", until: Instant(usec: 1_600)), call("approve"), call("deny")] {
      #expect(chosen(verdict(on: other, before: vote)) != nil)
    }
  }

  @Test func `whose vote agrees with the end may repeat it, and whose does not is told how it ended`() {
    let before = Chosen(choice: .approve)
    for (state, isRepeated) in [(QuestionState.approved, true), (.denied, false), (.expired, false), (.moot, false)] {
      let progress = QuestionProgress.ended(state, at: endedAt, guardian: state.exits.isEmpty ? .user(2) : nil)
      #expect((ending(verdict(on: call("approve"), progress: progress, before: before)) == nil) == isRepeated)
    }
  }

  @Test(arguments: [(1_001, true), (1_000, false), (999, false)] as [(Int64, Bool)])
  func `an answer at the deadline comes too late`(expiresAt: Int64, isInTime: Bool) {
    let verdict = verdict(on: call("approve"), progress: .open(expiresAt: Instant(usec: expiresAt)))
    #expect((chosen(verdict) != nil) == isInTime)
    #expect((ending(verdict) == .expired) == !isInTime)
  }

  @Test func `the guardian who ended it may say the same again`() {
    for (choice, state) in [(OfferedChoice.approve, QuestionState.approved), (.deny, .denied)] {
      let ended = QuestionProgress.ended(state, at: endedAt, guardian: .user(1))
      for hash in [nil, content.hash] {
        guard
          case .repeated = verdict(
            on: call(choice.choice, hash: hash), progress: ended, before: Chosen(choice: choice))
        else {
          Issue.record("an exact retry of \(choice.choice) is not the same decision")
          continue
        }
      }
    }
  }

  @Test func `after the end every other answer is told how it ended`() {
    let ended = QuestionProgress.ended(.approved, at: endedAt, guardian: .user(1))
    let others = [
      call("deny"), call("nonsense"), call("approve", peer: 2), call("deny", peer: 2), call("approve", hash: "other"),
      call("approve", until: Instant(usec: 5_000)), call("approve", items: []),
    ]
    for other in others {
      let before: Chosen? = other.guardian == .user(1) ? Chosen(choice: .approve) : nil
      #expect(ending(verdict(on: other, progress: ended, before: before)) == .approved)
    }
  }

  @Test(arguments: [QuestionState.expired, .withdrawn, .superseded, .moot])
  func `an ending that was no answer is repeated by none`(state: QuestionState) {
    for choice in ["approve", "deny"] {
      #expect(ending(verdict(on: call(choice), progress: progress(state))) == state)
    }
  }

  @Test func `in a sandbox one uid answers for any guardian of the person`() {
    let rule = AnswerRule(deciders: DeciderRule(anyRole: true, apps: .bridged))
    for (guardian, isPermitted) in [(Guardian.user(1), true), (.user(5), false)] {
      let call = GivenAnswer(peer: 8, guardian: guardian, choice: "approve")
      let verdict = rule.verdict(
        on: call, to: content, progress: .open(expiresAt: Instant(usec: 2_000)), guardians: [.user(1)], now: now)
      #expect((chosen(verdict) != nil) == isPermitted)
    }
  }

  private func call(
    _ choice: String, peer: UserID = 1, hash: String? = nil, until: Instant? = nil, items: [JSONObject]? = nil
  ) -> GivenAnswer {
    GivenAnswer(
      peer: peer, guardian: .user(peer), choice: choice, contentHash: hash, until: until, items: items)
  }

  private func verdict(
    on call: GivenAnswer, progress: QuestionProgress? = nil, before: Chosen? = nil
  ) -> AnswerVerdict {
    AnswerRule(deciders: DeciderRule(anyRole: false, apps: .bridged)).verdict(
      on: call, to: content, progress: progress ?? .open(expiresAt: Instant(usec: 2_000)),
      guardians: [.user(1), .user(2)], before: before, now: now)
  }

  private func progress(_ state: QuestionState) -> QuestionProgress {
    switch state {
    case .pending: .open(expiresAt: Instant(usec: 2_000))
    case .approved: .ended(state, at: endedAt, guardian: .user(2))
    case .denied: .ended(state, at: endedAt, guardian: .user(2))
    default: .ended(state, at: endedAt, guardian: nil)
    }
  }

  private func chosen(_ verdict: AnswerVerdict) -> OfferedChoice? {
    if case .take(let chosen) = verdict { chosen.choice } else { nil }
  }

  private func ending(_ verdict: AnswerVerdict) -> QuestionState? {
    if case .alreadyDecided(let state, _) = verdict { state } else { nil }
  }

  private func invalidField(_ verdict: AnswerVerdict) -> String? {
    if case .invalid(let error) = verdict { error.field } else { nil }
  }

  private func isNotPermitted(_ verdict: AnswerVerdict) -> Bool {
    if case .notPermitted = verdict { true } else { false }
  }
}
