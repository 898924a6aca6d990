// SPDX-License-Identifier: Apache-2.0
//
// Answering in a sandbox: one uid plays every role, and what it decides is worth nothing outside.

import Testing

@testable import ConsentBroker
@testable import ConsentModel

@Suite struct SandboxAnsweringTests {
  let world: World
  let question: QuestionID

  init() throws {
    world = try .family([.ann, .bob], isSandbox: true)
    question = try world.question()
  }

  @Test(arguments: ["approve", "deny"])
  func `a decision is stamped as worth nothing outside a test`(choice: String) throws {
    #expect(try world.answer(.of(question, choice, by: .tester)).decision.ending?.isSynthetic == true)
    #expect(try world.look(question).ending?.isSynthetic == true)
  }

  @Test func `whoever answers is the first guardian, unless another is named`() throws {
    let first = try world.answer(.of(question, by: .tester))
    #expect(first.decision.ending?.evidence?.guardian == "uid:1000")
    let second = try world.answer(
      .of(world.question(.resource()), by: Viewer(peer: 1001, role: .everyone(speaker: .bob))))
    #expect(second.decision.ending?.evidence?.guardian == "uid:1002")
  }

  @Test func `nobody is named who is no guardian`() throws {
    let viewer = Viewer(peer: 1001, role: .everyone(speaker: .user(1009)))
    #expect(throws: Refusal.notPermitted(reason: "notGuardian")) { try world.answer(.of(question, by: viewer)) }
    #expect(try world.look(question).state == .pending)
  }

  @Test func `where no guardian is left, nobody answers`() throws {
    try world.run { [world] in
      try await world.broker.removeGuardian(.ann, of: .mia)
      try await world.broker.removeGuardian(.bob, of: .mia)
    }
    #expect(throws: Refusal.notPermitted(reason: "uid:1001 has no guardian")) {
      try world.answer(.of(question, by: .tester))
    }
    #expect(try world.look(question).state == .pending)
  }
}
