// SPDX-License-Identifier: Apache-2.0
//
// What the audit says of a question, a grant and a declaration: the facts that an export has of them, so that the same
// thing has the same names everywhere.

import ConsentModel
import ConsentStore
import StrictJSON

extension AuditEntry {
  /// How a question ended, with everything that was answered to it.
  static func decision(
    on question: QuestionRow, _ ending: EndingRow, answers: [AnswerRow]
  ) throws -> AuditEntry {
    var facts = ending.export
    facts["decidedAtUSec"] = .integer(ending.endedAt)
    facts["state"] = .string(ending.state)
    facts["grant"] = ending.grant.map(JSON.string)
    if !answers.isEmpty { facts["answers"] = .array(answers.map { .object($0.export) }) }
    return try AuditEntry(.decision, on: question, facts)
  }

  /// Something that was done with a question.
  init(_ kind: AuditKind, on question: QuestionRow, _ more: JSONObject) throws {
    var facts = more
    facts["question"] = .string(question.id)
    facts["topicKey"] = .string(question.topicKey)
    facts["contentHash"] = .string(question.contentHash)
    self.init(kind, about: try question.about, app: try Asker(question.asker).app, facts)
  }

  /// A grant that was given or has ended.
  init(_ kind: AuditKind, _ grant: GrantRow, items: [GrantItemRow], _ more: JSONObject = [:]) throws {
    var facts = grant.export(items: items)
    facts["question"] = grant.question.map(JSON.string)
    for member in more.members { facts[member.name] = member.value }
    self.init(kind, about: try Person(stored: grant.person), app: try Asker(grant.asker).app, facts)
  }

  /// A declaration of an age; `replaces`: in place of the same declarer's earlier one.
  static func declaration(_ row: DeclarationRow, replaces: Bool) throws -> AuditEntry {
    var facts = row.export
    if replaces { facts["replaces"] = true }
    return AuditEntry(.declaration, about: try Person(stored: row.person), facts)
  }
}

extension AuditEntry {
  /// Something that somebody did.
  init(_ kind: AuditKind, about person: Person, app: AppID? = nil, by peer: UserID, _ more: JSONObject = [:]) {
    var facts = more
    facts["by"] = .of(peer)
    self.init(kind, about: person, app: app, facts)
  }

  /// Somebody was enrolled.
  static func personAdded(_ row: PersonRow, by peer: UserID) throws -> AuditEntry {
    var facts: JSONObject = [:]
    facts["displayName"] = row.displayName.map(JSON.string)
    facts["loginName"] = row.loginName.map(JSON.string)
    return AuditEntry(.personAdded, about: try Person(stored: row.person), by: peer, facts)
  }

  /// Somebody has another name here; where both are the same, the login name of the uid was accepted anew.
  static func personMoved(from person: Person, to other: Person, login: String?, by peer: UserID) -> AuditEntry {
    var facts: JSONObject = ["from": .string(person.description), "to": .string(other.description)]
    facts["loginName"] = login.map(JSON.string)
    return AuditEntry(.personMoved, about: other, by: peer, facts)
  }
}
