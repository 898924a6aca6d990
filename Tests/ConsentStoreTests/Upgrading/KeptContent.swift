// SPDX-License-Identifier: Apache-2.0
//
// What a kept store holds: something of every kind that the first release could write. Each release that changes the
// schema keeps one more store with this content, made by the release before it (`UpgradeTests` says how).

@testable import ConsentStore

/// A small household and what was asked in it.
enum KeptContent {
  static let service = AskerKey(uid: 990, app: "org.example.Game")
  static let account = "account:org.example.Game/a~1"
  static let day: Int64 = 86_400_000_000
  static let start: Int64 = 1_790_000_000_000_000

  static let people = [
    PersonRow(person: "uid:1001", displayName: "Mia ∞ “M”", loginName: "mia", addedAt: start),
    PersonRow(person: "uid:1000", displayName: nil, loginName: "alex", addedAt: start + 1),
    PersonRow(person: account, displayName: "It's Kim", addedAt: start + 2),
  ]
  static let guardians = [
    GuardianRow(person: "uid:1001", guardian: "uid:1000", displayName: "Alex", loginName: "alex", addedAt: start + 3),
    GuardianRow(person: "uid:1001", guardian: "uid:1003", addedAt: start + 4),
    GuardianRow(person: account, guardian: "contact:org.example.Game/mum", displayName: "Mum", addedAt: start + 5),
  ]
  static let declarations = [
    declaration("d1", "uid:1001", "guardianDeclared", by: "uid:1000", born: "2014-03-05"),
    declaration("d2", "uid:1000", "administratorDeclared", by: "uid:0", lower: 18),
    declaration("d4", account, "serviceDeclared", by: "org.example.Game", lower: 13, upper: 15),
  ]
  static let endedDeclaration = declaration("d3", "uid:1001", "guardianDeclared", by: "uid:1003", born: "2013-02-28")

  static let open = question(1, "uid:1001", .chat, "communication/cafe", plan: "start", delivered: start + 70)
  static let approved = question(2, "uid:1001", .chat, "resource/camera", version: "1.9")
  static let denied = question(3, "uid:1001", AskerKey(uid: 1001, app: ""), "resource/org.example.time")
  static let superseded = question(4, account, service, "significantUpdate/1.9")
  static let successor = question(5, account, service, "significantUpdate/2.0")
  static let grant = GrantRow(
    id: sampleID(77), person: "uid:1001", asker: .chat, provenance: "registered", topicKey: "resource/camera",
    kind: "resource", question: approved.id, lifetime: "until", grantedAt: start + 90, expiresAt: start + 30 * day)
  static let endedGrant = GrantRow(
    id: sampleID(78), person: account, asker: service, provenance: "registered", topicKey: "significantUpdate/1.0",
    kind: "significantUpdate", lifetime: "persistent", grantedAt: start + 10)
  static let answer = AnswerRow(
    question: approved.id, guardian: "uid:1000", choice: "approveUntil", untilUSec: start + 30 * day,
    items: "[{\"level\":\"full\"}]", note: "only\nthis once", answeredAt: start + 90)
  static let askKey = AskKeyRow(
    asker: service, person: account, key: "key 1", topicHash: "beef", question: successor.id, askedAt: start + 60)

  /// Writes all of it.
  @Sendable static func write(_ writer: any StoreWriter) throws {
    for person in people { try writer.put(person) }
    for guardian in guardians { try writer.put(guardian) }
    for declaration in declarations + [endedDeclaration] { try writer.insert(declaration) }
    try writer.endDeclarations(
      person: "uid:1001", source: "guardianDeclared", declaredBy: "uid:1003", at: start + 9, reason: "replaced")
    for question in [open, approved, denied, superseded, successor] { try writer.insert(question) }
    _ = try writer.markSeen(open.id, at: start + 75)
    try writer.insert(grant, items: [.init(subject: "resource/camera", action: "full")])
    try writer.insert(endedGrant, items: [.init(subject: "1.0", action: ""), .init(subject: "0.9", action: "")])
    _ = try writer.endGrant(endedGrant.id, at: start + 20, reason: "revoked", by: nil, note: nil)
    try writer.put(answer)
    try end(writer)
    try writer.put(askKey)
    for (number, question) in [open, approved, successor, superseded].enumerated() {
      try told(question, number, writer)
    }
    try writer.acknowledge(.chat, sequence: 1)
    try writer.setMeta("salt", [UInt8](0..<32))
    try writer.setMeta("purpose", Array("service".utf8))
    try writer.setMeta("empty", [])
    try manners(writer)
  }

