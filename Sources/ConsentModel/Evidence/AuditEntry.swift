// SPDX-License-Identifier: Apache-2.0
//
// What the audit says: one entry for every decision and every change of who or what decides. An entry is written in the
// transaction of what it tells of and is never changed; what it says can be erased, and that it was there cannot
// (AuditChain.swift). It names people as they were called at that moment.

package import StrictJSON

/// What an entry tells of; the wire's word is the case's name. A store may hold words of a later version.
package enum AuditKind: String, CaseIterable, Sendable {
  /// A question ended by an answer.
  case decision
  /// An approval that did not end its question yet, or one that was changed.
  case vote
  /// An answer to a question that had ended.
  case lateAnswer
  /// An answer that smells of forgery: by nobody who may give it, or to something else than was asked.
  case refusedAnswer
  case granted
  case revoked
  /// A grant ended, and no guardian revoked it.
  case grantEnded
  /// An age was declared, replaced or withdrawn.
  case declaration
  case setting
  case personAdded
  case personRemoved
  /// A person has another name from here on; entries before stay about the same person.
  case personMoved
  case guardianAdded
  case guardianRemoved
  /// What an app had about a person was taken out, and what the entries in `sequences` said of it.
  case forgotten
  /// What the entries in `sequences` said was erased with the person. It names nobody.
  case erased
  /// What the entries in `sequences` said was older than is kept.
  case retention
  case clockTrusted
  case policyAccepted
}

extension AuditKind {
  /// Whether such an entry says of others, in `sequences`, that they are empty with good reason.
  package var excusesEmptiness: Bool { self == .erased || self == .forgotten || self == .retention }
}

/// One thing to keep evidence of.
package struct AuditEntry: Sendable, Equatable {
  package let kind: AuditKind
  /// Whom it is about.
  package let person: Person?
  /// The app concerned, where one is.
  package let app: AppID?
  /// The rest, under the names the wire has for it.
  package let facts: JSONObject

  package init(_ kind: AuditKind, about person: Person? = nil, app: AppID? = nil, _ facts: JSONObject = [:]) {
    self.kind = kind
    self.person = person
    self.app = app
    self.facts = facts
  }

  /// Compact JSON, names sorted by bytes: `person` and `app` where there are any, and `facts`.
  package var payload: [UInt8] {
    var json: JSONObject = ["facts": .object(facts)]
    json["person"] = person.map { .string($0.description) }
    json["app"] = app.map { .string($0.text) }
    return json.encoded(order: .sortedByName)
  }
}
