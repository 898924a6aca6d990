// SPDX-License-Identifier: Apache-2.0
//
// A daemon as a machine runs it, and people with uids of their own that no password file needs to know. Whoever speaks
// here does so from a process that really is that user. Needs root.

import StrictJSON
import TestSupport

/// Two families, a stranger, a service and an administrator around one daemon.
struct Household {
  /// The uids of the people.
  enum Uid {
    static let child: UInt32 = 52_001
    static let guardian: UInt32 = 52_002
    static let stranger: UInt32 = 52_003
    static let otherGuardian: UInt32 = 52_004
    static let otherChild: UInt32 = 52_005
    static let service: UInt32 = 52_006
    static let bridge: UInt32 = 52_007
    /// A service without a bridge.
    static let otherService: UInt32 = 52_008
    static let administrator: UInt32 = 52_010
    static let daemon: UInt32 = 52_100
  }

  let daemon: Daemon
  /// This process, which is root, on the guardians' socket.
  let root: TestClient
  let child: TestClient
  let guardian: TestClient

  /// Starts the daemon as a user of its own and enrols both families.
  init(wrappers: [Program.Wrapper] = [], newQuestionsPerDay budget: Int = 10) throws {
    daemon = try Daemon.plain(
      wrappers: wrappers, user: Uid.daemon,
      configuration: "{ administrators: [\(Uid.administrator)], coolDowns: { newQuestionsPerDay: \(budget) } }",
      apps: [
        "org.example.Chat.json5":
          "{ id: 'org.example.Chat', names: { en: 'Chat' }, uid: \(Uid.service), bridgeUid: \(Uid.bridge) }",
        "org.example.Mute.json5": "{ id: 'org.example.Mute', uid: \(Uid.otherService) }",
      ])
    root = try daemon.guardians()
    child = try daemon.apps(as: Uid.child)
    guardian = try daemon.guardians(as: Uid.guardian)
    for (person, guardian) in [(Uid.child, Uid.guardian), (Uid.otherChild, Uid.otherGuardian)] {
      try root.administration("AddPerson", ["person": name(person)])
      try root.administration("AddGuardian", ["person": name(person), "guardian": name(guardian)])
    }
    try guardian.guardian("DeclareAge", ["person": name(Uid.child), "birthDate": "2014-03-05"])
  }

  /// The wire's form of a uid.
  func name(_ uid: UInt32) -> JSON { .string("uid:\(uid)") }

  /// Asks as the child, and gives the question's id.
  func question(_ change: String = "2.0") throws -> String {
    try child.permission("Ask", ["topic": .object(.update(change))]).text("question")
  }

  /// Everything about the child that its guardian, root and the child itself can see.
  func everything() throws -> JSONObject {
    let stream = try EventStream(try daemon.apps(as: Uid.child), "\(Interface.permission).Responses", ["after": 0])
    return [
      "questions": .object(try guardian.guardian("ListQuestions")),
      "people": .object(try root.administration("ListPeople")),
      "openQuestions": try root.administration("GetStatistics")["openQuestions"] ?? .null,
      "age": .object(try child.ageRange("GetAgeRange").member("range").without("asOfUSec")),
      "events": .array(try stream.backlog().filter { $0["event"] != "delivered" }.map { .object($0) }),
    ]
  }
}