  /// What schema 3 added.
  private static func manners(_ writer: any StoreWriter) throws {
    try writer.put(
      CoolDownRow(person: "uid:1001", scope: "uid:1001", subject: denied.topicKey, denials: 2, deniedAt: start))
    try writer.insertRecentQuestion(
      person: "uid:1001", scope: "app:org.example.Chat", askedAt: start + 50, question: open.id)
    try writer.recordFirstVersion(person: account, asker: service, version: "1.0", at: start)
    try writer.put(
      SettingRow(person: account, app: service.app, name: "neverAsk", value: "true", setBy: "uid:1000", setAt: start))
    _ = try writer.setReminder(open.id, at: start + day)
    try writer.append(
      AuditRow(
        seq: 1, at: start, kind: "decision", person: "uid:1001", app: service.app, payload: "{}",
        salt: [UInt8](repeating: 1, count: 16), commitment: [UInt8](repeating: 2, count: 32),
        hash: [UInt8](repeating: 3, count: 32)))
  }

  private static func end(_ writer: any StoreWriter) throws {
    let endings = [
      (
        approved,
        EndingRow(
          state: "approved", endedAt: start + 90, choice: "approveUntil", decidedBy: "guardian", guardian: "uid:1000",
          channel: "socket", assurance: "peer", policy: "baseline/1", reason: "because", grant: grant.id,
          synthetic: true)
      ),
      (denied, EndingRow(state: "denied", endedAt: start + 91, choice: "deny", decidedBy: "guardian")),
      (superseded, EndingRow(state: "superseded", endedAt: start + 60, successor: successor.id)),
    ]
    for (question, ending) in endings { _ = try writer.endQuestion(question.id, ending, unexpiredAt: nil) }
  }

  private static func told(_ question: QuestionRow, _ number: Int, _ writer: any StoreWriter) throws {
    let grant = question.id == approved.id ? grant.id : nil
    for event in ["asked", "decided"] {
      try writer.appendEvent(
        EventRow(
          asker: question.asker, event: event, person: question.person, topicKey: question.topicKey,
          question: question.id, grant: grant, at: start + Int64(number)))
    }
  }

  private static func declaration(
    _ id: String, _ person: String, _ source: String, by declarer: String, born: String? = nil, lower: Int? = nil,
    upper: Int? = nil
  ) -> DeclarationRow {
    DeclarationRow(
      id: id, person: person, source: source, assurance: "asserted", declaredBy: declarer, birthDate: born,
      lowerBound: lower, upperBound: upper, asOfDate: born == nil ? "2026-11-30" : nil, declaredAt: start + 6)
  }

  private static func question(
    _ number: Int, _ person: String, _ asker: AskerKey, _ key: String, version: String? = nil, plan: String? = nil,
    delivered: Int64? = nil
  ) -> QuestionRow {
    QuestionRow(
      id: sampleID(number), person: person, asker: asker, provenance: "registered",
      kind: key.split(separator: "/").first.map(String.init) ?? key, topicKey: key,
      content: "{\"topic\":\"\(key)\",\"said\":\"✓\"}", contentHash: "cafe\(number)", decider: "guardians",
      timesAsked: number, appVersion: version, plan: plan, askedAt: start + 50, expiresAt: start + 30 * day,
      deliveredAt: delivered)
  }
}
