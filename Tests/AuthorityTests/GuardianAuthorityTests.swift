// SPDX-License-Identifier: Apache-2.0
//
// Who may answer for a child, and see what it asks: its guardians, and nobody else, whatever they claim.

import StrictJSON
import TestSupport
import Testing

/// People who are not the child's guardian.
struct Outsider: Sendable, CustomTestStringConvertible {
  let uid: UInt32
  let testDescription: String

  static let all = [
    Outsider(uid: Household.Uid.child, testDescription: "the child, who asked"),
    Outsider(uid: Household.Uid.stranger, testDescription: "a stranger"),
    Outsider(uid: Household.Uid.otherGuardian, testDescription: "another child's guardian"),
    Outsider(uid: Household.Uid.otherChild, testDescription: "another child"),
    Outsider(uid: Household.Uid.service, testDescription: "a registered service"),
    Outsider(uid: Household.Uid.administrator, testDescription: "an administrator"),
    Outsider(uid: Household.Uid.daemon, testDescription: "the daemon's own user"),
    Outsider(uid: 0, testDescription: "root"),
  ]
}

@Suite(.enabled(if: Program.isRoot, "authority needs several real uids: run the tests as root"))
struct GuardianAuthorityTests {
  @Test func `the child asks, the guardian answers, the child goes on`() throws {
    let household = try Household()
    let waiting = try household.daemon.apps(as: Household.Uid.child)
    try waiting.send("\(Interface.permission).Request", ["topic": .object(.update("2.0"))])
    let watch = try EventStream(
      try household.daemon.guardians(as: Household.Uid.guardian), "\(Interface.guardian).WatchQuestions", [:])
    var card: JSONObject?
    while card == nil { card = try watch.next()["question"]?.object }
    let shown = try #require(card)
    #expect(shown["person"] == household.name(Household.Uid.child))
    #expect(shown["canAnswer"] == true)
    #expect(shown["provenance"] == "unidentified")
    let answer = try household.guardian.guardian(
      "Answer",
      [
        "question": .string(shown.text("question")), "choice": "approve",
        "contentHash": .string(shown.text("contentHash")),
      ])
    #expect(answer["waitersResumed"] == 1)
    let decision = try waiting.receiveAnswer()
    #expect(decision["state"] == "approved")
    #expect(decision["synthetic"] == nil)
    #expect(try household.child.permission("GetStatus", ["topic": .object(.update("2.0"))])["status"] == "approved")
  }

  @Test(arguments: Outsider.all)
  func `nobody else answers`(outsider: Outsider) throws {
    let household = try Household()
    let question = try household.question()
    let before = try household.everything()
    let desk = try household.daemon.guardians(as: outsider.uid)
    let guises: [JSONObject] = [
      ["choice": "approve"], ["choice": "deny"],
      ["choice": "approve", "guardian": household.name(Household.Uid.guardian)],
      ["choice": "approve", "guardian": household.name(outsider.uid)],
      ["choice": "approve", "guardian": "contact:org.example.Chat/anna"],
    ]
    for guise in guises {
      let refusal = #expect(throws: CallError.self) {
        try desk.guardian("Answer", guise.with(["question": .string(question)]))
      }
      #expect(refusal.isRefusal(of: Interface.guardian))
    }
    #expect(try household.everything() == before)
    let look = try household.child.permission("Await", ["question": .string(question), "timeoutUSec": 0])
    #expect(look["state"] == "pending")
  }

  @Test(arguments: Outsider.all)
  func `nobody else sees what is asked`(outsider: Outsider) throws {
    let household = try Household()
    let question = try household.question()
    let desk = try household.daemon.guardians(as: outsider.uid)
    for id in [question, String(question.prefix(8))] {
      let refusal = #expect(throws: CallError.self) { try desk.guardian("DescribeQuestion", ["question": .string(id)]) }
      #expect(refusal.isRefusal(of: Interface.guardian))
    }
    let child = household.name(Household.Uid.child)
    let listing = #expect(throws: CallError.self) { try desk.guardian("ListQuestions", ["person": child]) }
    #expect(listing.isRefusal(of: Interface.guardian))
    try desk.send("\(Interface.guardian).WatchQuestions", ["person": child], more: true)
    let watching = #expect(throws: CallError.self) { try desk.receiveAnswer() }
    #expect(watching.isRefusal(of: Interface.guardian))
    #expect(try desk.guardian("ListQuestions")["questions"] == [])
    #expect(try household.child.permission("Ask", ["topic": .object(.update("2.0"))])["reach"] == "none")
  }

  @Test(arguments: Outsider.all)
  func `nobody else's watch carries the child's questions`(outsider: Outsider) throws {
    let household = try Household()
    _ = try household.question("1.0")
    let watch = try EventStream(
      try household.daemon.guardians(as: outsider.uid), "\(Interface.guardian).WatchQuestions", [:])
    #expect(try watch.backlog() == [])
    _ = try household.question("2.0")
    let otherChild = try household.daemon.apps(as: Household.Uid.otherChild)
    try otherChild.permission("Ask", ["topic": .object(.update("3.0"))])
    if outsider.uid == Household.Uid.otherGuardian {
      #expect(try watch.next().member("question")["person"] == household.name(Household.Uid.otherChild))
    }
    #expect(watch.client.isQuiet)
  }

  @Test(arguments: Outsider.all.filter { ![0, Household.Uid.administrator].contains($0.uid) })
  func `nobody else declares the child's age`(outsider: Outsider) throws {
    let household = try Household()
    let before = try household.everything()
    let desk = try household.daemon.guardians(as: outsider.uid)
    let ages: [JSONObject] = [["birthDate": "1990-01-01"], ["lowerBound": 18], ["lowerBound": 18, "upperBound": 18]]
    for age in ages {
      let refusal = #expect(throws: CallError.self) {
        try desk.guardian("DeclareAge", age.with(["person": household.name(Household.Uid.child)]))
      }
      #expect(refusal.isRefusal(of: Interface.guardian))
    }
    #expect(try household.everything() == before)
  }

  @Test func `a guardian lists the own persons and questions alone`() throws {
    let household = try Household()
    let own = try household.question()
    let otherChild = try household.daemon.apps(as: Household.Uid.otherChild)
    let other = try otherChild.permission("Ask", ["topic": .object(.update("2.0"))]).text("question")
    for (uid, person, question) in [
      (Household.Uid.guardian, Household.Uid.child, own),
      (Household.Uid.otherGuardian, Household.Uid.otherChild, other),
    ] {
      let desk = try household.daemon.guardians(as: uid)
      let people = try desk.guardian("ListPeople").list("people")
      #expect(people.map { $0["person"] } == [household.name(person)])
      let questions = try desk.guardian("ListQuestions").list("questions")
      #expect(questions.map { $0["question"] } == [.string(question)])
    }
    let stranger = try household.daemon.guardians(as: Household.Uid.stranger)
    #expect(try stranger.guardian("ListPeople")["people"] == [])
  }

  @Test func `a guardian who is removed may answer no more, and sees the card go`() throws {
    let household = try Household()
    let question = try household.question()
    let watch = try EventStream(
      try household.daemon.guardians(as: Household.Uid.guardian), "\(Interface.guardian).WatchQuestions", [:])
    #expect(try watch.backlog().count == 1)
    try household.root.administration(
      "RemoveGuardian",
      ["person": household.name(Household.Uid.child), "guardian": household.name(Household.Uid.guardian)])
    let refusal = #expect(throws: CallError.self) {
      try household.guardian.guardian("Answer", ["question": .string(question), "choice": "approve"])
    }
    #expect(refusal.isRefusal(of: Interface.guardian))
    #expect(try household.guardian.guardian("ListQuestions")["questions"] == [])
  }

  @Test func `a guardian speaks for nobody else`() throws {
    let household = try Household()
    try household.root.administration(
      "AddGuardian",
      ["person": household.name(Household.Uid.child), "guardian": household.name(Household.Uid.stranger)])
    let question = try household.question()
    for guardian in [household.name(Household.Uid.stranger), "contact:org.example.Chat/anna"] {
      let refusal = #expect(throws: CallError.self) {
        try household.guardian.guardian(
          "Answer", ["question": .string(question), "choice": "approve", "guardian": guardian])
      }
      #expect(refusal.isRefusal(of: Interface.guardian))
    }
    let own = try household.guardian.guardian("Answer", ["question": .string(question), "choice": "approve"])
    #expect(own["state"] == "approved")
  }

  @Test func `an answer from a peer that is gone already is a stranger's`() throws {
    let household = try Household()
    let question = try household.question()
    let before = try household.everything()
    let calls: [JSONObject] = [
      [
        "method": "org.consentd.Guardian.Answer",
        "parameters": ["question": .string(question), "choice": "approve"],
      ],
      ["method": "org.consentd.Administration.AddPerson", "parameters": ["person": "uid:52003"]],
      [
        "method": "org.consentd.Administration.AddGuardian",
        "parameters": ["person": household.name(Household.Uid.child), "guardian": "uid:52003"],
      ],
    ]
    let message = calls.map { String(decoding: $0.encoded(), as: UTF8.self) + "\\0" }.joined()
    let script = """
      import os, socket, sys
      for _ in range(40):
          if os.fork() == 0:
              peer = socket.socket(socket.AF_UNIX)
              peer.connect(sys.argv[1])
              peer.send(sys.argv[2].replace("\\\\0", "\\0").encode())
              os._exit(0)
      for _ in range(40):
          os.wait()
      """
    let outcome = try Program.run(
      "/usr/bin/python3", ["-I", "-S", "-c", script, household.daemon.setup.guardians, message],
      wrappers: [.user(Household.Uid.stranger)])
    #expect(outcome.errors == "")
    #expect(try household.everything() == before)
  }
}

extension CallError? {
  /// Whether this is one of the errors that say no more than that the caller has no business there.
  func isRefusal(of interface: String) -> Bool {
    ["NotPermitted", "UnknownQuestion", "UnknownPerson"].contains { self?.name == "\(interface).\($0)" }
  }
}
